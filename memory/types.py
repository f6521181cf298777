"""The values that stores give, rules work on and pages show. Frozen, without behaviour beyond reading them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, NewType

DiscussionId = NewType("DiscussionId", str)
"""The name a chat front end gave to one conversation, exactly as written (memory.md §2)."""

KeyHash = NewType("KeyHash", str)
"""First 16 hex digits of SHA-256 of an API key: the folder that key's discussions live in (memory.md §5)."""

ApiKey = NewType("ApiKey", str)
"""A bearer key in the clear. Never stored, logged or shown."""


@dataclass(frozen=True, slots=True, order=True)
class DiscussionRef:
    """Names one discussion in one public folder: its id and, if it was kept under an API key, that key's hash."""

    discussion_id: DiscussionId
    key_hash: KeyHash | None = None

    @property
    def text(self) -> str:
        """One text for URLs and tables: `id`, or `keyhash:id` (an id never contains a colon)."""
        return f"{self.key_hash}:{self.discussion_id}" if self.key_hash else self.discussion_id

    @classmethod
    def parse(cls, text: str) -> DiscussionRef:
        """The reverse of `text`; does not check that the discussion exists or is safe."""
        key_hash, colon, discussion_id = text.partition(":")
        if colon:
            return cls(DiscussionId(discussion_id), KeyHash(key_hash))
        return cls(DiscussionId(text))


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message as the memory layer receives it (memory.md §1).

    `content` is None only when the message has no content at all, which is an error for hashing.
    """

    role: str
    content: str | None
    images: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The content, empty when there is none (W30)."""
        return self.content or ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One element of a ledger, a summary or a compactor file: a text and the hash of a message (memory.md §4)."""

    text: str
    hash: str


class Artefact(StrEnum):
    """The files of one discussion. The value is the current base name without its ending (memory.md §3.3)."""

    MEMORIES = "memories"
    SUMMARY = "chat_summary"
    CONDENSATION_TRACKER = "condensation_tracker"
    TIMESTAMPS = "timestamps"
    VISION_RESPONSES = "vision_responses"
    COMPACTOR_OLD = "context_compactor_old"
    COMPACTOR_OLDEST = "context_compactor_oldest"
    STATE_DOCUMENT = "state_document"
    STATE_DOCUMENT_BACKUP = "state_document_backup"
    VECTOR_MEMORY = "vector_memory"


class FileState(StrEnum):
    """What can be said of a file without changing anything."""

    PRESENT = "present"
    EMPTY = "empty"
    ABSENT = "absent"
    DAMAGED = "damaged"
    LOCKED = "locked"
    """Encrypted, and the key is missing or wrong (traps E1)."""
    UNREADABLE = "unreadable"
    """The operating system refuses, or the file is a link out of the root."""
    TOO_LARGE = "too-large"


class Generation(StrEnum):
    """Which naming a file follows (memory.md §3.4)."""

    NESTED = "nested"
    GUIDE_NESTED = "guide-nested"
    FLAT = "flat"
    GUIDE_FLAT = "guide-flat"
    LEGACY_PUBLIC = "legacy-public"


@dataclass(frozen=True, slots=True)
class FileStat:
    """What one `stat` call tells of a file: enough to notice a change, without reading it."""

    size_bytes: int
    modified_ns: int
    inode: int
    mode: int


@dataclass(frozen=True, slots=True)
class FileReport:
    """One file of a discussion as it is now."""

    artefact: Artefact
    path: Path
    generation: Generation
    state: FileState
    stat: FileStat | None = None
    etag: str | None = None
    """SHA-256 of the bytes; None when absent or not readable."""
    is_encrypted: bool = False
    problem: str | None = None
    """What kind of damage and where, and how to mend it, for people."""
    problem_line: int | None = None
    problem_column: int | None = None


@dataclass(frozen=True, slots=True)
class ListFile:
    """A ledger, summary or compactor file, read: its entries and how it stood on disk."""

    report: FileReport
    entries: tuple[Entry, ...] = ()
    skipped: tuple[str, ...] = ()
    """One sentence for each element that is not an entry and was left out (W07)."""


@dataclass(frozen=True, slots=True)
class ObjectFile:
    """A JSON object file (timestamps, tracker, vision cache), read."""

    report: FileReport
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TextFile:
    """The state document or its backup, read. `text` is empty unless the state is present."""

    report: FileReport
    text: str = ""


@dataclass(frozen=True, slots=True)
class VectorMemory:
    """One row of the vector database."""

    id: int
    discussion_id: str
    text: str
    date_added: str
    """As stored: UTC, ISO 8601 (memory.md §6)."""
    metadata: Mapping[str, Any]
    """The stored object; empty when `metadata_problem` says why it cannot be read."""
    metadata_json: str | None = None
    metadata_problem: str | None = None
    embedding_models: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The title as text; empty when there is none."""
        value = self.metadata.get("title")
        return "" if value is None else str(value)

    def listed(self, key: str) -> tuple[str, ...]:
        """`entities`, `key_phrases` or `topics` as texts, whatever form they were stored in."""
        value = self.metadata.get(key)
        if isinstance(value, list):
            return tuple(str(item) for item in value)
        return () if value in (None, "", False) else (str(value),)


@dataclass(frozen=True, slots=True)
class ProgressHash:
    """One row that says how far vector memory has got: a hash log row, or the first-generation tracker."""

    message_hash: str
    timestamp: str
    row_id: int | None
    """None for the row of `vector_memory_tracker`."""
