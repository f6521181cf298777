"""Why memory runs or does not: the values that the page Why shows."""

from __future__ import annotations

from dataclasses import dataclass

from memory.engine.triggers import Decision, WriterPath


@dataclass(frozen=True, slots=True)
class Explanation:
    """What one path of the writer would decide about the chat as it was imported."""

    decision: Decision
    is_chosen: bool
    """Whether the memory settings use this path."""
    anchor: int | None
    """Number of the last message that memory has processed."""
    new: tuple[int, int] | None
    """First and last message that would be processed."""
    call_count: int
    """Model calls that a run would make now."""


@dataclass(frozen=True, slots=True)
class Why:
    """Both paths, and what they were judged by."""

    message_count: int
    explanations: tuple[Explanation, ...]
    """The path in use first."""
    settings_problem: str | None = None
    """Why the memory settings could not be read; WilmerAI's defaults stand in for them."""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Thresholds to try out."""

    path: WriterPath
    chunk_size: int
    max_messages: int
    lookback: int
