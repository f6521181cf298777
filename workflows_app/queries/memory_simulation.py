"""What memory settings would make of a conversation that the console has; no model is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memory.engine.memory_settings import MemorySettings, Thresholds
from memory.engine.simulation import Simulation, simulate
from memory.engine.triggers import WriterPath
from memory.queries.transcripts import load_conversation
from memory.types import DiscussionRef
from wilmer_site.lib.errors import WilmerError
from workflows_app import wiring


@dataclass(frozen=True, slots=True)
class PathSimulation:
    """One of the two ways memories are made."""

    path: WriterPath
    is_used: bool
    """Whether `QualityMemory` goes this way; the file path also serves `RecentMemory` and `FullChatSummary`."""
    thresholds: Thresholds
    simulation: Simulation | None
    """None without a conversation."""


def simulate_settings(values: Mapping[str, Any], discussion: str = "") -> tuple[PathSimulation, ...]:
    """Both ways under these settings, over the messages of a discussion (`DiscussionRef.text`) if it has any."""
    settings = MemorySettings(values)
    messages = load_conversation(DiscussionRef.parse(discussion)) if discussion else ()
    paths = ((WriterPath.FILE, settings.file_thresholds), (WriterPath.VECTOR, settings.vector_thresholds))
    return tuple(
        PathSimulation(
            path=path,
            is_used=settings.uses_vector_memory == (path is WriterPath.VECTOR),
            thresholds=thresholds,
            simulation=simulate(messages, thresholds, path) if messages else None,
        )
        for path, thresholds in paths
    )


def list_discussions() -> tuple[str, ...]:
    """The discussions whose messages the console has."""
    try:
        return tuple(ref.text for ref in wiring.list_transcript_refs())
    except WilmerError:
        return ()
