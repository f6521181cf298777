"""Which messages are not yet in memory (memory.md §10.2, §12 steps 2 to 5, with W03, W10, W11 and W12).

Memory knows how far it has got only by hashes of messages. The rule here is the same for both paths: progress hashes
are looked at from the newest to the oldest, and the first one that occurs among the messages decides.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import islice

from memory.engine.chunking import Span
from memory.engine.hashing import list_hashes, list_identities
from memory.engine.messages import SpokenMessages
from memory.types import Entry, Message

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
    """Which messages are new, counted after system messages were dropped, and why.

    How many are new is known at once. Positions are counted from the first message and therefore worked out only when
    somebody asks for them, so that a turn does not grow with the conversation.
    """

    messages: Sequence[Message] = field(repr=False, compare=False)
    """All of them, without system messages."""
    anchor: Anchor
    tail: int
    """The newest messages that are left for later."""
    age: int | None
    """How many messages follow the last processed one; None when there is none or it was not found."""
    decided_by: str | None = None
    """The stored hash that decided."""
    is_ambiguous: bool = False
    """The deciding hash occurs several times, as far back as the search had to go (W03)."""

    @property
    def count(self) -> int:
        """How many messages are new."""
        return self.count_eligible if self.age is None else max(0, self.age - self.tail)

    @property
    def span(self) -> Span | None:
        """Where they are; None if nothing is new."""
        return Span(self.count_eligible - self.count, self.count_eligible) if self.count else None

    @property
    def anchor_position(self) -> int | None:
        """The last processed message; None when there is none or it was not found."""
        return None if self.age is None else self.count_total - 1 - self.age

    @property
    def count_eligible(self) -> int:
        """The messages in front of the tail."""
        return self.count_total - self.tail

    @property
    def count_total(self) -> int:
        """All messages without system messages."""
        return len(self.messages)

    def list_messages(self) -> tuple[Message, ...]:
        """The new messages, oldest first."""
        newest_first = islice(reversed(self.messages), self.tail, self.tail + self.count)
        return tuple(newest_first)[::-1]


class NewestHashes(Collection[str]):
    """The hashes of a ledger, newest first, taken out only as far as somebody looks."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[str]:
        return (entry.hash for entry in reversed(self._entries))

    def __contains__(self, value: object) -> bool:
        return any(entry.hash == value for entry in self._entries)


def find_new_messages(
    messages: Sequence[Message], known: Collection[str], lookback: int, *, trail: Sequence[str] = ()
) -> NewMessages:
    """The new messages among messages without system messages.

    `known` are the progress hashes, newest first; `lookback` is the size of the tail (0 or less: no tail);
    `trail` are the hashes of the last processed messages in order, as kept in our own storage.
    """
    index = _Index(messages, max(0, lookback))
    found = _find_anchor(index, known, trail)
    return NewMessages(messages, found.anchor, index.tail, found.age, found.by, found.is_ambiguous)


def count_new_messages(
    messages: Sequence[Message], known: Collection[str], lookback: int, *, skip_system: bool = False
) -> int:
    """How many messages are new; with `skip_system`, after system messages were dropped."""
    counted = SpokenMessages(messages) if skip_system else messages
    return find_new_messages(counted, known, lookback).count


def build_trail(messages: Sequence[Message], end: int) -> tuple[str, ...]:
    """The hashes worth keeping once the messages before position `end` are processed; raises MissingContentError."""
    return tuple(list_hashes(messages[max(0, end - TRAIL_LENGTH) : end]))


@dataclass(frozen=True, slots=True)
class _Found:
    anchor: Anchor
    age: int | None = None
    by: str | None = None
    is_ambiguous: bool = False


class _Index:
    """Identities of messages by their age (0 is the newest), worked out only as far back as a question needs.

    A turn therefore costs what was said since the last memory, however long the conversation is.
    """

    def __init__(self, messages: Sequence[Message], lookback: int) -> None:
        self._older = reversed(messages)
        self._looked_at: list[Message] = []
        self._at: list[tuple[str, ...]] = []
        self._ages: dict[str, list[int]] = defaultdict(list)
        self.tail = lookback if not lookback or self._exists(lookback - 1) else len(self._looked_at)

    def find(self, stored: str, trail: Sequence[str]) -> _Found | None:
        """Choose among the occurrences of a hash: best agreement with the trail, then eligible, then newest.

        A trail that is not full reaches back to the first message, so an occurrence at its very end is the one.
        The search ends at the first occurrence that no older one can beat.
        """
        is_whole = 0 < len(trail) < TRAIL_LENGTH
        perfect = (len(trail), is_whole, True)
        best: tuple[tuple[int, bool, bool], int] | None = None
        count = 0
        for age in self._occurrences(stored):
            count += 1
            is_first = is_whole and self._count_back_to_first(age, len(trail)) == len(trail)
            fitness = (self._agreement(trail, age), is_first, age >= self.tail)
            if best is None or fitness > best[0]:
                best = fitness, age
            if fitness == perfect:
                break
        if best is None:
            return None
        anchor = Anchor.ELIGIBLE if best[1] >= self.tail else Anchor.IN_TAIL
        return _Found(anchor, best[1], stored, count > 1)

    def _occurrences(self, stored: str) -> Iterator[int]:
        """Ages of the messages with a hash, newest first."""
        known = self._ages[stored]
        given = 0
        while given < len(known) or self._identities(len(self._at)) is not None:
            if given < len(known):
                given += 1
                yield known[given - 1]

    def _agreement(self, trail: Sequence[str], age: int) -> int:
        """How many messages in a row, going back from `age`, have the hashes of the trail."""
        count = 0
        for stored in reversed(trail):
            if stored not in (self._identities(age + count) or ()):
                break
            count += 1
        return count

    def _count_back_to_first(self, age: int, limit: int) -> int:
        """How many messages there are up to and with this one; `limit` + 1 if there are more than that."""
        return next((count for count in range(1, limit + 1) if not self._exists(age + count)), limit + 1)

    def _exists(self, age: int) -> bool:
        missing = age + 1 - len(self._looked_at)
        if missing > 0:
            self._looked_at.extend(islice(self._older, missing))
        return age < len(self._looked_at)

    def _identities(self, age: int) -> tuple[str, ...] | None:
        """Every hash of a message and, on the way, of all newer ones; None if the conversation is not that old."""
        if not self._exists(age):
            return None
        while len(self._at) <= age:
            identities = list_identities(self._looked_at[len(self._at)])
            for identity in identities:
                self._ages[identity].append(len(self._at))
            self._at.append(identities)
        return self._at[age]


def _find_anchor(index: _Index, known: Collection[str], trail: Sequence[str]) -> _Found:
    for stored in known:
        found = index.find(stored, trail if trail and trail[-1] == stored else ())
        if found:
            return found
    for length in range(len(trail) - 1, 0, -1):
        found = index.find(trail[length - 1], trail[:length]) if known else None
        if found:
            return replace(found, anchor=Anchor.TRAIL)
    return _Found(Anchor.LOST if known else Anchor.NO_PROGRESS)
