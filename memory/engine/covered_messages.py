"""Which messages each chunk of a ledger covers: from behind the chunk before it up to the message its hash names.

A chunk keeps only the hash of its last message (traps F1), so texts that occur several times leave a choice (F4).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from memory.engine.chunking import Span
from memory.types import Entry


class Finding(StrEnum):
    """How sure it is where a chunk ends."""

    FOUND = "found"
    AMBIGUOUS = "ambiguous"
    """Its hash occurs several times where it may lie; the newest of these is taken, as the engine does."""
    NOT_FOUND = "not-found"
    """No message has its hash: it was edited, deleted, or the transcript is not complete."""


@dataclass(frozen=True, slots=True)
class CoveredSpan:
    """The messages one chunk was made from, as far as hashes tell."""

    finding: Finding
    span: Span | None
    """Positions in the hashes given; None when the chunk's own message was not found."""
    candidates: tuple[int, ...] = ()
    """Every position that has the chunk's hash."""
    is_start_known: bool = True
    """False when a chunk before it was not found, so that the span also holds what that one covered."""
    is_out_of_order: bool = False
    """An earlier chunk ends behind it: the history was processed again, or chunks were moved."""


def spans_of(entries: Sequence[Entry], message_hashes: Sequence[str]) -> tuple[CoveredSpan, ...]:
    """One span for each chunk, oldest first, over the identities of all messages in order.

    Messages that memory never sees have an empty hash; they take part in spans, never as an end. Linear in both.
    """
    places = _index(message_hashes)
    bounds = _list_bounds(entries, places, len(message_hashes))
    found: list[int] = []
    """Where chunks so far end, ascending."""
    spans: list[CoveredSpan] = []
    previous, is_known = -1, True
    for entry, bound in zip(entries, bounds, strict=True):
        candidates = places.get(entry.hash, ())
        if not candidates:
            spans.append(CoveredSpan(Finding.NOT_FOUND, None))
            is_known = False
            continue
        end, finding = _choose(candidates, previous, bound)
        is_late = end > previous
        start = previous + 1 if is_late else _behind_nearest(found, end)
        spans.append(CoveredSpan(finding, Span(start, end + 1), candidates, is_known, not is_late))
        found.insert(bisect_left(found, end), end)
        previous, is_known = end, True
    return tuple(spans)


def uncovered_after(spans: Sequence[CoveredSpan]) -> int:
    """The position behind the newest message that any chunk covers; 0 when none was found."""
    return max((covered.span.end for covered in spans if covered.span), default=0)


def _index(message_hashes: Sequence[str]) -> Mapping[str, tuple[int, ...]]:
    places: dict[str, list[int]] = defaultdict(list)
    for position, value in enumerate(message_hashes):
        if value:
            places[value].append(position)
    return {value: tuple(positions) for value, positions in places.items()}


def _list_bounds(entries: Sequence[Entry], places: Mapping[str, tuple[int, ...]], count: int) -> list[int]:
    """For each chunk the position that it must end before: where the next chunk with a unique hash ends."""
    bounds: list[int] = []
    bound = count
    for entry in reversed(entries):
        bounds.append(bound)
        positions = places.get(entry.hash, ())
        if len(positions) == 1:
            bound = positions[0]
    return bounds[::-1]


def _choose(candidates: tuple[int, ...], previous: int, bound: int) -> tuple[int, Finding]:
    """The newest position between the neighbours; without any there, the newest of all."""
    low, high = bisect_right(candidates, previous), bisect_left(candidates, bound)
    within = candidates[low:high] if low < high else candidates[low:] or candidates
    return within[-1], Finding.FOUND if len(within) == 1 else Finding.AMBIGUOUS


def _behind_nearest(found: Sequence[int], end: int) -> int:
    """Behind the nearest earlier end of another chunk."""
    at = bisect_left(found, end)
    return found[at - 1] + 1 if at else 0
