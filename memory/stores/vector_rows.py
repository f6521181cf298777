"""The rows of one memory in all its tables, inside a transaction that somebody else opened."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memory.errors import MemoryNotFoundError
from memory.stores.vector_index_row import INDEX_INSERT_SQL
from memory.stores.vector_schema import FTS_COLUMNS, list_tables

_FIND_INDEX_ROW = f"SELECT {', '.join(FTS_COLUMNS)} FROM memories_fts WHERE rowid = ?"


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """One memory with everything that belongs to it, byte for byte, so that it can be put back."""

    id: int
    discussion_id: str
    text: str
    date_added: str
    metadata_json: str | None
    index_row: tuple[Any, ...] | None = None
    """Its five search columns; None when it has no search row."""
    embeddings: tuple[tuple[str, int, bytes], ...] = ()
    """Model, dimensions and blob of each vector."""


def insert_memory(connection: sqlite3.Connection, values: Sequence[Any]) -> int:
    """Add a row to `memories` (discussion id, text, date, metadata) and return its id.

    Ids are used again after the highest row was deleted (V1), so leftovers under the new id are removed.
    """
    statement = "INSERT INTO memories (discussion_id, memory_text, date_added, metadata_json) VALUES (?, ?, ?, ?)"
    memory_id = int(connection.execute(statement, tuple(values)).lastrowid or 0)
    _remove_leftovers(connection, memory_id)
    return memory_id


def put_index_row(connection: sqlite3.Connection, memory_id: int, index_row: Sequence[Any]) -> None:
    """Write the search row of a memory, in place of an older one."""
    connection.execute("DELETE FROM memories_fts WHERE rowid = ?", (memory_id,))
    connection.execute(INDEX_INSERT_SQL, (memory_id, *index_row))


def read_stored_memory(connection: sqlite3.Connection, memory_id: int) -> StoredMemory:
    """All rows of one memory; raises MemoryNotFoundError."""
    statement = "SELECT id, discussion_id, memory_text, date_added, metadata_json FROM memories WHERE id = ?"
    row = connection.execute(statement, (memory_id,)).fetchone() if abs(memory_id) < 2**63 else None
    if row is None:
        raise MemoryNotFoundError(f"There is no vector memory {memory_id}.", id=memory_id)
    tables = list_tables(connection)
    index_row = connection.execute(_FIND_INDEX_ROW, (memory_id,)).fetchone() if "memories_fts" in tables else None
    embeddings: list[Any] = []
    if "memory_embeddings" in tables:
        statement = "SELECT model, dim, vector FROM memory_embeddings WHERE memory_id = ? ORDER BY model"
        embeddings = connection.execute(statement, (memory_id,)).fetchall()
    return StoredMemory(
        id=row[0],
        discussion_id=row[1],
        text=str(row[2]),
        date_added=str(row[3]),
        metadata_json=row[4],
        index_row=None if index_row is None else tuple(index_row),
        embeddings=tuple((str(model), int(dim), bytes(vector)) for model, dim, vector in embeddings),
    )


def put_memory(connection: sqlite3.Connection, memory: StoredMemory) -> None:
    """Write all rows of a memory under its own id, in place of whatever is there."""
    remove_memory(connection, memory.id)
    statement = (
        "INSERT INTO memories (id, discussion_id, memory_text, date_added, metadata_json) VALUES (?, ?, ?, ?, ?)"
    )
    values = (memory.id, memory.discussion_id, memory.text, memory.date_added, memory.metadata_json)
    connection.execute(statement, values)
    if memory.index_row is not None:
        connection.execute(INDEX_INSERT_SQL, (memory.id, *memory.index_row))
    connection.executemany(
        "INSERT INTO memory_embeddings (memory_id, model, dim, vector) VALUES (?, ?, ?, ?)",
        [(memory.id, *embedding) for embedding in memory.embeddings],
    )


def remove_memory(connection: sqlite3.Connection, memory_id: int) -> None:
    """Delete all rows of a memory; ids without rows are no error."""
    connection.execute("DELETE FROM memories WHERE id = ?", (memory_id,))
    _remove_leftovers(connection, memory_id)


def _remove_leftovers(connection: sqlite3.Connection, memory_id: int) -> None:
    connection.execute("DELETE FROM memories_fts WHERE rowid = ?", (memory_id,))
    connection.execute("DELETE FROM memory_embeddings WHERE memory_id = ?", (memory_id,))
