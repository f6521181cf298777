"""Which messages are not yet in memory (memory.md §10.2, §12 steps 2 to 5, with W03, W10, W11 and W12).

Memory knows how far it has got only by hashes of messages. The rule here is the same for both paths: progress hashes
are looked at from the newest to the oldest, and the first one that occurs among the messages decides.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from memory.engine.chunking import Span
from memory.engine.hashing import list_identities
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
    """The deciding hash occurs several times (W03)."""

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


def build_trail(hashes: Sequence[str]) -> tuple[str, ...]:
    """The part of the hashes up to the last processed message that is worth keeping."""
    return tuple(hashes[-TRAIL_LENGTH:])


@dataclass(frozen=True, slots=True)
class _Found:
    anchor: Anchor
    position: int | None = None
    by: str | None = None
    is_ambiguous: bool = False


class _Index:
    """Where each identity occurs, and which identities each position has."""

    def __init__(self, messages: Sequence[Message], end: int) -> None:
        self.at = [list_identities(message) for message in messages]
        self.end = end
        self.positions: dict[str, list[int]] = defaultdict(list)
        for position, identities in enumerate(self.at):
            for identity in identities:
                self.positions[identity].append(position)

    def decide(self, stored: str, trail: Sequence[str]) -> _Found:
        """Choose among the occurrences of a hash: best agreement with the trail, then eligible, then newest.

        A trail that is not full reaches back to the first message, so an occurrence at its very end is the one.
        """
        occurrences = self.positions[stored]
        first = len(trail) - 1 if len(trail) < TRAIL_LENGTH else None
        best = max(occurrences, key=lambda at: (self._agreement(trail, at), at == first, at < self.end, at))
        anchor = Anchor.ELIGIBLE if best < self.end else Anchor.IN_TAIL
        return _Found(anchor, best, stored, len(occurrences) > 1)

    def _agreement(self, trail: Sequence[str], at: int) -> int:
        """How many messages in a row, going back from `at`, have the hashes of the trail."""
        count = 0
        for stored in reversed(trail):
            if at - count < 0 or stored not in self.at[at - count]:
                break
            count += 1
        return count


def _find_anchor(index: _Index, known: Sequence[str], trail: Sequence[str]) -> _Found:
    for stored in known:
        if stored in index.positions:
            return index.decide(stored, trail if trail and trail[-1] == stored else ())
    for length in range(len(trail) - 1, 0, -1):
        if known and trail[length - 1] in index.positions:
            return replace(index.decide(trail[length - 1], trail[:length]), anchor=Anchor.TRAIL)
    return _Found(Anchor.LOST if known else Anchor.NO_PROGRESS)
