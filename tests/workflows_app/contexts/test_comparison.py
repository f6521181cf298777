from __future__ import annotations

from workflows_app.contexts.comparison import compare_lines


def test_equal_lines_stand_beside_each_other() -> None:
    lines = list(compare_lines("a\nb\nd", "a\nc\nx\nd"))

    assert [(line.left, line.right, line.kind) for line in lines] == [
        ("a", "a", "same"),
        ("b", "c", "changed"),
        ("", "x", "right-only"),
        ("d", "d", "same"),
    ]


def test_lines_of_one_side_alone() -> None:
    assert [line.kind for line in compare_lines("a\nb", "b")] == ["left-only", "same"]
