"""What the hashes of a ledger say of its chunks, of the summary and of condensation."""

from __future__ import annotations

from collections.abc import Sequence

from memory.results import SummaryLink
from memory.types import Entry


def count_behind(summary: Sequence[Entry], ledger: Sequence[Entry]) -> int:
    """How many chunks are newer than the rolling summary; -1 when that cannot be told (memory.md §18.1)."""
    if not ledger:
        return -1
    if not summary:
        return len(ledger)
    position = find_last(ledger, summary[-1].hash)
    return -1 if position is None else len(ledger) - position


def link_of(summary: Sequence[Entry], ledger: Sequence[Entry]) -> SummaryLink:
    """Whether the summary still knows how far it reaches (traps F7)."""
    if not summary:
        return SummaryLink.NO_SUMMARY
    if not ledger:
        return SummaryLink.NO_CHUNKS
    return SummaryLink.LINKED if find_last(ledger, summary[-1].hash) is not None else SummaryLink.LOST


def covered_count(summary: Sequence[Entry], ledger: Sequence[Entry]) -> int:
    """How many chunks, from the oldest, the summary covers; 0 when its link is lost."""
    return (find_last(ledger, summary[-1].hash) or 0) if summary else 0


def condensed_count(tracker_hash: str, ledger: Sequence[Entry]) -> int:
    """How many chunks, from the oldest, condensation has passed: up to the first hit (memory.md §15 rule 3)."""
    if not tracker_hash:
        return 0
    return next((number for number, entry in enumerate(ledger, 1) if entry.hash == tracker_hash), 0)


def find_last(ledger: Sequence[Entry], message_hash: str) -> int | None:
    """The 1-based number of the newest chunk with that hash."""
    numbers = chunk_numbers(ledger).get(message_hash)
    return numbers[-1] if numbers else None


def chunk_numbers(ledger: Sequence[Entry]) -> dict[str, tuple[int, ...]]:
    """Hash → the 1-based numbers of the chunks that carry it, oldest first (traps F4)."""
    numbers: dict[str, list[int]] = {}
    for number, entry in enumerate(ledger, 1):
        numbers.setdefault(entry.hash, []).append(number)
    return {message_hash: tuple(found) for message_hash, found in numbers.items()}
