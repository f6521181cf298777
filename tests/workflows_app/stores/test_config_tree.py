from __future__ import annotations

from pathlib import Path

import pytest

from workflows_app.stores.config_tree import DocumentCache, has_file, list_config_files


def put(root: Path, path: str, text: str = "{}") -> Path:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def test_json_files_of_the_known_folders_are_listed(tmp_path: Path) -> None:
    for path in ("Users/ann.json", "Workflows/a/b/C.JSON", "Workflows/README.txt", "Elsewhere/x.json", "top.json"):
        put(tmp_path, path)

    assert list_config_files(tmp_path) == ["Users/ann.json", "Workflows/a/b/C.JSON"]


def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    put(tmp_path, "Workflows/a/A.json")
    (tmp_path / "Workflows/b").symlink_to(tmp_path / "Workflows/a")

    assert list_config_files(tmp_path) == ["Workflows/a/A.json"]


def test_folder_without_anything_has_no_files(tmp_path: Path) -> None:
    assert list_config_files(tmp_path / "none") == []


def test_unchanged_file_is_parsed_once(tmp_path: Path) -> None:
    file, cache = put(tmp_path, "Users/ann.json"), DocumentCache()

    assert cache.read(file, "Users/ann.json") is cache.read(file, "Users/ann.json")


def test_file_that_is_gone_is_no_document(tmp_path: Path) -> None:
    assert DocumentCache().read(tmp_path / "Users/ann.json", "Users/ann.json") is None


@pytest.mark.parametrize(("path", "is_there"), [("relative.py", True), ("/nowhere/x.py", False), ("~/\0", False)])
def test_only_paths_that_can_be_judged_are_missing(path: str, is_there: bool) -> None:
    assert has_file(path) is is_there


def test_link_out_of_the_folder_is_listed_but_not_read(tmp_path: Path) -> None:
    root = tmp_path / "Configs"
    put(root, "Users/ann.json")
    put(tmp_path, "secret.json", '{"apiKey": "x"}')
    (root / "Users/out.json").symlink_to(tmp_path / "secret.json")
    (root / "Users/in.json").symlink_to(root / "Users/ann.json")

    out, inside = (DocumentCache().read(root / f"Users/{name}.json", f"Users/{name}.json") for name in ("out", "in"))

    assert out is not None
    assert inside is not None
    assert (out.source, inside.value) == (None, {})
    assert "does not follow" in str(out.syntax_error)
