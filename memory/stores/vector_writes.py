"""Every change to a vector database: all places of a memory in one short transaction (traps V1-V5, memory.md W36).

A memory lives in `memories`, `memories_fts` and `memory_embeddings`; nothing here touches one without the others.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memory.engine.versions import memory_version
from memory.errors import MemoryNotFoundError
from memory.stores.vector_index_row import UnstorableMemoryError, build_index_row, build_memory_text, format_metadata
from memory.stores.vector_metadata import parse_metadata
from memory.stores.vector_rows import (
    StoredMemory,
    insert_memory,
    put_index_row,
    put_memory,
    read_stored_memory,
    remove_memory,
)
from memory.stores.vector_schema import create_missing_tables, list_tables
from memory.stores.vector_state import reading, translate_error
from memory.types import DiscussionId
from wilmer_site.lib.errors import ConflictError, NotFoundError
from wilmer_site.lib.sqlite import WRITE_TIMEOUT_SECONDS, write_transaction


class MemoryChangedError(ConflictError):
    """The memory is no longer what the caller saw. `extra` has `text` and `metadata_json` as they are now."""

    code = "memory-changed"


@dataclass(frozen=True, slots=True)
class NewMemory:
    """A memory to be stored: its text (normally the metadata's `summary`) and the complete metadata object."""

    text: Any
    metadata: Any


@dataclass(frozen=True, slots=True)
class MemoryBatch:
    """The memories of one chunk, stored together."""

    memories: tuple[NewMemory, ...]
    message_hash: str | None = None
    """Logged as progress if at least one memory could be stored; None logs nothing."""
    index_topics: bool = False
    """The setting `vectorMemoryIndexTopics`."""


@dataclass(frozen=True, slots=True)
class AddedMemories:
    """What came of storing a batch."""

    ids: tuple[int, ...]
    refused: tuple[tuple[int, str], ...] = ()
    """Position in the batch, and why that memory cannot be stored (memory.md §13)."""
    log_row_id: int | None = None


@dataclass(frozen=True, slots=True)
class MemoryChange:
    """What a memory shall be from now on."""

    text: str
    metadata: Mapping[str, Any]
    """Its `summary` is set to the text when the change is made."""
    expected_version: str | None = None
    """`memory_version` of what the caller saw; None overwrites whatever is there."""
    index_topics: bool | None = None
    """The setting `vectorMemoryIndexTopics`; None keeps the way the memory is indexed now."""


@contextlib.contextmanager
def changing(path: Path, *, timeout_seconds: float = WRITE_TIMEOUT_SECONDS) -> Iterator[sqlite3.Connection]:
    """One short `BEGIN IMMEDIATE` on a database whose missing tables are made first; SQLite's errors put into words.

    Opening for a write also undoes an interrupted one. Raises DatabaseBusyError, DamagedFileError or
    FileUnreadableError; then nothing was changed.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with write_transaction(path, timeout_seconds=timeout_seconds) as connection:
            create_missing_tables(connection)
            yield connection
    except sqlite3.Error as error:
        raise translate_error(error, path) from error


def create_database(path: Path) -> None:
    """Make the missing tables, as the writer does whenever it opens a database (memory.md §6)."""
    with changing(path):
        pass


def undo_interrupted_write(path: Path) -> None:
    """Roll back what a killed writer left half done; until then the database can only be written, not read.

    Raises as `changing`. Does nothing, and creates nothing, where no journal lies beside the database.
    """
    if path.exists() and path.with_name(f"{path.name}-journal").exists():
        with changing(path):
            pass


def add_memories(path: Path, discussion_id: DiscussionId, batch: MemoryBatch, *, now: datetime) -> AddedMemories:
    """Store the memories of one chunk and, if at least one could be stored, its log row, in one transaction (W36).

    A memory that the rules refuse is left out and named in the result; the others are stored. `now` is aware.
    """
    date = now.astimezone(UTC).isoformat()
    prepared, refused = _prepare(batch)
    if not prepared:
        return AddedMemories((), refused)
    with changing(path) as connection:
        ids = []
        for text, metadata_json, index_row in prepared:
            memory_id = insert_memory(connection, (discussion_id, text, date, metadata_json))
            put_index_row(connection, memory_id, index_row)
            ids.append(memory_id)
        log_row_id = _log(connection, discussion_id, batch.message_hash, date) if batch.message_hash else None
    return AddedMemories(tuple(ids), refused, log_row_id)


def edit_memory(path: Path, memory_id: int, change: MemoryChange) -> StoredMemory:
    """Change one memory in all its places (traps V4) and return it as it was before, for undoing.

    Its vectors are removed when its text changes, because they describe the old one. Raises MemoryNotFoundError,
    UnstorableMemoryError, or MemoryChangedError if it is no longer the expected version.
    """
    metadata = {**change.metadata, "summary": change.text}
    metadata_json = format_metadata(metadata)
    _require_file(path, memory_id)
    with changing(path) as connection:
        before = read_stored_memory(connection, memory_id)
        if change.expected_version not in (None, memory_version(before.text, before.metadata_json)):
            raise MemoryChangedError(
                f"Vector memory {memory_id} was changed by somebody else since you opened it.",
                text=before.text,
                metadata_json=before.metadata_json,
            )
        topics = _indexes_topics(before) if change.index_topics is None else change.index_topics
        index_row = build_index_row(change.text, metadata, index_topics=topics)
        connection.execute(
            "UPDATE memories SET memory_text = ?, metadata_json = ? WHERE id = ?",
            (change.text, metadata_json, memory_id),
        )
        put_index_row(connection, memory_id, index_row)
        if change.text != before.text:
            connection.execute("DELETE FROM memory_embeddings WHERE memory_id = ?", (memory_id,))
    return before


def delete_memories(path: Path, memory_ids: Sequence[int]) -> tuple[StoredMemory, ...]:
    """Remove memories from all three tables in one transaction and return them for putting back (traps V1, V2).

    Raises MemoryNotFoundError for an id that is not there; then nothing is removed.
    """
    ids = list(dict.fromkeys(memory_ids))
    if not ids:
        return ()
    _require_file(path, ids[0])
    with changing(path) as connection:
        removed = tuple(read_stored_memory(connection, memory_id) for memory_id in ids)
        for memory_id in ids:
            remove_memory(connection, memory_id)
    return removed


def restore_memory(path: Path, memory: StoredMemory, *, replace: bool = False) -> None:
    """Put a memory back under its own id, with its search row and vectors.

    Raises MemoryChangedError when the id is taken by another memory, unless `replace`.
    """
    with changing(path) as connection:
        taken = connection.execute("SELECT memory_text, metadata_json FROM memories WHERE id = ?", (memory.id,))
        row = taken.fetchone()
        if row is not None and not replace:
            raise MemoryChangedError(
                f"The id {memory.id} belongs to another memory by now, so the old one cannot be put back there.",
                text=row[0],
                metadata_json=row[1],
            )
        put_memory(connection, memory)


def get_stored_memory(path: Path, memory_id: int) -> StoredMemory:
    """One memory with everything that belongs to it; raises MemoryNotFoundError. Changes nothing."""
    _require_file(path, memory_id)
    with reading(path) as connection:
        if "memories" not in list_tables(connection):
            raise MemoryNotFoundError(f"There is no vector memory {memory_id}.", id=memory_id)
        return read_stored_memory(connection, memory_id)


def log_progress(path: Path, discussion_id: DiscussionId, message_hash: str, *, now: datetime) -> int:
    """Append one row to the hash log and return its id. `now` is aware."""
    with changing(path) as connection:
        return _log(connection, discussion_id, message_hash, now.astimezone(UTC).isoformat())


def delete_progress(path: Path, discussion_id: DiscussionId, *, row_ids: Sequence[int], tracker: bool = False) -> int:
    """Remove log rows of this discussion, and its first-generation tracker row if asked; returns how many went."""
    if not path.exists():
        return 0
    with changing(path) as connection:
        statement = "DELETE FROM vector_memory_hash_log WHERE id = ? AND discussion_id = ?"
        gone = sum(connection.execute(statement, (row_id, discussion_id)).rowcount for row_id in row_ids)
        if tracker and "vector_memory_tracker" in list_tables(connection):
            statement = "DELETE FROM vector_memory_tracker WHERE discussion_id = ?"
            gone += connection.execute(statement, (discussion_id,)).rowcount
    return gone


def _prepare(batch: MemoryBatch) -> tuple[list[tuple[Any, str, tuple[Any, ...]]], tuple[tuple[int, str], ...]]:
    """Everything that can be refused is refused before the transaction begins."""
    prepared: list[tuple[Any, str, tuple[Any, ...]]] = []
    refused = []
    for position, memory in enumerate(batch.memories):
        try:
            index_row = build_index_row(memory.text, memory.metadata, index_topics=batch.index_topics)
            prepared.append((build_memory_text(memory.text), format_metadata(memory.metadata), index_row))
        except UnstorableMemoryError as error:
            refused.append((position, error.message))
    return prepared, tuple(refused)


def _log(connection: sqlite3.Connection, discussion_id: str, message_hash: str, date: str) -> int:
    statement = "INSERT INTO vector_memory_hash_log (discussion_id, message_hash, timestamp) VALUES (?, ?, ?)"
    return int(connection.execute(statement, (discussion_id, message_hash, date)).lastrowid or 0)


def _indexes_topics(memory: StoredMemory) -> bool:
    """Whether the present search row holds the topics as well."""
    metadata, _ = parse_metadata(memory.metadata_json)
    if memory.index_row is None or not metadata.get("topics"):
        return False
    try:
        return bool(build_index_row(memory.text, metadata, index_topics=True)[3] == memory.index_row[3])
    except UnstorableMemoryError:
        return False


def _require_file(path: Path, memory_id: int) -> None:
    """A change to something that must exist never creates a database."""
    try:
        if path.stat().st_size:
            return
    except FileNotFoundError:
        pass
    except OSError as error:
        raise NotFoundError(f"{path.name} cannot be opened: {error.strerror}.", file=path.name) from None
    raise MemoryNotFoundError(f"There is no vector memory {memory_id}: nothing is stored.", id=memory_id)
