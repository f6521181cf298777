"""Numeric node properties made integers before a node runs (workflows.md §7)."""

from __future__ import annotations

from typing import Any, Final

from workflows_app.engine.templates import Variables, resolve_early
from workflows_app.types import JsonObject

_DEFAULTS: Final[dict[str, int | None]] = {
    "maxResponseSizeInTokens": 400,
    "maxContextTokenSize": 4096,
    "minMessagesInVariable": 5,
    "nMessagesToIncludeInVariable": 5,
    "lastMessagesToSendInsteadOfPrompt": 5,
    "limit": 5,
    "vectorMemoryMaxMessagesBetweenChunks": 5,
    "maxMessagesBetweenChunks": 5,
    "maxEstimatedTokensInVariable": 2048,
    "estimatedTokensToIncludeInVariable": 2048,
    "minMemoriesPerSummary": 3,
    "loopIfMemoriesExceed": 3,
    "top_n_articles": 3,
    "chunksPerMemory": 3,
    "lookbackStart": 0,
    "lookbackStartTurn": 0,
    "memoryCondensationBuffer": 0,
    "maxImagesToSend": 0,
    "visionScanMessageLimit": 20,
    "num_results": 10,
    "vectorMemoryChunkEstimatedTokenSize": 1000,
    "chunkEstimatedTokenSize": 1000,
    "vectorMemoryMaxResponseSizeInTokens": 1024,
    "lastMessagesToSendInsteadOfPromptMaxTokenSize": None,
    "maxTurnsToPull": None,
    "maxSummaryChunksFromFile": None,
    "offlineWikiApiPort": None,
}
"""The value an unreadable text becomes; None: it stays as it is."""

_DEFAULT_PERCENTILE = 0.5


def coerce_numbers(node: JsonObject, early: Variables) -> dict[str, Any]:
    """A copy of the node with its numeric properties as numbers; absent ones stay absent."""
    prepared = dict(node)
    for key, default in _DEFAULTS.items():
        if key in prepared:
            prepared[key] = _to_integer(prepared[key], default, early)
    if "percentile" in prepared:
        prepared["percentile"] = _to_float(prepared["percentile"], early)
    return prepared


def _to_integer(value: Any, default: int | None, early: Variables) -> Any:
    if isinstance(value, bool) or not isinstance(value, str | float):
        return value
    text = resolve_early(value, early) if isinstance(value, str) else value
    try:
        return int(text)
    except (ValueError, OverflowError):
        return value if default is None else default


def _to_float(value: Any, early: Variables) -> Any:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return value
    try:
        return float(resolve_early(value, early) if isinstance(value, str) else value)
    except ValueError:
        return _DEFAULT_PERCENTILE
