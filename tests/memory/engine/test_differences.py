from __future__ import annotations

import pytest

from memory.engine.differences import MAX_SHOWN, Change, compare_entries, compare_fields, compare_texts
from memory.types import Entry

A, B, C, D = (Entry(f"text {name}", name) for name in "abcd")


def kinds(old: list[Entry], new: list[Entry]) -> list[tuple[Change, int | None, int | None]]:
    return [(item.kind, item.old_number, item.new_number) for item in compare_entries(old, new).changes]


def test_equal_texts_have_no_lines() -> None:
    assert compare_texts("a\nb", "a\nb").lines == ()


def test_lines_far_from_a_change_are_left_out() -> None:
    old = "\n".join(f"line {number}" for number in range(1, 101))
    diff = compare_texts(old, old.replace("line 50", "line fifty"))

    assert [line.old_number for line in diff.lines] == [47, 48, 49, 50, 51, 52, 53]
    assert (diff.lines[0].skipped, diff.skipped_at_end) == (46, 47)
    assert (diff.added, diff.removed) == (1, 1)


def test_changed_words_are_marked() -> None:
    line = compare_texts("Anna lives in Brno", "Anna lives in Graz").lines[0]

    assert [piece.text for piece in line.new if piece.change.value == "added"] == ["Graz"]
    assert "".join(piece.text for piece in line.old) == "Anna lives in Brno"


def test_lines_that_have_little_in_common_are_not_marked() -> None:
    line = compare_texts("Anna lives in Brno.", "The weather was quite terrible.").lines[0]

    assert [piece.change.value for piece in line.new] == ["same"]


def test_added_and_removed_lines_stand_alone() -> None:
    diff = compare_texts("a\nb", "a\nb\nc")

    assert [(line.kind, line.new_number) for line in diff.lines[-1:]] == [(Change.ADDED, 3)]
    assert compare_texts("a\nb", "b").removed == 1


def test_very_long_texts_are_not_compared() -> None:
    assert compare_texts("a\n" * 15_000, "b\n" * 15_000).is_too_long


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        ([A, B, C], []),
        ([A, C], [(Change.REMOVED, 2, None)]),
        ([A, B, C, D], [(Change.ADDED, None, 4)]),
        ([A, Entry("other", "b"), C], [(Change.CHANGED, 2, 2)]),
        ([A, Entry("other", "x"), C], [(Change.CHANGED, 2, 2)]),
        ([C, A, B], [(Change.MOVED, 3, 1)]),
        ([], [(Change.REMOVED, 1, None), (Change.REMOVED, 2, None), (Change.REMOVED, 3, None)]),
    ],
)
def test_entries_are_compared_by_message(new: list[Entry], expected: list[object]) -> None:
    assert kinds([A, B, C], new) == expected


def test_condensed_entries_keep_the_hash_of_the_last() -> None:
    diff = compare_entries([A, B, C], [Entry("all of it", "b"), C])

    assert (diff.count(Change.CHANGED), diff.count(Change.REMOVED), diff.same) == (1, 1, 1)


def test_many_equal_entries_are_quick_to_compare() -> None:
    many = [Entry("same", "x")] * 5_000

    assert compare_entries(many, [*many, A]).same == 5_000


def test_fields_that_differ_are_told_as_text() -> None:
    found = compare_fields({"title": "old", "entities": ["Anna"]}, {"title": "new", "entities": ["Anna"], "x": None})

    assert [(item.name, item.old, item.new) for item in found] == [("title", "old", "new")]


def test_words_are_compared_for_as_many_entries_as_anybody_reads() -> None:
    old = [Entry(f"text {number}", str(number)) for number in range(300)]
    changes = compare_entries(old, [Entry(f"{entry.text} more", entry.hash) for entry in old]).changes

    assert len(changes) == 300
    assert [bool(change.text.lines) for change in changes] == [True] * MAX_SHOWN + [False] * 100


def test_entries_that_occur_often_do_not_make_it_slow() -> None:
    old = [Entry("ok" if number % 2 else "no", "x") for number in range(4_000)]

    assert compare_entries(old, old[::-1]).same < 4_000
