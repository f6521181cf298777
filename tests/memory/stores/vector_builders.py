from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memory.stores.vector_db import VectorDatabase
from memory.stores.vector_writes import MemoryBatch, NewMemory, add_memories
from memory.types import DiscussionId, DiscussionRef

DISCUSSION = DiscussionId("garden")
REF = DiscussionRef(DISCUSSION)
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def build_metadata(text: str, **values: Any) -> dict[str, Any]:
    return {"title": "", "summary": text, "entities": [], "key_phrases": [], **values}


def build_database(path: Path, texts: Iterable[str | Mapping[str, Any]] = ()) -> VectorDatabase:
    """A database with one memory per text, or per metadata object with a `summary`."""
    objects = [build_metadata(item) if isinstance(item, str) else dict(item) for item in texts]
    memories = tuple(NewMemory(item["summary"], item) for item in objects)
    add_memories(path, DISCUSSION, MemoryBatch(memories), now=NOW)
    return VectorDatabase(path, DISCUSSION)


def build_corpus(path: Path, rows: Sequence[Mapping[str, Any]], *, index_topics: bool = False) -> VectorDatabase:
    """A database with rows as the recorded corpora describe them, dates included."""
    memories = tuple(NewMemory(row["memory_text"], row["metadata"]) for row in rows)
    add_memories(path, DISCUSSION, MemoryBatch(memories, index_topics=index_topics), now=NOW)
    dates = [(row["date_added"], number) for number, row in enumerate(rows, start=1) if row.get("date_added")]
    run_sql(path, *(("UPDATE memories SET date_added = ? WHERE id = ?", values) for values in dates))
    return VectorDatabase(path, DISCUSSION)


def run_sql(path: Path, *statements: str | tuple[str, Sequence[Any]]) -> list[tuple[Any, ...]]:
    """Run statements as another program would; returns the rows of the last one."""
    rows: list[tuple[Any, ...]] = []
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            text, values = (statement, ()) if isinstance(statement, str) else statement
            rows = connection.execute(text, tuple(values)).fetchall()
    return rows


def leave_hot_journal(path: Path, source: Path) -> None:
    """The files that a program leaves behind which dies in the middle of a large write."""
    build_database(source, ["one " * 200] * 50)
    with contextlib.closing(sqlite3.connect(source, isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size = 2")
        connection.execute("BEGIN")
        connection.execute("UPDATE memories SET memory_text = memory_text || ' two'")
        shutil.copy(source, path)
        shutil.copy(f"{source}-journal", f"{path}-journal")
        connection.execute("ROLLBACK")
