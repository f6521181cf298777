"""Rows of a vector database read as they are, and put back as they once were."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from memory.errors import MemoryNotFoundError
from memory.stores.journaling import RowState
from memory.stores.vector_rows import (
    StoredMemory,
    insert_memory,
    put_index_row,
    put_memory,
    read_stored_memory,
    remove_memory,
)
from memory.stores.vector_schema import list_tables
from memory.stores.vector_state import reading
from memory.stores.vector_writes import MemoryChangedError, changing
from memory.types import DiscussionId
from wilmer_site.lib.errors import NotFoundError

BATCH = 100
"""So many memories go into one transaction, which keeps it in milliseconds (traps V5)."""

_IDS_AT_ONCE = 500

_LOG_COLUMNS = "id, discussion_id, message_hash, timestamp"


@dataclass(frozen=True, slots=True)
class Exchange:
    """Rows to be put in the place of others."""

    wanted: RowState
    """What shall be there afterwards."""
    seen: RowState
    """What was there when the caller decided; other rows raise MemoryChangedError."""
    log_ids: tuple[int | None, ...] = ()
    """Log rows that this is about; those that `wanted` does not have are removed."""
    taken: frozenset[int] = frozenset()
    """Ids that were given to another memory by now: that one stays, and the old one gets a new id."""


def read_rows(
    path: Path, discussion_id: DiscussionId, ids: Iterable[int], log_ids: Iterable[int | None] = ()
) -> RowState:
    """These memories and log rows as they are now; an absent database has none. Changes nothing."""
    wanted, logs = list(dict.fromkeys(ids)), list(dict.fromkeys(log_ids))
    try:
        with reading(path) as connection:
            return _read(connection, discussion_id, wanted, logs)
    except NotFoundError:
        return RowState((), tuple(wanted))


def read_progress(path: Path, discussion_id: DiscussionId) -> tuple[Mapping[str, Any], ...]:
    """All log rows of a discussion by id, and the tracker's row if there is one."""
    try:
        with reading(path) as connection:
            return _read_log(connection, discussion_id, None)
    except NotFoundError:
        return ()


def list_memory_dates(path: Path) -> tuple[tuple[int, str], ...]:
    """Id and stored date of every memory, by id; empty without a database."""
    try:
        with reading(path) as connection:
            if "memories" not in list_tables(connection):
                return ()
            rows = connection.execute("SELECT id, date_added FROM memories ORDER BY id")
            return tuple((int(row[0]), str(row[1])) for row in rows)
    except NotFoundError:
        return ()


def list_memory_texts(path: Path, ids: Iterable[int]) -> dict[int, tuple[str, str | None]]:
    """Text and metadata of these memories by id; those that are not there are left out."""
    wanted = list(ids)
    found: dict[int, tuple[str, str | None]] = {}
    try:
        with reading(path) as connection:
            if "memories" not in list_tables(connection):
                return {}
            for start in range(0, len(wanted), _IDS_AT_ONCE):
                part = wanted[start : start + _IDS_AT_ONCE]
                marks = ", ".join("?" * len(part))
                statement = f"SELECT id, memory_text, metadata_json FROM memories WHERE id IN ({marks})"
                found |= {int(row[0]): (str(row[1]), row[2]) for row in connection.execute(statement, part)}
    except NotFoundError:
        return {}
    return found


def exchange_rows(path: Path, discussion_id: DiscussionId, exchange: Exchange) -> RowState:
    """Put rows back, a hundred memories in each transaction, and return what is there now.

    Raises MemoryChangedError as soon as a row is not what was seen; what was put back before that stays.
    """
    seen = {memory.id: memory for memory in exchange.seen.memories}
    wanted = {memory.id: memory for memory in exchange.wanted.memories}
    ids = list(dict.fromkeys([*wanted, *exchange.wanted.absent]))
    put: list[int] = []
    for start in range(0, len(ids), BATCH):
        part = ids[start : start + BATCH]
        with changing(path) as connection:
            _check_seen(connection, part, seen)
            for memory_id in part:
                put.append(_put(connection, memory_id, wanted.get(memory_id), exchange))
    if exchange.log_ids or exchange.wanted.progress:
        with changing(path) as connection:
            _exchange_log(connection, discussion_id, exchange)
    return read_rows(path, discussion_id, [*ids, *put], exchange.log_ids)


def _read(
    connection: sqlite3.Connection, discussion_id: str, ids: Sequence[int], log_ids: Sequence[int | None]
) -> RowState:
    memories, absent = [], []
    has_memories = "memories" in list_tables(connection)
    for memory_id in ids:
        memory = _find(connection, memory_id) if has_memories else None
        if memory is None:
            absent.append(memory_id)
        else:
            memories.append(memory)
    log = _read_log(connection, discussion_id, log_ids) if log_ids else ()
    return RowState(tuple(memories), tuple(absent), log)


def _read_log(
    connection: sqlite3.Connection, discussion_id: str, log_ids: Sequence[int | None] | None
) -> tuple[Mapping[str, Any], ...]:
    tables, rows = list_tables(connection), []
    if "vector_memory_hash_log" in tables:
        statement = f"SELECT {_LOG_COLUMNS} FROM vector_memory_hash_log WHERE discussion_id = ? ORDER BY id"
        rows = [dict(row) for row in connection.execute(statement, (discussion_id,))]
    if "vector_memory_tracker" in tables:
        statement = (
            "SELECT NULL AS id, discussion_id, last_checked_message_hash AS message_hash, last_updated AS timestamp"
            " FROM vector_memory_tracker WHERE discussion_id = ?"
        )
        rows += [dict(row) for row in connection.execute(statement, (discussion_id,))]
    return tuple(row for row in rows if log_ids is None or row["id"] in log_ids)


def _find(connection: sqlite3.Connection, memory_id: int) -> StoredMemory | None:
    try:
        return read_stored_memory(connection, memory_id)
    except MemoryNotFoundError:
        return None


def _check_seen(connection: sqlite3.Connection, ids: Sequence[int], seen: Mapping[int, StoredMemory]) -> None:
    for memory_id in ids:
        found = _find(connection, memory_id)
        if found != seen.get(memory_id):
            raise MemoryChangedError(
                f"Vector memory {memory_id} was changed by somebody else just now. Look at it again.",
                text=found.text if found else "",
                metadata_json=found.metadata_json if found else None,
            )


def _put(connection: sqlite3.Connection, memory_id: int, memory: StoredMemory | None, exchange: Exchange) -> int:
    """Write or remove one memory; returns the id it has now."""
    if memory is None:
        remove_memory(connection, memory_id)
        return memory_id
    if memory_id in exchange.taken:
        values = (memory.discussion_id, memory.text, memory.date_added, memory.metadata_json)
        return _complete(connection, replace(memory, id=insert_memory(connection, values)))
    put_memory(connection, memory)
    return memory_id


def _complete(connection: sqlite3.Connection, memory: StoredMemory) -> int:
    """Give a row that was just inserted the search row and the vectors of the memory it holds; returns its id."""
    if memory.index_row is not None:
        put_index_row(connection, memory.id, memory.index_row)
    connection.executemany(
        "INSERT INTO memory_embeddings (memory_id, model, dim, vector) VALUES (?, ?, ?, ?)",
        [(memory.id, *embedding) for embedding in memory.embeddings],
    )
    return memory.id


def _exchange_log(connection: sqlite3.Connection, discussion_id: str, exchange: Exchange) -> None:
    found = _read_log(connection, discussion_id, exchange.log_ids)
    if list(found) != list(exchange.seen.progress):
        raise MemoryChangedError("The hash log was changed by somebody else just now. Look at it again.")
    for row_id in exchange.log_ids:
        _remove_log_row(connection, discussion_id, row_id)
    for row in exchange.wanted.progress:
        _remove_log_row(connection, discussion_id, row["id"])
        _insert_log_row(connection, row.get("discussion_id", discussion_id), row)


def _remove_log_row(connection: sqlite3.Connection, discussion_id: str, row_id: int | None) -> None:
    if row_id is not None:
        connection.execute("DELETE FROM vector_memory_hash_log WHERE id = ?", (row_id,))
    elif "vector_memory_tracker" in list_tables(connection):
        connection.execute("DELETE FROM vector_memory_tracker WHERE discussion_id = ?", (discussion_id,))


def _insert_log_row(connection: sqlite3.Connection, discussion_id: str, row: Mapping[str, Any]) -> None:
    values = (row["message_hash"], row["timestamp"])
    if row["id"] is not None:
        statement = f"INSERT INTO vector_memory_hash_log ({_LOG_COLUMNS}) VALUES (?, ?, ?, ?)"
        connection.execute(statement, (row["id"], discussion_id, *values))
    elif "vector_memory_tracker" in list_tables(connection):
        statement = (
            "INSERT INTO vector_memory_tracker (discussion_id, last_checked_message_hash, last_updated)"
            " VALUES (?, ?, ?)"
        )
        connection.execute(statement, (discussion_id, *values))
