from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.engine import transcript_changes
from memory.engine.chunking import Span
from memory.engine.transcript_changes import ChangedBlock, ImportOutcome, compare, digest_said
from memory.engine.transcripts import Said


def digests(text: str) -> list[bytes]:
    return [mark.encode() for mark in text]


@pytest.mark.parametrize(
    ("stored", "incoming", "outcome", "kept", "added"),
    [
        ("", "abc", ImportOutcome.LONGER, 0, 3),
        ("abc", "abc", ImportOutcome.SAME, 3, 0),
        ("abc", "abcd", ImportOutcome.LONGER, 3, 1),
        ("abc", "ab", ImportOutcome.SHORTER, 2, 0),
        ("abc", "abx", ImportOutcome.EDITED, 2, 0),
        ("abc", "", ImportOutcome.SHORTER, 0, 0),
        ("aaa", "aaaa", ImportOutcome.LONGER, 3, 1),
    ],
)
def test_compare_says_how_a_file_stands(
    stored: str, incoming: str, outcome: ImportOutcome, kept: int, added: int
) -> None:
    change = compare(digests(stored), digests(incoming))

    assert (change.outcome, change.count_kept, change.count_added) == (outcome, kept, added)
    assert change.needs_consent == (outcome in {ImportOutcome.SHORTER, ImportOutcome.EDITED})


@pytest.mark.parametrize(
    ("stored", "incoming", "instructions", "outcome", "kept", "known"),
    [
        ("abcdefgh", "efghi", (0, 0), ImportOutcome.LONGER, 8, 4),
        ("abcdefgh", "Xefghij", (0, 1), ImportOutcome.LONGER, 8, 5),
        ("abcdefgh", "cdef", (0, 0), ImportOutcome.SHORTER, 6, 4),
        ("abcdefgh", "efgh", (0, 0), ImportOutcome.SAME, 8, 4),
        ("abcdefgh", "fghi", (0, 0), ImportOutcome.EDITED, 0, 0),
        ("ab", "Xab", (0, 1), ImportOutcome.SAME, 2, 3),
        ("ab", "Xabc", (0, 1), ImportOutcome.LONGER, 2, 3),
        ("Xab", "abc", (1, 0), ImportOutcome.LONGER, 3, 2),
        ("Xab", "Yabc", (1, 1), ImportOutcome.LONGER, 3, 3),
        ("Xab", "Ya", (1, 1), ImportOutcome.SHORTER, 2, 2),
        ("Xab", "Y", (1, 1), ImportOutcome.EDITED, 0, 0),
        ("aaaabaaaa", "aaaac", (0, 0), ImportOutcome.LONGER, 9, 4),
    ],
)
def test_compare_finds_the_place_of_a_file_without_the_beginning(
    stored: str, incoming: str, instructions: tuple[int, int], outcome: ImportOutcome, kept: int, known: int
) -> None:
    change = compare(digests(stored), digests(incoming), instructions=instructions)

    assert (change.outcome, change.count_kept, change.count_known) == (outcome, kept, known)


@given(st.text("ab", min_size=4, max_size=30), st.text("abc", max_size=6), st.integers(0, 26))
def test_a_file_that_overlaps_the_end_is_never_taken_for_an_edit(stored: str, more: str, start: int) -> None:
    incoming = stored[min(start, len(stored) - 4) :] + more
    change = compare(digests(stored), digests(incoming))
    result = stored[: change.count_kept] + incoming[change.count_known :]

    assert change.outcome is not ImportOutcome.EDITED
    assert change.count_after == len(result)
    assert stored[change.begins_at : change.count_kept] == incoming[: change.count_known]


def test_compare_without_transcript_is_new() -> None:
    change = compare([], digests("ab"), exists=False)

    assert (change.outcome, change.count_added) == (ImportOutcome.NEW, 2)


@pytest.mark.parametrize(
    ("stored", "incoming", "blocks"),
    [
        ("abcd", "axcd", [((1, 2), (1, 2))]),
        ("abcd", "acd", [((1, 2), (1, 1))]),
        ("abcd", "abxycd", [((2, 2), (2, 4))]),
        ("abcdef", "xbcdey", [((0, 1), (0, 1)), ((5, 6), (5, 6))]),
    ],
)
def test_compare_finds_where_an_edited_file_differs(
    stored: str, incoming: str, blocks: list[tuple[tuple[int, int], tuple[int, int]]]
) -> None:
    expected = tuple(ChangedBlock(Span(*old), Span(*new)) for old, new in blocks)

    assert compare(digests(stored), digests(incoming)).blocks == expected


def test_compare_shows_a_large_difference_as_one_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcript_changes, "MAX_COMPARED", 3)

    assert compare(digests("abcd"), digests("axyd")).blocks == (ChangedBlock(Span(1, 3), Span(1, 3)),)


@given(st.text("ab", max_size=12), st.text("ab", max_size=12))
def test_blocks_turn_the_stored_messages_into_the_file(stored: str, incoming: str) -> None:
    change = compare(digests(stored), digests(incoming))
    text = stored
    for block in reversed(change.blocks):
        text = text[: block.old.start] + incoming[block.new.start : block.new.end] + text[block.old.end :]

    assert change.outcome is not ImportOutcome.EDITED or text == incoming


def test_digest_said_counts_what_was_said() -> None:
    one = Said("user", "Hi")

    assert digest_said(one) == digest_said(Said("user", "Hi", "Ann"))
    assert (
        len(
            {
                digest_said(said)
                for said in (one, Said("assistant", "Hi"), Said("user", "Ho"), Said("user", "Hi", images=("x",)))
            }
        )
        == 4
    )
