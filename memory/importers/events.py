"""What an importer yields while it reads: where a conversation begins, what was said, and what could not be read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memory.engine.transcripts import Said


@dataclass(frozen=True, slots=True)
class ConversationStart:
    """The messages that follow belong to this conversation."""

    title: str = ""
    created_at: datetime | None = None
    discussion_id: str = ""
    """What a `[DiscussionId]` tag outside of its messages names."""


@dataclass(frozen=True, slots=True)
class ImportProblem:
    """Something that was left out or mended; the rest is kept."""

    text: str
    """A sentence for people."""
    line: int | None = None
    """From 1."""
    column: int | None = None
    file: str = ""
    """The member of a ZIP file."""


ImportEvent = ConversationStart | Said | ImportProblem
