"""What a newer file changes in a transcript: nothing, more at the end, less at the end, or other messages."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from memory.engine.chunking import Span
from memory.engine.transcripts import Said

MIN_OVERLAP = 4
"""A file that begins in the middle of what is there must share so many messages with it."""

MAX_COMPARED = 4_000_000
"""Pairs of messages that are compared with each other; a larger difference is shown as one replaced block."""


class ImportOutcome(StrEnum):
    """How a file stands to what is there."""

    NEW = "new"
    """There is no transcript yet."""
    SAME = "same"
    LONGER = "longer"
    """It goes on behind the end of what is there."""
    SHORTER = "shorter"
    """It ends in the middle of what is there."""
    EDITED = "edited"


@dataclass(frozen=True, slots=True)
class ChangedBlock:
    """A run of stored messages in whose place another run would stand; positions count from 0."""

    old: Span
    new: Span


@dataclass(frozen=True, slots=True)
class TranscriptChange:
    """What an import would do."""

    outcome: ImportOutcome
    count_stored: int
    count_new: int
    count_kept: int
    """Stored messages, from the oldest on, that stay."""
    count_known: int
    """Messages of the file, from its first on, that are among those kept, or are instructions before them."""
    begins_at: int = 0
    """Which stored message the file begins with, from 0: chat programs send only the newest part of a long chat."""
    blocks: tuple[ChangedBlock, ...] = ()
    """Where an edited file differs."""

    @property
    def count_added(self) -> int:
        """Messages that a plain import adds."""
        return self.count_coming if self.outcome in {ImportOutcome.NEW, ImportOutcome.LONGER} else 0

    @property
    def count_coming(self) -> int:
        """Messages that an import brings, one that replaces included."""
        return self.count_new - self.count_known

    @property
    def count_going(self) -> int:
        """Stored messages that an import takes away."""
        return self.count_stored - self.count_kept

    @property
    def count_after(self) -> int:
        """Messages of the transcript afterwards."""
        return self.count_kept + self.count_coming

    @property
    def needs_consent(self) -> bool:
        """Whether stored messages would be lost."""
        return self.outcome in {ImportOutcome.SHORTER, ImportOutcome.EDITED}


def digest_said(said: Said) -> bytes:
    """Equal for messages that say the same: role, text and pictures; times and names may differ between formats."""
    facts = repr((said.role, said.content, said.images)).encode("utf-8", "backslashreplace")
    return hashlib.blake2b(facts, digest_size=16).digest()


def compare(
    stored: Sequence[bytes], incoming: Sequence[bytes], *, exists: bool = True, instructions: tuple[int, int] = (0, 0)
) -> TranscriptChange:
    """How the digests of a file stand to those of the stored messages.

    `instructions` are the system messages at the beginning of each: memory never sees them, and not every program
    saves them, so they alone make no difference. A file may begin in the middle of what is stored.
    """
    kept = _count_equal(stored, incoming)
    outcome = _outcome(len(stored), len(incoming), kept, kept) if exists else ImportOutcome.NEW
    if outcome is not ImportOutcome.EDITED:
        return TranscriptChange(outcome, len(stored), len(incoming), kept, kept)
    at, overlap = _find_overlap(stored, incoming[instructions[1] :])
    end, known = at + overlap, instructions[1] + overlap
    outcome = _outcome(len(stored), len(incoming), end, known)
    if outcome is not ImportOutcome.EDITED and overlap and (overlap >= MIN_OVERLAP or at <= instructions[0]):
        return TranscriptChange(outcome, len(stored), len(incoming), end, known, at)
    blocks = _list_blocks(stored, incoming, kept)
    return TranscriptChange(ImportOutcome.EDITED, len(stored), len(incoming), kept, kept, blocks=blocks)


def _outcome(stored: int, incoming: int, kept: int, known: int) -> ImportOutcome:
    if kept == stored:
        return ImportOutcome.SAME if known == incoming else ImportOutcome.LONGER
    return ImportOutcome.SHORTER if known == incoming else ImportOutcome.EDITED


def _find_overlap(stored: Sequence[bytes], incoming: Sequence[bytes]) -> tuple[int, int]:
    """Where in `stored` the beginning of `incoming` stands, and how much of it: all of it, or up to the end.

    Knuth, Morris and Pratt: linear, also when many messages are equal.
    """
    if not incoming:
        return len(stored), 0
    back = _list_fallbacks(incoming)
    matched = 0
    for position, digest in enumerate(stored, 1):
        if matched == len(incoming):
            return position - 1 - matched, matched
        while matched and incoming[matched] != digest:
            matched = back[matched - 1]
        matched += incoming[matched] == digest
    return len(stored) - matched, matched


def _list_fallbacks(pattern: Sequence[bytes]) -> list[int]:
    """For each beginning of the pattern the length of the longest shorter beginning that it ends with."""
    back = [0] * len(pattern)
    matched = 0
    for position in range(1, len(pattern)):
        while matched and pattern[position] != pattern[matched]:
            matched = back[matched - 1]
        matched += pattern[position] == pattern[matched]
        back[position] = matched
    return back


def _count_equal(left: Sequence[bytes], right: Sequence[bytes]) -> int:
    count = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        count += 1
    return count


def _list_blocks(stored: Sequence[bytes], incoming: Sequence[bytes], kept: int) -> tuple[ChangedBlock, ...]:
    """Differences between the equal beginning and the equal end."""
    tail = min(_count_equal(stored[:kept - 1:-1] if kept else stored[::-1],
                            incoming[:kept - 1:-1] if kept else incoming[::-1]),
               len(stored) - kept, len(incoming) - kept)  # fmt: skip
    old, new = stored[kept : len(stored) - tail], incoming[kept : len(incoming) - tail]
    if len(old) * len(new) > MAX_COMPARED:
        return (ChangedBlock(Span(kept, kept + len(old)), Span(kept, kept + len(new))),)
    steps = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return tuple(
        ChangedBlock(Span(kept + i1, kept + i2), Span(kept + j1, kept + j2))
        for tag, i1, i2, j1, j2 in steps
        if tag != "equal"
    )
