"""The memory settings document as values, with every default of memory.md §9."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from memory.engine.tokens import level_factor, scale_threshold

DEFAULT_MEMORY_SETTINGS_NAME = "_DiscussionId-MemoryFile-Workflow-Settings"
"""What the settings document is customarily called."""
DEFAULT_LOOKBACK = 3
DEFAULT_CHUNK_SIZE = 1000
DEFAULT_MESSAGES_BETWEEN_CHUNKS = 5
DEFAULT_FILE_ANSWER_TOKENS = 400
DEFAULT_CONDENSATION_ANSWER_TOKENS = 500
DEFAULT_VECTOR_ANSWER_TOKENS = 1024
DEFAULT_LOCK_TIMEOUT_SECONDS = 600.0
DEFAULT_BACKFILL = 20
DEFAULT_RETENTION_RATIO = 0.5


@dataclass(frozen=True, slots=True)
class Thresholds:
    """When one path of the writer starts, and how large its chunks are."""

    configured_chunk_size: int
    factor: float
    max_messages: int
    lookback: int

    @property
    def chunk_size(self) -> int:
        """The effective size: token threshold and size for packing."""
        return scale_threshold(self.configured_chunk_size, self.factor)


@dataclass(frozen=True, slots=True)
class Target:
    """Which endpoint answers, with which preset and how many tokens at most."""

    endpoint: str
    preset: str
    max_tokens: int


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """One memory settings document. `values` is the whole JSON object, unknown keys included."""

    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def uses_vector_memory(self) -> bool:
        """Whether `QualityMemory` writes vector memories."""
        return bool(self.values.get("useVectorForQualityMemory"))

    @property
    def file_thresholds(self) -> Thresholds:
        """Thresholds of the file path."""
        return Thresholds(
            self._int("chunkEstimatedTokenSize", DEFAULT_CHUNK_SIZE),
            self._factor(),
            self._int("maxMessagesBetweenChunks", DEFAULT_MESSAGES_BETWEEN_CHUNKS),
            self._int("lookbackStartTurn", DEFAULT_LOOKBACK),
        )

    @property
    def vector_thresholds(self) -> Thresholds:
        """Thresholds of the vector path; `vectorMemoryLookBackTurns` counts when `lookbackStartTurn` is absent."""
        old = self._int("vectorMemoryLookBackTurns", DEFAULT_LOOKBACK)
        return Thresholds(
            self._int("vectorMemoryChunkEstimatedTokenSize", DEFAULT_CHUNK_SIZE),
            self._factor(),
            self._int("vectorMemoryMaxMessagesBetweenChunks", DEFAULT_MESSAGES_BETWEEN_CHUNKS),
            self._int("lookbackStartTurn", old),
        )

    @property
    def file_target(self) -> Target:
        """The model of file memories in a direct call."""
        size = self._int("maxResponseSizeInTokens", DEFAULT_FILE_ANSWER_TOKENS)
        return Target(self.text("endpointName"), self.text("preset"), size)

    @property
    def vector_target(self) -> Target:
        """The model of vector memories in a direct call."""
        return Target(
            self.text("vectorMemoryEndpointName") or self.text("endpointName"),
            self.text("vectorMemoryPreset") or self.text("preset"),
            self._int("vectorMemoryMaxResponseSizeInTokens", DEFAULT_VECTOR_ANSWER_TOKENS),
        )

    @property
    def condensation_target(self) -> Target:
        """The model of condensation."""
        general = self._int("maxResponseSizeInTokens", DEFAULT_CONDENSATION_ANSWER_TOKENS)
        return Target(
            self.text("condenseMemoriesEndpointName") or self.text("endpointName"),
            self.text("condenseMemoriesPreset") or self.text("preset"),
            self._int("condenseMemoriesMaxResponseSizeInTokens", general),
        )

    @property
    def condenses(self) -> bool:
        """Whether file memories are condensed."""
        return bool(self.values.get("condenseMemories"))

    @property
    def memories_before_condensation(self) -> int | None:
        """The batch size of a condensation; None when it is missing, which is an error of the settings."""
        return as_int(self.values.get("memoriesBeforeCondensation"))

    @property
    def condensation_buffer(self) -> int:
        """How many newer memories stay as they are."""
        return self._int("memoryCondensationBuffer", 0)

    @property
    def lock_timeout_seconds(self) -> float:
        """How long a run waits for the discussion; -1 = for ever."""
        value = self.values.get("condensationLockTimeoutSeconds", DEFAULT_LOCK_TIMEOUT_SECONDS)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return DEFAULT_LOCK_TIMEOUT_SECONDS
        return float(value) if value > 0 else -1.0

    @property
    def backfill_size(self) -> int:
        """How many older memories are embedded along with a chunk; 0 = off."""
        value = self.values.get("embeddingBackfillBatchSize", DEFAULT_BACKFILL)
        return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0

    @property
    def retention_ratio(self) -> Any:
        """How much of a state document a new one must keep, as it is set; falsy = guard off."""
        return self.values.get("stateDocumentMinRetentionRatio", DEFAULT_RETENTION_RATIO)

    @property
    def uses_state_document(self) -> bool:
        """Whether a state document is kept."""
        return bool(self.values.get("useStateDocument"))

    @property
    def indexes_topics(self) -> bool:
        """Whether topics are searched along with key phrases."""
        return bool(self.values.get("vectorMemoryIndexTopics"))

    def text(self, key: str) -> str:
        """A text setting; empty when absent or not text."""
        value = self.values.get(key)
        return value if isinstance(value, str) else ""

    def _int(self, key: str, default: int) -> int:
        number = as_int(self.values.get(key))
        return default if number is None else number

    def _factor(self) -> float:
        return level_factor(self.values.get("wilmerContextEstimationLevel"))


def as_int(value: Any) -> int | None:
    """A setting as whole number: numbers and texts of digits; None for anything else."""
    if isinstance(value, bool):
        return None
    is_digits = isinstance(value, str) and value.strip().lstrip("-").isdecimal()
    try:
        return int(value) if is_digits or isinstance(value, int | float) else None
    except (ValueError, OverflowError):  # infinite, no number, `--5`, or more digits than Python takes
        return None
