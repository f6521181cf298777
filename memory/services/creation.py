"""Generating memories: the one entry for pages, jobs, commands and workflow nodes (memory.md §10.1).

The developer guide's SlowButQualityRAGTool.
"""

from __future__ import annotations

from collections.abc import Sequence

from memory.engine.memory_settings import MemorySettings
from memory.engine.triggers import Decision, Progress, WriterPath, decide
from memory.services.file_creation import create_file_memories, decide_file_creation
from memory.services.results import CreationResult, CreationStatus
from memory.services.vector_creation import create_vector_memories, decide_vector_creation
from memory.services.workshop import Workshop
from memory.types import Message


def create_memories(
    workshop: Workshop | None, messages: Sequence[Message], *, path: WriterPath | None = None
) -> CreationResult:
    """Run the writer once and say what it decided and did.

    Without a workshop there is no discussion and nothing happens. `path` overrides the settings' choice.
    Errors of a model call rise; what was finished before stays stored, and the next run continues behind it.
    """
    if workshop is None:
        return CreationResult(CreationStatus.NOTHING_TO_DO, decide_without_discussion(messages))
    if choose_path(workshop, path) is WriterPath.VECTOR:
        return create_vector_memories(workshop, messages)
    return create_file_memories(workshop, messages)


def preview_creation(workshop: Workshop, messages: Sequence[Message], *, path: WriterPath | None = None) -> Decision:
    """What a run would decide now. Reads only; no model is asked, no file is made."""
    if choose_path(workshop, path) is WriterPath.VECTOR:
        return decide_vector_creation(workshop, messages)
    return decide_file_creation(workshop, messages)


def choose_path(workshop: Workshop, path: WriterPath | None) -> WriterPath:
    """The path asked for, or the one of the settings."""
    if path is not None:
        return path
    return WriterPath.VECTOR if workshop.settings.uses_vector_memory else WriterPath.FILE


def decide_without_discussion(messages: Sequence[Message]) -> Decision:
    """The verdict for a conversation without a discussion id."""
    return decide(
        WriterPath.FILE,
        messages,
        thresholds=MemorySettings().file_thresholds,
        progress=Progress(),
        has_discussion_id=False,
    )
