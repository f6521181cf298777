"""Which messages a chunk covers."""

from __future__ import annotations

from collections.abc import Sequence

from memory.engine.chunking import Span
from memory.engine.covered_messages import CoveredSpan, Finding, spans_of, uncovered_after
from memory.types import Entry


def spans(anchors: str, messages: str) -> tuple[CoveredSpan, ...]:
    """Chunks and messages whose hashes are single letters; a dot is a message without a hash."""
    hashes: Sequence[str] = ["" if letter == "." else letter for letter in messages]
    return spans_of([Entry("text", letter) for letter in anchors], hashes)


def test_a_chunk_covers_what_lies_behind_the_one_before_it() -> None:
    assert [covered.span for covered in spans("be", "abcdef")] == [Span(0, 2), Span(2, 5)]


def test_messages_without_a_hash_lie_inside_of_spans() -> None:
    assert spans("c", ".a.c.")[0].span == Span(0, 4)


def test_a_chunk_whose_message_is_gone_is_not_found_and_blurs_the_next() -> None:
    first, second, third = spans("xbd", "abcd")
    assert (first.finding, first.span) == (Finding.NOT_FOUND, None)
    assert (second.span, second.is_start_known) == (Span(0, 2), False)
    assert (third.span, third.is_start_known) == (Span(2, 4), True)


def test_a_repeated_text_between_its_neighbours_is_ambiguous_and_the_newest_counts() -> None:
    covered = spans("bkf", "abckdkef")[1]
    assert (covered.finding, covered.span, covered.candidates) == (Finding.AMBIGUOUS, Span(2, 6), (3, 5))


def test_neighbours_settle_a_repeated_text() -> None:
    covered = spans("bkd", "kbckdk")[1]
    assert (covered.finding, covered.span) == (Finding.FOUND, Span(2, 4))


def test_a_history_processed_twice_starts_anew() -> None:
    found = spans("bdac", "abcd")
    assert [covered.is_out_of_order for covered in found] == [False, False, True, False]
    assert [covered.span for covered in found[2:]] == [Span(0, 1), Span(1, 3)]


def test_a_chunk_twice_in_the_ledger_covers_nothing_else() -> None:
    assert spans("bb", "abc")[1].is_out_of_order


def test_where_the_covered_part_ends() -> None:
    assert uncovered_after(spans("bd", "abcdef")) == 4
    assert uncovered_after(spans("x", "ab")) == 0


def test_an_entry_without_hash_is_not_found() -> None:
    assert spans_of([Entry("text", "")], ["", "a"])[0].finding is Finding.NOT_FOUND
