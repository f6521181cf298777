from __future__ import annotations

from memory.contexts.state_documents import MAX_DIFF_LINES, DiffLine, build_diff


def test_diff_names_added_removed_and_same_lines() -> None:
    lines = build_diff("a\nb\nc", "a\nB\nc")

    assert lines[1:] == (
        DiffLine("same", "a"),
        DiffLine("removed", "b"),
        DiffLine("added", "B"),
        DiffLine("same", "c"),
    )
    assert lines[0].kind == "place"


def test_lines_that_look_like_file_names_of_a_diff_are_kept() -> None:
    assert DiffLine("added", "++ b") in build_diff("a", "a\n++ b")
    assert DiffLine("removed", "-- a") in build_diff("x\n-- a", "x")


def test_equal_and_overlong_texts_have_no_diff() -> None:
    assert build_diff("a\n", "a") == ()
    assert build_diff("a\n" * MAX_DIFF_LINES, "b") == ()
