"""What a vector database is like before anything is asked of it: the kinds of nothing told apart (traps V8)."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from memory.errors import DamagedFileError
from memory.results import DatabaseState
from memory.stores.vector_schema import list_tables, name_generation
from wilmer_site.lib.errors import BusyError, NotFoundError, StorageError, WilmerError
from wilmer_site.lib.files import FileUnreadableError
from wilmer_site.lib.sqlite import READ_TIMEOUT_SECONDS, open_readonly

_LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_MEMORY_COLUMNS = {"id", "discussion_id", "memory_text", "date_added", "metadata_json"}
_HOT_JOURNAL = sqlite3.SQLITE_READONLY_ROLLBACK


@dataclass(frozen=True, slots=True)
class DatabaseDescription:
    """One look at a vector database. Counts are 0 when they cannot be known."""

    state: DatabaseState
    problem: str | None = None
    """What is wrong and how to mend it; None when nothing is."""
    memory_count: int = 0
    embedding_counts: Mapping[str, int] = field(default_factory=dict)
    """Rows per embedding model."""
    schema_generation: str = ""
    """`tracker`, `hash-log`, `embeddings`, or empty when unknown (traps V9)."""


class DatabaseBusyError(BusyError):
    """Another program holds the database for longer than the waiting time."""

    code = "database-busy"


@contextlib.contextmanager
def reading(path: Path, *, timeout_seconds: float | None = None) -> Iterator[sqlite3.Connection]:
    """A read-only connection for one operation, with SQLite's errors put into words.

    It waits for a lock of another program for READ_TIMEOUT_SECONDS unless told otherwise.
    Raises NotFoundError when there is no file, DatabaseBusyError, FileUnreadableError or DamagedFileError.
    """
    if not path.exists():
        raise NotFoundError(f"{path.name} does not exist.", file=path.name)
    try:
        wait = READ_TIMEOUT_SECONDS if timeout_seconds is None else timeout_seconds
        with contextlib.closing(open_readonly(path, timeout_seconds=wait)) as connection:
            yield connection
    except sqlite3.Error as error:
        raise translate_error(error, path) from error


def translate_error(error: sqlite3.Error, path: Path) -> WilmerError:
    """The error a person may see for one of SQLite's."""
    code = getattr(error, "sqlite_errorcode", None) or sqlite3.SQLITE_ERROR
    if code & 0xFF in _LOCKED:
        return DatabaseBusyError(
            f"{path.name} is locked by another program. Try again in a moment, or stop what holds it.", file=path.name
        )
    if code == _HOT_JOURNAL:
        return FileUnreadableError(
            f"{path.name} has a journal of an interrupted write ({path.name}-journal), so it cannot be read as it is."
            " The next write of WilmerAI or of this console undoes the interrupted one.",
            file=path.name,
        )
    if code & 0xFF == sqlite3.SQLITE_FULL:
        return StorageError(
            f"{path.name} cannot be written: the disk is full. Nothing was changed; make room and try again.",
            file=path.name,
        )
    if code & 0xFF in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY}:
        return FileUnreadableError(f"{path.name} cannot be opened: {error}. Check its permissions.", file=path.name)
    if code & 0xFF == sqlite3.SQLITE_NOTADB:
        return DamagedFileError(
            f"{path.name} is not an SQLite database. Restore it from a backup, or move it away.", file=path.name
        )
    return DamagedFileError(f"{path.name} is damaged: {error}. Restore it from a backup.", file=path.name)


def describe_database(path: Path) -> DatabaseDescription:
    """Which kind of nothing or something a database is, with its counts. Never raises for damage, lock or absence."""
    try:
        if not path.exists():
            return DatabaseDescription(DatabaseState.ABSENT, "There is no vector database for this discussion.")
        with reading(path) as connection:
            return _describe(path, connection)
    except WilmerError as error:
        return DatabaseDescription(DatabaseState.UNREADABLE, error.message)
    except OSError as error:
        return DatabaseDescription(DatabaseState.UNREADABLE, f"{path.name} cannot be opened: {error.strerror}.")


def find_index_problem(connection: sqlite3.Connection) -> str | None:
    """Why the search table cannot be used; None when it answers."""
    if "memories_fts" not in list_tables(connection):
        return "The search table memories_fts is missing. Rebuild the index."
    try:
        connection.execute("SELECT rowid FROM memories_fts WHERE memories_fts MATCH '\"a\"' LIMIT 1").fetchall()
        rows = connection.execute("SELECT id FROM memories_fts_docsize LIMIT 1").fetchall()
        connection.execute("SELECT id FROM memories_fts_content LIMIT 1").fetchall()
    except sqlite3.Error as error:
        if (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF in _LOCKED:
            raise
        return f"The search table memories_fts is corrupt ({error}). Rebuild the index."
    if not rows and connection.execute("SELECT 1 FROM memories LIMIT 1").fetchone():
        return "The search table memories_fts is empty although there are memories. Rebuild the index."
    return None


def _describe(path: Path, connection: sqlite3.Connection) -> DatabaseDescription:
    tables = list_tables(connection)
    generation = name_generation(tables)
    if "memories" not in tables:
        return DatabaseDescription(DatabaseState.NOTHING_STORED, _explain_nothing(path), schema_generation=generation)
    missing = _MEMORY_COLUMNS - {str(row["name"]) for row in connection.execute("PRAGMA table_info(memories)")}
    if missing:
        text = f"The table memories of {path.name} has no column {', '.join(sorted(missing))}: it is not WilmerAI's."
        return DatabaseDescription(DatabaseState.UNREADABLE, text, schema_generation=generation)
    count = int(connection.execute("SELECT count(*) FROM memories").fetchone()[0])
    embeddings = count_embeddings(connection, tables)
    problem = find_index_problem(connection)
    if problem and (count or "memories_fts" in tables):
        return DatabaseDescription(DatabaseState.INDEX_BROKEN, problem, count, embeddings, generation)
    if not count:
        text = "No memory has been stored yet."
        return DatabaseDescription(DatabaseState.NOTHING_STORED, text, 0, embeddings, generation)
    return DatabaseDescription(DatabaseState.READY, None, count, embeddings, generation)


def count_embeddings(connection: sqlite3.Connection, tables: frozenset[str]) -> dict[str, int]:
    """Rows per embedding model, by name; empty without the table."""
    if "memory_embeddings" not in tables:
        return {}
    rows = connection.execute("SELECT model, count(*) FROM memory_embeddings GROUP BY model ORDER BY model")
    return {str(row[0]): int(row[1]) for row in rows}


def _explain_nothing(path: Path) -> str:
    if path.stat().st_size == 0:
        return "The file is empty (0 bytes), as WilmerAI leaves it when it searches before anything was stored."
    return "The database has no table memories, so nothing has been stored."
