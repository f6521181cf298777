"""What services that generate memories give back."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from memory.engine.chunking import Span
from memory.engine.llm_json import LlmReply
from memory.engine.triggers import Decision


class CreationStatus(StrEnum):
    """How a run ended."""

    NOTHING_TO_DO = "nothing-to-do"
    """The decision says why."""
    DONE = "done"
    STOPPED = "stopped"
    """A chunk got two blank answers; it and the later ones stay new (W15)."""
    CANCELLED = "cancelled"
    BUSY = "busy"
    """Another run held the discussion for too long; the messages are still new."""
    UNREADABLE = "unreadable"
    """What is stored cannot be read, so nothing was written over it (W07)."""


@dataclass(frozen=True, slots=True)
class ChunkOutcome:
    """What became of one chunk."""

    span: Span
    """Counted after system messages were dropped."""
    hash: str
    is_stored: bool
    memory_ids: tuple[int, ...] = ()
    """Vector path: the new rows."""
    refused: tuple[str, ...] = ()
    """Vector path: why the database refused a memory."""
    reply: LlmReply | None = None
    """Vector path: what was read out of the answer."""
    raw_reply: str = ""
    is_retry: bool = False


@dataclass(frozen=True, slots=True)
class CreationResult:
    """One run of the writer."""

    status: CreationStatus
    decision: Decision
    chunks: tuple[ChunkOutcome, ...] = ()
    total_chunks: int = 0
    is_condensed: bool = False
    problem: str | None = None
    """For people, when the run could not do its work."""
    notes: tuple[str, ...] = field(default=())
    """Things worth knowing that did not stop the run."""

    @property
    def stored_chunks(self) -> int:
        """How many chunks became memories."""
        return sum(chunk.is_stored for chunk in self.chunks)
