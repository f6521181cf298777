"""What the health checks look at: plain facts, gathered elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memory.results import DatabaseState
from memory.types import Artefact, DiscussionRef, FileReport, ListFile, ObjectFile, TextFile


@dataclass(frozen=True, slots=True)
class FolderFacts:
    """What lies beside the files of a discussion and may be in their way."""

    leftovers: tuple[str, ...] = ()
    """Names of temp files that are older than a minute: a writer died."""
    case_variants: tuple[tuple[str, ...], ...] = ()
    """Groups of names that differ in letter case only (W13)."""
    ignored: Mapping[Artefact, tuple[str, ...]] = field(default_factory=dict)
    """Files of other generations that are not used because a better one exists (memory.md §3.6)."""
    links_out: tuple[str, ...] = ()
    """Symbolic links that lead out of the folder."""


@dataclass(frozen=True, slots=True)
class RootFacts:
    """What can be said of the discussions folder as a whole."""

    path: str
    problem: str | None = None
    """Why it cannot be listed."""
    leftovers: tuple[str, ...] = ()
    case_variants: tuple[tuple[str, ...], ...] = ()
    """Entries that differ in letter case only: other systems cannot keep them apart."""


@dataclass(frozen=True, slots=True)
class DatabaseFacts:
    """What is in the vector database, and what does not fit together."""

    state: DatabaseState = DatabaseState.ABSENT
    problem: str | None = None
    damage: str | None = None
    """What SQLite's own check says of the file."""
    memory_count: int = 0
    memories_without_index: int = 0
    index_rows_without_memory: int = 0
    index_rows_that_differ: int = 0
    embeddings_without_memory: int = 0
    embedding_counts: Mapping[str, int] = field(default_factory=dict)
    memories_without_embedding: Mapping[str, int] = field(default_factory=dict)
    """Embedding model → memories it has no vector for."""
    mixed_dimensions: tuple[str, ...] = ()
    """Embedding models with vectors of several lengths."""
    bad_vectors: int = 0
    unreadable_metadata: int = 0
    repeated_log_hashes: int = 0
    schema_generation: str = ""
    unlogged_trackers: int = 0
    """Rows of the first generation's tracker whose discussion has no row in the hash log."""


@dataclass(frozen=True, slots=True)
class HealthFacts:
    """Everything the checks of one discussion look at."""

    ref: DiscussionRef
    files: tuple[FileReport, ...]
    folder: FolderFacts
    memories: ListFile
    summary: ListFile
    condensation: ObjectFile
    state_document: TextFile
    state_document_backup: TextFile
    database: DatabaseFacts
