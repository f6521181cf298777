"""What a newer file changes in a transcript: nothing, more at the end, less at the end, or other messages."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from memory.engine.chunking import Span
from memory.engine.transcripts import Said

MAX_COMPARED = 4_000_000
"""Pairs of messages that are compared with each other; a larger difference is shown as one replaced block."""


class ImportOutcome(StrEnum):
    """How a file stands to what is there."""

    NEW = "new"
    """There is no transcript yet."""
    SAME = "same"
    LONGER = "longer"
    """It begins with everything that is there."""
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
    """Messages from the beginning on that are equal in both."""
    blocks: tuple[ChangedBlock, ...] = ()
    """Where an edited file differs."""

    @property
    def count_added(self) -> int:
        """Messages that a plain import adds."""
        return self.count_new - self.count_kept if self.outcome in {ImportOutcome.NEW, ImportOutcome.LONGER} else 0

    @property
    def needs_consent(self) -> bool:
        """Whether stored messages would be lost."""
        return self.outcome in {ImportOutcome.SHORTER, ImportOutcome.EDITED}


def digest_said(said: Said) -> bytes:
    """Equal for messages that say the same: role, text and pictures; times and names may differ between formats."""
    facts = repr((said.role, said.content, said.images)).encode("utf-8", "backslashreplace")
    return hashlib.blake2b(facts, digest_size=16).digest()


def compare(stored: Sequence[bytes], incoming: Sequence[bytes], *, exists: bool = True) -> TranscriptChange:
    """How the digests of a file stand to those of the stored messages."""
    kept = _count_equal(stored, incoming)
    outcome = _outcome(len(stored), len(incoming), kept, exists=exists)
    blocks = _list_blocks(stored, incoming, kept) if outcome is ImportOutcome.EDITED else ()
    return TranscriptChange(outcome, len(stored), len(incoming), kept, blocks)


def _outcome(stored: int, incoming: int, kept: int, *, exists: bool) -> ImportOutcome:
    if not exists:
        return ImportOutcome.NEW
    if kept == stored:
        return ImportOutcome.SAME if kept == incoming else ImportOutcome.LONGER
    return ImportOutcome.SHORTER if kept == incoming else ImportOutcome.EDITED


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
