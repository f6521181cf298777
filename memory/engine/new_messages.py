"""Which messages are not yet in memory (memory.md §10.2, §12 steps 2 to 5, with W03, W10, W11 and W12).

Memory knows how far it has got only by hashes of messages. The rule here is the same for both paths: progress hashes
are looked at from the newest to the oldest, and the first one that occurs among the messages decides.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from memory.engine.chunking import Span
from memory.engine.hashing import list_hashes, list_identities
from memory.engine.messages import drop_system
from memory.types import Message

TRAIL_LENGTH = 8
"""How many hashes up to the last processed message are kept in our own storage (W03)."""

HISTORY_DEPTH = 10
"""How many hash log rows are looked at (memory.md §12 step 3)."""


class Anchor(StrEnum):
    """How the place where memory left off was found."""

    NO_PROGRESS = "no-progress"
    """Nothing was ever processed."""
    ELIGIBLE = "eligible"
    IN_TAIL = "in-tail"
    """The last processed message lies in the tail: nothing is new (W11)."""
    TRAIL = "trail"
    """No stored hash occurs, but the kept trail shows where the conversation was replaced (W12)."""
    LOST = "lost"
    """No stored hash occurs: everything is processed again (W12)."""


@dataclass(frozen=True, slots=True)
class NewMessages:
    """Which messages are new, counted after system messages were dropped, and why."""

    span: Span | None
    anchor: Anchor
    anchor_position: int | None
    """The last processed message; None when there is none or it was not found."""
    count_eligible: int
    count_total: int
    decided_by: str | None = None
    """The stored hash that decided."""
    is_ambiguous: bool = False
    """The deciding hash occurs several times, as far back as the search had to go (W03)."""

    @property
    def count(self) -> int:
        """How many messages are new."""
        return len(self.span) if self.span else 0


def find_new_messages(
    messages: Sequence[Message], known: Sequence[str], lookback: int, *, trail: Sequence[str] = ()
) -> NewMessages:
    """The new messages among messages without system messages.

    `known` are the progress hashes, newest first; `lookback` is the size of the tail (0 or less: no tail);
    `trail` are the hashes of the last processed messages in order, as kept in our own storage.
    """
    total = len(messages)
    end = total - min(max(0, lookback), total)
    found = _find_anchor(_Index(messages, end), known, trail)
    start = 0 if found.position is None else found.position + 1
    span = Span(start, end) if start < end else None
    if found.position is not None and found.position >= end:
        span = None
    return NewMessages(span, found.anchor, found.position, end, total, found.by, found.is_ambiguous)


def count_new_messages(
    messages: Sequence[Message], known: Sequence[str], lookback: int, *, skip_system: bool = False
) -> int:
    """How many messages are new; with `skip_system`, after system messages were dropped."""
    counted = drop_system(messages) if skip_system else messages
    return find_new_messages(counted, known, lookback).count


def build_trail(messages: Sequence[Message], end: int) -> tuple[str, ...]:
    """The hashes worth keeping once the messages before position `end` are processed; raises MissingContentError."""
    return tuple(list_hashes(messages[max(0, end - TRAIL_LENGTH) : end]))


@dataclass(frozen=True, slots=True)
class _Found:
    anchor: Anchor
    position: int | None = None
    by: str | None = None
    is_ambiguous: bool = False


class _Index:
    """Identities of messages, worked out from the newest backwards and only as far as a question needs.

    A turn therefore costs what was said since the last memory, however long the conversation is.
    """

    def __init__(self, messages: Sequence[Message], end: int) -> None:
        self._messages = messages
        self._end = end
        self._next = len(messages) - 1
        """The newest message that was not looked at yet."""
        self._at: dict[int, tuple[str, ...]] = {}
        self._positions: dict[str, list[int]] = defaultdict(list)

    def find(self, stored: str, trail: Sequence[str]) -> _Found | None:
        """Choose among the occurrences of a hash: best agreement with the trail, then eligible, then newest.

        A trail that is not full reaches back to the first message, so an occurrence at its very end is the one.
        The search ends at the first occurrence that no older one can beat.
        """
        first = len(trail) - 1 if 0 < len(trail) < TRAIL_LENGTH else None
        perfect = (len(trail), first is not None, True)
        best: tuple[tuple[int, bool, bool], int] | None = None
        count = 0
        for at in self._occurrences(stored):
            count += 1
            fitness = (self._agreement(trail, at), at == first, at < self._end)
            if best is None or fitness > best[0]:
                best = fitness, at
            if fitness == perfect:
                break
        if best is None:
            return None
        anchor = Anchor.ELIGIBLE if best[1] < self._end else Anchor.IN_TAIL
        return _Found(anchor, best[1], stored, count > 1)

    def _occurrences(self, stored: str) -> Iterator[int]:
        """Positions of a hash, newest first."""
        known = self._positions[stored]
        given = 0
        while given < len(known) or self._next >= 0:
            if given < len(known):
                given += 1
                yield known[given - 1]
            else:
                self._identities(self._next)

    def _agreement(self, trail: Sequence[str], at: int) -> int:
        """How many messages in a row, going back from `at`, have the hashes of the trail."""
        count = 0
        for stored in reversed(trail):
            if at - count < 0 or stored not in self._identities(at - count):
                break
            count += 1
        return count

    def _identities(self, position: int) -> tuple[str, ...]:
        while self._next >= position:
            self._at[self._next] = list_identities(self._messages[self._next])
            for identity in self._at[self._next]:
                self._positions[identity].append(self._next)
            self._next -= 1
        return self._at[position]


def _find_anchor(index: _Index, known: Sequence[str], trail: Sequence[str]) -> _Found:
    for stored in known:
        found = index.find(stored, trail if trail and trail[-1] == stored else ())
        if found:
            return found
    for length in range(len(trail) - 1, 0, -1):
        found = index.find(trail[length - 1], trail[:length]) if known else None
        if found:
            return replace(found, anchor=Anchor.TRAIL)
    return _Found(Anchor.LOST if known else Anchor.NO_PROGRESS)
