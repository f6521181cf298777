"""Which messages are remembered, where, and what is wrong with the links between chat and memory (traps F2 to F4)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from memory.engine.covered_messages import CoveredSpan, Finding, spans_of, uncovered_after
from memory.types import Entry


class Trouble(StrEnum):
    """What can be wrong with one chunk's link to the chat."""

    STALE = "stale"
    """A message it was made from was changed, removed or put in between since."""
    UNMATCHED = "unmatched"
    """No message has its hash."""
    AMBIGUOUS = "ambiguous"
    """Several messages have its hash, so what lies between them may be skipped for ever (traps F4)."""
    GAP = "gap"
    """Messages in front of it are in no chunk and will never be (traps F2)."""
    OVERLAP = "overlap"
    """Its messages were processed before: an earlier chunk ends behind it."""


@dataclass(frozen=True, slots=True)
class Covered:
    """One chunk and the messages it was made from, by their numbers in the transcript."""

    number: int
    """Of the chunk; for vector memory, of the row in the hash log."""
    hash: str
    first: int | None
    """None when its own message was not found."""
    last: int | None
    candidates: tuple[int, ...] = ()
    """Every message with its hash."""
    changed: tuple[int, ...] = ()
    """Messages in it that were not there when it was made."""
    lost: int = 0
    """How many messages it was made from are gone."""
    gap: tuple[int, int] | None = None
    """First and last of the messages in front of it that no chunk has."""
    troubles: tuple[Trouble, ...] = ()

    @property
    def count(self) -> int:
        """How many messages it covers."""
        return 0 if self.first is None or self.last is None else self.last - self.first + 1


@dataclass(frozen=True, slots=True)
class Reach:
    """How far one layer has got: everything up to `last` is in it."""

    last: int
    """Number of a message; 0 for nothing."""
    is_known: bool = True
    """False when the layer has something, but no hash of it was found in the chat."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """The chat of a discussion beside its memory."""

    message_count: int
    chunks: tuple[Covered, ...]
    log: tuple[Covered, ...]
    """What each row of the hash log covers, oldest first."""
    file: Reach
    vector: Reach
    summary: Reach
    summary_behind: int | None
    tail_start: int
    """From this message on memory never looks yet (`lookbackStartTurn`); message count + 1 without a tail."""
    counts: Mapping[Trouble, int] = field(default_factory=dict)

    def chunk_of(self, message: int) -> int | None:
        """The number of the chunk that covers a message."""
        for chunk in self.chunks:
            if chunk.first is not None and chunk.last is not None and chunk.first <= message <= chunk.last:
                return chunk.number
        return None


@dataclass(frozen=True, slots=True)
class Chat:
    """The identities of all messages of a transcript, in order; empty for what memory never sees."""

    hashes: Sequence[str]
    lookback: int = 0


@dataclass(frozen=True, slots=True)
class Remembered:
    """What the files of a discussion say."""

    ledger: Sequence[Entry]
    condensed: int
    """Chunks, from the oldest, that condensation has passed."""
    log: Sequence[tuple[int, str]] = ()
    """Row id and hash of the vector memory's progress, oldest first."""
    summary_chunks: int = 0
    summary_behind: int | None = None


@dataclass(frozen=True, slots=True)
class MemoryOrigin:
    """Where a vector memory probably came from."""

    first: int
    last: int
    """Numbers of messages."""
    chunks: tuple[int, ...]
    """Chunks of the ledger that cover some of them."""
    waited_seconds: float = 0.0
    """From when the memory was stored to when its messages were logged as done; a moment, as a rule."""


Notes = Mapping[str, Sequence[str]]
"""Hash of a chunk → the identities of the messages it was made from, as noted when it was made or first seen."""


def build_coverage(chat: Chat, remembered: Remembered, file_notes: Notes, vector_notes: Notes) -> Coverage:
    """Everything the pages about coverage show. Linear in messages and chunks."""
    hashes = chat.hashes
    spans = spans_of(remembered.ledger, hashes)
    chunks = tuple(
        _cover(
            number, entry.hash, span, hashes, file_notes.get(entry.hash, ()) if number > remembered.condensed else ()
        )
        for number, (entry, span) in enumerate(zip(remembered.ledger, spans, strict=True), 1)
    )
    chunks = _without_filled_gaps(chunks, len(hashes))
    log_spans = spans_of([Entry("", value) for _, value in remembered.log], hashes)
    log = tuple(
        _cover(row_id, value, span, hashes, vector_notes.get(value, ()))
        for (row_id, value), span in zip(remembered.log, log_spans, strict=True)
    )
    return Coverage(
        message_count=len(hashes),
        chunks=chunks,
        log=log,
        file=_reach(spans),
        vector=_reach(log_spans),
        summary=_reach(spans[: remembered.summary_chunks]),
        summary_behind=remembered.summary_behind,
        tail_start=_tail_start(chat),
        counts={trouble: sum(trouble in chunk.troubles for chunk in chunks) for trouble in Trouble},
    )


def _cover(number: int, value: str, span: CoveredSpan, hashes: Sequence[str], noted: Sequence[str]) -> Covered:
    if span.span is None:
        return Covered(number, value, None, None, troubles=(Trouble.UNMATCHED,))
    match = _compare([(at + 1, hashes[at]) for at in range(span.span.start, span.span.end) if hashes[at]], noted)
    found = {
        Trouble.STALE: bool(match.changed or match.lost),
        Trouble.AMBIGUOUS: span.finding is Finding.AMBIGUOUS,
        Trouble.GAP: match.gap is not None and not span.is_out_of_order,
        Trouble.OVERLAP: span.is_out_of_order,
    }
    return Covered(
        number=number,
        hash=value,
        first=match.gap[1] + 1 if match.gap else span.span.start + 1,
        last=span.span.end,
        candidates=tuple(position + 1 for position in span.candidates),
        changed=match.changed,
        lost=match.lost,
        gap=match.gap if found[Trouble.GAP] else None,
        troubles=tuple(trouble for trouble, is_found in found.items() if is_found),
    )


def _without_filled_gaps(chunks: Sequence[Covered], message_count: int) -> tuple[Covered, ...]:
    """A stretch that a chunk elsewhere in the ledger was made from is no gap."""
    edges = [0] * (message_count + 2)
    for chunk in chunks:
        if chunk.first is not None and chunk.last is not None:
            edges[chunk.first] += 1
            edges[chunk.last + 1] -= 1
    covered = [0, *itertools.accumulate(depth > 0 for depth in itertools.accumulate(edges[1:]))]
    return tuple(
        replace(chunk, gap=None, troubles=tuple(trouble for trouble in chunk.troubles if trouble is not Trouble.GAP))
        if chunk.gap and covered[chunk.gap[1]] - covered[chunk.gap[0] - 1] == chunk.gap[1] - chunk.gap[0] + 1
        else chunk
        for chunk in chunks
    )


@dataclass(frozen=True, slots=True)
class _Match:
    """How what a chunk was made from compares with what stands there now."""

    changed: tuple[int, ...] = ()
    lost: int = 0
    gap: tuple[int, int] | None = None


def _compare(seen: Sequence[tuple[int, str]], noted: Sequence[str]) -> _Match:
    """Lay the noted messages beside those between the chunk before and this one's end.

    What stands in front of the place of the first noted message belongs to no chunk: a gap, not a change.
    """
    if not noted:
        return _Match()
    places = {value: at for at, value in reversed(list(enumerate(noted)))}
    earliest = next((at for at, (_, value) in enumerate(seen) if value in places), 0)
    start = max(0, earliest - places.get(seen[earliest][1], 0))
    now = {value for _, value in seen[start:]}
    return _Match(
        changed=tuple(number for number, value in seen[start:] if value not in places),
        lost=sum(value not in now for value in noted),
        gap=(seen[0][0], seen[start][0] - 1) if start else None,
    )


def _reach(spans: Sequence[CoveredSpan]) -> Reach:
    return Reach(uncovered_after(spans), not spans or any(span.span for span in spans))


def _tail_start(chat: Chat) -> int:
    """Messages that memory never sees do not count for the tail."""
    left = max(0, chat.lookback)
    for number in range(len(chat.hashes), 0, -1):
        if left == 0:
            return number + 1
        left -= bool(chat.hashes[number - 1])
    return 1 if chat.lookback > 0 else len(chat.hashes) + 1
