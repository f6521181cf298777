from __future__ import annotations

from memory.engine.chunk_facts import chunk_numbers, condensed_count, count_behind, covered_count, link_of
from memory.results import SummaryLink
from memory.types import Entry


def entries(*hashes: str) -> list[Entry]:
    return [Entry(f"text {value}", value) for value in hashes]


def test_count_behind_without_chunks_is_unknown() -> None:
    assert count_behind(entries("a"), []) == -1


def test_count_behind_without_summary_is_every_chunk() -> None:
    assert count_behind([], entries("a", "b")) == 2


def test_count_behind_counts_from_the_last_occurrence() -> None:
    assert count_behind(entries("a"), entries("a", "b", "a", "c")) == 1


def test_count_behind_uses_the_last_summary_entry() -> None:
    assert count_behind(entries("a", "b"), entries("a", "b", "c")) == 1


def test_count_behind_with_a_lost_link_is_unknown() -> None:
    assert count_behind(entries("x"), entries("a", "b")) == -1


def test_link_of_tells_four_cases_apart() -> None:
    assert link_of([], entries("a")) is SummaryLink.NO_SUMMARY
    assert link_of(entries("a"), []) is SummaryLink.NO_CHUNKS
    assert link_of(entries("a"), entries("a")) is SummaryLink.LINKED
    assert link_of(entries("x"), entries("a")) is SummaryLink.LOST


def test_covered_count_reaches_to_the_last_occurrence() -> None:
    assert covered_count(entries("a"), entries("a", "b", "a", "c")) == 3
    assert covered_count(entries("x"), entries("a")) == 0
    assert covered_count([], entries("a")) == 0


def test_condensed_count_stops_at_the_first_occurrence() -> None:
    assert condensed_count("a", entries("b", "a", "c", "a")) == 2


def test_condensed_count_of_a_stale_or_empty_tracker_is_zero() -> None:
    assert condensed_count("x", entries("a")) == 0
    assert condensed_count("", entries("", "a")) == 0


def test_chunk_numbers_collects_equal_hashes() -> None:
    assert chunk_numbers(entries("a", "b", "a")) == {"a": (1, 3), "b": (2,)}
