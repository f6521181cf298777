"""Chunks that no model could turn into memories, and when they are tried again (W04, W05)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.engine.chunking import PackedChunk, Span
from memory.engine.hashing import list_identities
from memory.types import Message

MAX_ATTEMPTS = 3
"""After so many attempts a chunk is only reported."""

_FURTHER_MESSAGES = {1: 1, 2: 5}
"""After this many attempts: how many further messages the next one needs."""


@dataclass(frozen=True, slots=True)
class FailedChunk:
    """A chunk that yielded nothing, as our own storage keeps it."""

    first_hash: str
    last_hash: str
    message_count: int
    attempts: int
    messages_seen: int
    """How many messages the conversation had at the last attempt, without system messages."""
    raw_reply: str = ""
    """What the model answered last, for people to correct by hand."""

    @property
    def is_given_up(self) -> bool:
        """Whether it is only reported from now on."""
        return self.attempts >= MAX_ATTEMPTS

    def messages_needed(self, message_count: int) -> int:
        """How many further messages the next attempt waits for; 0 when it is due."""
        return max(0, self.messages_seen + _FURTHER_MESSAGES.get(self.attempts, 0) - message_count)


@dataclass(frozen=True, slots=True)
class Retries:
    """The failed chunks of one conversation, sorted by what is to be done with them."""

    due: tuple[tuple[FailedChunk, PackedChunk], ...] = ()
    waiting: tuple[FailedChunk, ...] = ()
    given_up: tuple[FailedChunk, ...] = ()
    lost: tuple[FailedChunk, ...] = ()
    """Their messages are no longer in the conversation."""
    spans: tuple[Span, ...] = ()
    """Where the chunks lie that were found; nothing in there is new."""


def sort_failed(messages: Sequence[Message], failed: Sequence[FailedChunk]) -> Retries:
    """What to do with each failed chunk, given the messages without system messages."""
    due: list[tuple[FailedChunk, PackedChunk]] = []
    waiting: list[FailedChunk] = []
    given_up: list[FailedChunk] = []
    lost: list[FailedChunk] = []
    spans: list[Span] = []
    identities = _Identities(messages)
    for chunk in failed:
        span = _find_span(identities, chunk)
        if span is None:
            lost.append(chunk)
            continue
        spans.append(span)
        if chunk.is_given_up:
            given_up.append(chunk)
        elif chunk.messages_needed(len(messages)):
            waiting.append(chunk)
        else:
            due.append((chunk, PackedChunk(tuple(messages[span.start : span.end]), span)))
    return Retries(tuple(due), tuple(waiting), tuple(given_up), tuple(lost), tuple(spans))


def list_gaps(span: Span, taken: Sequence[Span]) -> list[Span]:
    """The parts of a span that lie in none of the others, in order."""
    gaps: list[Span] = []
    start = span.start
    for other in sorted(taken, key=lambda item: item.start):
        if start < min(other.start, span.end):
            gaps.append(Span(start, min(other.start, span.end)))
        start = max(start, other.end)
    if start < span.end:
        gaps.append(Span(start, span.end))
    return gaps


class _Identities:
    """The identities of messages, each worked out when first asked for."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self._messages = messages
        self._known: dict[int, tuple[str, ...]] = {}

    def __len__(self) -> int:
        return len(self._messages)

    def __getitem__(self, position: int) -> tuple[str, ...]:
        if position not in self._known:
            self._known[position] = list_identities(self._messages[position])
        return self._known[position]


def _find_span(identities: _Identities, chunk: FailedChunk) -> Span | None:
    """The newest place with the chunk's first and last message at the right distance."""
    for start in range(len(identities) - chunk.message_count, -1, -1):
        end = start + chunk.message_count
        if chunk.first_hash in identities[start] and chunk.last_hash in identities[end - 1]:
            return Span(start, end)
    return None
