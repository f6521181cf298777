"""What the memory nodes would return now, and what can be chosen about it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Preview:
    """What one node returns."""

    node: str
    """The node type as workflows name it."""
    title: str
    note: str
    text: str
    token_estimate: int


@dataclass(frozen=True, slots=True)
class PreviewRequest:
    """What can be chosen: properties that the nodes have."""

    max_chunks: int = 3
    """`maxSummaryChunksFromFile`: 0 means 3, -1 all."""
    max_turns: int = 10
    """`maxTurnsToPull`: only counts where there is no discussion."""
    keywords: str = ""
    limit: int = 5
