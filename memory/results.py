"""What queries give to pages, API and commands. Frozen values, ready to be shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from memory.types import (
    ApiKey,
    Artefact,
    DiscussionId,
    DiscussionRef,
    FileReport,
    FileState,
    Generation,
    KeyHash,
    ProgressHash,
    VectorMemory,
)

ApiKeys = Mapping[KeyHash, ApiKey]
"""The keys a person has unlocked for this sign-in, or sent with this request."""


class HealthLevel(StrEnum):
    """How bad a finding is."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """One check of one discussion: what was looked at, what was found, what to do."""

    code: str
    """Stable, kebab case, e.g. `fts-orphans`."""
    level: HealthLevel
    title: str
    evidence: str
    advice: str = ""
    count: int = 0
    """How many things are affected; 0 when all is well."""
    artefact: Artefact | None = None


@dataclass(frozen=True, slots=True)
class DiscussionCard:
    """One row of the catalogue: a discussion as it was when its files were last looked at."""

    ref: DiscussionRef
    generation: Generation
    is_encrypted: bool
    """At least one file is a Fernet token, so the key is needed."""
    chunk_count: int | None
    """None when it cannot be known: locked, damaged, unreadable."""
    memory_count: int | None
    summary_behind: int | None
    """Chunks newer than the rolling summary; None without summary or when its link is lost."""
    has_summary: bool
    has_state_document: bool
    size_bytes: int
    last_write: datetime | None
    """Newest modification time of any of its files, aware, UTC."""
    health: HealthLevel
    problem_count: int
    file_states: Mapping[Artefact, FileState] = field(default_factory=dict)

    @property
    def discussion_id(self) -> DiscussionId:
        """The id a chat front end uses."""
        return self.ref.discussion_id


@dataclass(frozen=True, slots=True)
class DiscussionHeader:
    """The strip above every tab of a discussion. Read fresh from disk, not from the catalogue."""

    card: DiscussionCard
    files: tuple[FileReport, ...]
    is_locked: bool
    """Encrypted and not unlocked by the keys at hand."""
    is_unlocked: bool
    """Encrypted, and a key at hand opens it."""
    version: str
    """Changes whenever any file of the discussion changes; for live notices."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """One ledger entry with what can be said of it."""

    number: int
    """1-based position in the ledger; 1 is the oldest."""
    text: str
    hash: str
    token_estimate: int
    is_condensed: bool
    """At or before the condensation tracker's position."""
    is_in_summary: bool
    """At or before the entry the rolling summary is linked to."""
    same_hash_as: tuple[int, ...] = ()
    """Numbers of other chunks with the same hash (traps F4)."""


class SummaryLink(StrEnum):
    """Whether the rolling summary knows how far it reaches (traps F7)."""

    LINKED = "linked"
    LOST = "lost"
    """Its hash names no chunk: all memories would be fed in again."""
    NO_SUMMARY = "no-summary"
    NO_CHUNKS = "no-chunks"


@dataclass(frozen=True, slots=True)
class Summary:
    """The rolling summary and its place in the ledger."""

    report: FileReport
    text: str
    hash: str
    link: SummaryLink
    token_estimate: int
    covered_chunks: int
    total_chunks: int
    behind: int | None
    version: str = ""
    """Changes with the text or the link; empty when there is no summary."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """The memories file as a whole, without its texts: state and counts."""

    report: FileReport
    total: int
    skipped: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    """Chunks per filter of `list_chunks`: condensed, in-summary, not-in-summary, same-hash."""


@dataclass(frozen=True, slots=True)
class HashMeaning:
    """A stored hash and what it points at."""

    hash: str
    chunk_numbers: tuple[int, ...]
    timestamp: str | None
    """The time `timestamps.json` holds for the same message, as stored."""


@dataclass(frozen=True, slots=True)
class Trackers:
    """Everything that says how far memory has got."""

    condensation: HashMeaning | None
    condensation_report: FileReport
    progress: tuple[tuple[ProgressHash, HashMeaning], ...]
    """Hash log rows by descending id, then the first-generation tracker (memory.md §6)."""
    progress_total: int
    timestamps_report: FileReport
    timestamp_count: int
    has_pending_timestamp: bool
    compactor: tuple[tuple[FileReport, str], ...]
    """Compactor files and their texts."""
    vision_report: FileReport
    vision_count: int
    log_version: str = ""
    """Changes with the hash log."""


@dataclass(frozen=True, slots=True)
class StateDocument:
    """The state document and its backup, raw."""

    report: FileReport
    text: str
    token_estimate: int
    backup_report: FileReport
    backup_text: str


class DatabaseState(StrEnum):
    """The four kinds of nothing, and of something (traps V8)."""

    READY = "ready"
    ABSENT = "absent"
    NOTHING_STORED = "nothing-stored"
    """No file, an empty file, or no rows."""
    INDEX_BROKEN = "index-broken"
    """The memories table is there, the search table is missing or corrupt."""
    UNREADABLE = "unreadable"
    """Not a database, corrupt, locked, or refused by the operating system."""


@dataclass(frozen=True, slots=True)
class VectorStore:
    """The vector database as a whole."""

    report: FileReport
    state: DatabaseState
    problem: str | None
    memory_count: int
    embedding_counts: Mapping[str, int]
    """Rows per embedding model."""
    schema_generation: str
    """`tracker`, `hash-log` or `embeddings` (traps V9); empty when unknown."""


class SearchMode(StrEnum):
    """How hits are found (memory.md §14.3). Exact text is ours alone (W19)."""

    KEYWORD = "keyword"
    EXACT_TEXT = "exact-text"


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What a person asks for. `query` is split at semicolons exactly as WilmerAI does."""

    query: str
    limit: int = 15
    weights: tuple[float, ...] | None = None
    """Five: title, summary, entities, key phrases, memory text."""
    use_recency: bool = False
    expand_entities: bool = False
    mode: SearchMode = SearchMode.KEYWORD


@dataclass(frozen=True, slots=True)
class KeywordShare:
    """What one keyword gave to the score of one hit (traps V10)."""

    keyword: str
    score: float
    """Negative or zero, as bm25; all shares add up to the hit's bm25 score."""
    column_hits: Mapping[str, int]
    """Occurrences per column, only where there are some."""


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One memory found, and why."""

    discussion: DiscussionRef
    memory: VectorMemory
    rank: int
    score: float
    """bm25 × recency; smaller is better. 0 for exact-text hits."""
    bm25: float
    recency_factor: float
    shares: tuple[KeywordShare, ...]
    is_expansion: bool = False
    """Found by entity expansion rather than by the query."""


@dataclass(frozen=True, slots=True)
class SearchWarning:
    """Something about the query that surprises people (traps V6, V7)."""

    code: str
    message: str
    keyword: str | None = None
    discussions: tuple[DiscussionRef, ...] = ()
    """Those it is true of, when it depends on what is stored; empty: it is about the query alone."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The answer to one search in one discussion, or across several."""

    request: SearchRequest
    keywords: tuple[str, ...]
    """The terms after splitting and cutting to 60."""
    match_text: str
    """The literal FTS5 expression; empty when there is nothing to ask."""
    hits: tuple[SearchHit, ...]
    warnings: tuple[SearchWarning, ...]
    matched: int
    """How many memories match at all, whatever the limit."""
    searched: int
    """How many memories were searched."""
    state: DatabaseState
    """When there are no hits: which kind of nothing."""
    problems: tuple[tuple[DiscussionRef, str], ...] = ()
    """Discussions that could not be searched, and why."""


@dataclass(frozen=True, slots=True)
class Overview:
    """What the home page says of the whole folder."""

    public_folder: str
    user: str
    discussion_count: int
    locked_count: int
    problem_count: int
    chunk_count: int
    memory_count: int
    last_writes: tuple[DiscussionCard, ...]
    worst: tuple[DiscussionCard, ...]
    config_counts: Mapping[str, int]
    """Files per kind below the configs folder."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DiscussionFilter:
    """Which discussions to list, in which order. All of it travels in the URL."""

    text: str = ""
    """Part of the id, letter case ignored."""
    chips: tuple[str, ...] = ()
    """Conditions that must all hold: locked, plain, problems, summary-behind, has-vector, has-state, keyed, legacy."""
    sort: str = "-last_write"
    """last_write, id, chunks, memories, size, health; a minus in front reverses."""


@dataclass(frozen=True, slots=True)
class RawFile:
    """A file as it is on disk, for showing damage: text decoded with replacement characters, cut at a limit."""

    report: FileReport
    text: str
    is_cut: bool
    details: Mapping[str, Any] = field(default_factory=dict)
