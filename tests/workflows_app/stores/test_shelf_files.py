"""The shelf keeps nodes in files of the console's own."""

from __future__ import annotations

from pathlib import Path

from workflows_app.stores.shelf_files import MAX_ITEMS, ShelfFile, ShelfItem


def test_nodes_are_kept_the_newest_first(tmp_path: Path) -> None:
    shelf = ShelfFile.of(tmp_path / "shelves", "Workflows/ann/Main.json")
    shelf.put(ShelfItem("a", 0, {"title": "A"}))
    shelf.put(ShelfItem("b", 3, {"title": "B"}))
    assert [(item.key, item.position, item.node["title"]) for item in shelf.read()] == [("b", 3, "B"), ("a", 0, "A")]
    shelf.take("b")
    shelf.take("b")
    assert [item.key for item in shelf.read()] == ["a"]


def test_every_file_has_a_shelf_of_its_own(tmp_path: Path) -> None:
    ShelfFile.of(tmp_path, "one").put(ShelfItem("a", 0, {}))
    assert ShelfFile.of(tmp_path, "two").read() == ()


def test_a_full_shelf_loses_the_oldest(tmp_path: Path) -> None:
    shelf = ShelfFile.of(tmp_path, "one")
    for at in range(MAX_ITEMS + 1):
        shelf.put(ShelfItem(str(at), at, {}))
    assert (len(shelf.read()), shelf.read()[-1].key) == (MAX_ITEMS, "1")


def test_a_damaged_shelf_is_empty(tmp_path: Path) -> None:
    shelf = ShelfFile.of(tmp_path, "one")
    shelf.path.write_text('[{"key": 1}]')
    assert shelf.read() == ()
