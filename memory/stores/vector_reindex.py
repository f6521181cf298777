"""Writing the search index anew, in transactions too short to make WilmerAI wait (traps V5)."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from memory.stores.vector_index_row import UnstorableMemoryError, build_index_row
from memory.stores.vector_metadata import parse_metadata
from memory.stores.vector_rows import put_index_row
from memory.stores.vector_schema import FTS_SQL
from memory.stores.vector_state import find_index_problem, reading
from memory.stores.vector_writes import changing
from wilmer_site.lib.errors import NotFoundError

LONGEST_TRANSACTION_SECONDS = 0.25
_AIM_SECONDS = 0.06
_FIRST_BATCH = 50
_LARGEST_BATCH = 1000
_PAUSE_SECONDS = 0.02
_SHADOWS = ("data", "idx", "content", "docsize", "config")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the work has got. `skipped` have been looked at but could not be done."""

    done: int
    total: int
    skipped: int = 0
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Pacing:
    """What time is measured with, and how to give other writers a turn. Tests give their own."""

    clock: Callable[[], float] = time.monotonic
    pause: Callable[[float], None] = time.sleep


def reindex_memories(path: Path, *, index_topics: bool, pacing: Pacing | None = None) -> Iterator[Progress]:
    """Write every search row anew from text and metadata, remove orphans, and say how far it has got.

    A usable index stays usable all the time; a missing or corrupt one is made anew first. Stopping half-way is safe.
    Memories whose metadata cannot be read are indexed by their text alone and counted as skipped.
    """
    pace = pacing or Pacing()
    if not path.exists() or not path.stat().st_size:
        return
    _replace_broken_index(path)
    total = _count(path)
    done = skipped = 0
    last_id, size = None, _FIRST_BATCH
    while True:
        started = pace.clock()
        with changing(path) as connection:
            rows = _next_rows(connection, last_id, size)
            _remove_orphans(connection, last_id, rows[-1]["id"] if len(rows) == size else None)
            skipped += sum(not _reindex_row(connection, row, index_topics=index_topics) for row in rows)
        if rows:
            done, last_id = done + len(rows), rows[-1]["id"]
            yield Progress(done, max(total, done), skipped)
        if len(rows) < size:
            return
        size = _next_size(size, pace.clock() - started)
        pace.pause(_PAUSE_SECONDS)


def delete_orphans(path: Path) -> int:
    """Remove search rows and vectors whose memory is gone (traps V1, V2); returns how many rows went."""
    if not path.exists() or not path.stat().st_size:
        return 0
    with changing(path) as connection:
        gone = _remove_orphans(connection, None, None)
        statement = "DELETE FROM memory_embeddings WHERE memory_id NOT IN (SELECT id FROM memories)"
        return gone + connection.execute(statement).rowcount


def _replace_broken_index(path: Path) -> None:
    with contextlib.suppress(NotFoundError), reading(path) as connection:
        if find_index_problem(connection) is None:
            return
    with changing(path) as connection:
        try:
            connection.execute("DROP TABLE IF EXISTS memories_fts")
        except sqlite3.DatabaseError:
            _tear_out_index(connection)
        connection.execute(FTS_SQL)


def _tear_out_index(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("DELETE FROM sqlite_master WHERE name = 'memories_fts'")
    connection.execute("PRAGMA writable_schema = RESET")
    for shadow in _SHADOWS:
        connection.execute(f"DROP TABLE IF EXISTS memories_fts_{shadow}")


def _next_rows(connection: sqlite3.Connection, last_id: int | None, size: int) -> list[sqlite3.Row]:
    statement = "SELECT id, memory_text, metadata_json FROM memories WHERE ? IS NULL OR id > ? ORDER BY id LIMIT ?"
    return connection.execute(statement, (last_id, last_id, size)).fetchall()


def _remove_orphans(connection: sqlite3.Connection, after: int | None, upto: int | None) -> int:
    """Search rows without memory, within a range of ids that is open at either end when None."""
    statement = (
        "SELECT id FROM memories_fts_docsize WHERE (?1 IS NULL OR id > ?1) AND (?2 IS NULL OR id <= ?2)"
        " AND id NOT IN (SELECT id FROM memories WHERE (?1 IS NULL OR id > ?1) AND (?2 IS NULL OR id <= ?2))"
    )
    orphans = connection.execute(statement, (after, upto)).fetchall()
    connection.executemany("DELETE FROM memories_fts WHERE rowid = ?", [(row[0],) for row in orphans])
    return len(orphans)


def _reindex_row(connection: sqlite3.Connection, row: sqlite3.Row, *, index_topics: bool) -> bool:
    text = str(row["memory_text"])
    metadata, problem = parse_metadata(row["metadata_json"])
    try:
        index_row = build_index_row(text, metadata, index_topics=index_topics)
    except UnstorableMemoryError as error:
        problem, index_row = error.message, build_index_row(text, {}, index_topics=False)
    put_index_row(connection, row["id"], index_row)
    return problem is None


def _next_size(size: int, seconds: float) -> int:
    """Aim at a fraction of the longest transaction allowed, growing carefully and shrinking at once."""
    if seconds > _AIM_SECONDS:
        return max(1, int(size * _AIM_SECONDS / seconds))
    return min(_LARGEST_BATCH, size + size // 2)


def _count(path: Path) -> int:
    with reading(path) as connection:
        return int(connection.execute("SELECT count(*) FROM memories").fetchone()[0])
