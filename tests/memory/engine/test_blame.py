from __future__ import annotations

from memory.engine.blame import blame


def test_each_item_names_the_version_it_appeared_in() -> None:
    assert blame([(1, ["a", "b"]), (2, ["a", "x", "b"]), (3, ["x", "b", "c"])]) == [2, 1, 3]


def test_a_changed_item_is_new() -> None:
    assert blame([(1, ["a", "b"]), (2, ["a", "B"])]) == [1, 2]


def test_what_came_back_is_of_the_version_that_brought_it() -> None:
    assert blame([(1, ["a"]), (2, []), (3, ["a"])]) == [3]


def test_nothing_has_no_origin() -> None:
    assert blame([]) == []
