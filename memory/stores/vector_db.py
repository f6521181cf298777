"""The read side of one discussion's vector database. Nothing here creates a file or changes a byte."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from memory.errors import MemoryNotFoundError
from memory.stores.vector_check import IntegrityFacts, check_database
from memory.stores.vector_metadata import parse_metadata
from memory.stores.vector_schema import list_tables
from memory.stores.vector_state import DatabaseDescription, count_embeddings, describe_database, reading
from memory.stores.vector_text_match import register_text_match
from memory.types import DiscussionId, ProgressHash, VectorMemory
from wilmer_site.lib.errors import NotFoundError

_SELECT = "SELECT id, discussion_id, memory_text, date_added, metadata_json FROM memories"
PROGRESS_ROWS = 10
"""How many log rows count as progress (memory.md §6)."""


class VectorDatabase:
    """One vector database, opened anew for every question.

    An absent file, an empty file and a missing table answer like an empty database. Damage raises DamagedFileError,
    a lock DatabaseBusyError, a refusal FileUnreadableError; `describe` and `check` put them into words instead.
    """

    def __init__(self, path: Path, discussion_id: DiscussionId) -> None:
        self.path = path
        self.discussion_id = discussion_id

    def describe(self) -> DatabaseDescription:
        """State, problem, counts and generation in one look. Never raises for damage, lock or absence."""
        return describe_database(self.path)

    def count_memories(self, *, contains: str = "") -> int:
        """How many memories there are, or how many contain a text (see `list_memories`)."""
        where, values = _contains_clause(contains)
        rows = self._rows("memories", f"SELECT count(*) FROM memories{where}", values, contains)
        return int(rows[0][0]) if rows else 0

    def list_memories(
        self, *, offset: int, limit: int, contains: str = "", newest_first: bool = True
    ) -> list[VectorMemory]:
        """One page of memories by id. `contains` keeps those whose text or metadata contain it, letter case ignored."""
        where, values = _contains_clause(contains)
        order = "DESC" if newest_first else "ASC"
        statement = f"{_SELECT}{where} ORDER BY id {order} LIMIT ? OFFSET ?"
        return self._memories(statement, (*values, limit, offset), contains)

    def get_memory(self, memory_id: int) -> VectorMemory:
        """One memory by its id; raises MemoryNotFoundError."""
        found = self._memories(f"{_SELECT} WHERE id = ?", (memory_id,), "") if _is_rowid(memory_id) else []
        if not found:
            raise MemoryNotFoundError(f"There is no vector memory {memory_id} in {self.discussion_id}.", id=memory_id)
        return found[0]

    def list_progress(self, limit: int = PROGRESS_ROWS) -> list[ProgressHash]:
        """Log rows of this discussion by descending id, at most `limit`, then the tracker's hash if it is a new one.

        The order of memory.md §6 (W08, W09).
        """
        rows = self._rows(
            "vector_memory_hash_log",
            "SELECT id, message_hash, timestamp FROM vector_memory_hash_log WHERE discussion_id = ?"
            " ORDER BY id DESC LIMIT ?",
            (self.discussion_id, limit),
        )
        progress = [ProgressHash(str(row[1]), str(row[2]), int(row[0])) for row in rows]
        known = {item.message_hash for item in progress}
        return progress + [item for item in self._tracker() if item.message_hash not in known]

    def count_progress(self) -> int:
        """How many log rows this discussion has, the first-generation tracker counted as one."""
        rows = self._rows(
            "vector_memory_hash_log",
            "SELECT count(*) FROM vector_memory_hash_log WHERE discussion_id = ?",
            (self.discussion_id,),
        )
        return (int(rows[0][0]) if rows else 0) + len(self._tracker())

    def embedding_counts(self) -> dict[str, int]:
        """Rows per embedding model."""
        try:
            with reading(self.path) as connection:
                return count_embeddings(connection, list_tables(connection))
        except NotFoundError:
            return {}

    def list_unembedded(self, model: str, *, limit: int) -> list[VectorMemory]:
        """Memories without a vector of this model, oldest first (memory.md §16)."""
        with_table = f"{_SELECT} WHERE id NOT IN (SELECT memory_id FROM memory_embeddings WHERE model = ?)"
        statement, values = f"{with_table} ORDER BY id LIMIT ?", (model, limit)
        if "memory_embeddings" not in self._tables():
            statement, values = f"{_SELECT} WHERE ?1 = ?1 ORDER BY id LIMIT ?2", (model, limit)
        return self._memories(statement, values, "")

    def check(self, *, index_topics: bool | None = None) -> IntegrityFacts:
        """Everything that is out of step. Never raises for damage, lock or absence (traps V1-V3).

        `index_topics` says whether topics belong into the index (`vectorMemoryIndexTopics`); None accepts both.
        """
        return check_database(self.path, index_topics=index_topics)

    def _tracker(self) -> list[ProgressHash]:
        rows = self._rows(
            "vector_memory_tracker",
            "SELECT last_checked_message_hash, last_updated FROM vector_memory_tracker WHERE discussion_id = ?",
            (self.discussion_id,),
        )
        return [ProgressHash(str(row[0]), str(row[1]), None) for row in rows]

    def _tables(self) -> frozenset[str]:
        try:
            with reading(self.path) as connection:
                return list_tables(connection)
        except NotFoundError:
            return frozenset()

    def _rows(self, table: str, statement: str, values: tuple[Any, ...], contains: str = "") -> list[sqlite3.Row]:
        try:
            with reading(self.path) as connection:
                if table not in list_tables(connection):
                    return []
                register_text_match(connection, contains)
                return connection.execute(statement, values).fetchall()
        except NotFoundError:
            return []

    def _memories(self, statement: str, values: tuple[Any, ...], contains: str) -> list[VectorMemory]:
        try:
            with reading(self.path) as connection:
                tables = list_tables(connection)
                if "memories" not in tables:
                    return []
                register_text_match(connection, contains)
                return build_memories(connection, connection.execute(statement, values).fetchall(), tables)
        except NotFoundError:
            return []


def build_memories(
    connection: sqlite3.Connection, rows: Iterable[sqlite3.Row], tables: frozenset[str]
) -> list[VectorMemory]:
    """Values from rows of `memories`, in the same order, with the models that have a vector for each."""
    found = list(rows)
    models = _models_of(connection, [int(row["id"]) for row in found]) if "memory_embeddings" in tables else {}
    return [_memory(row, models.get(int(row["id"]), ())) for row in found]


def read_memories(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[int, VectorMemory]:
    """Memories by id; ids without memory are left out."""
    statement = f"{_SELECT} WHERE id IN (SELECT value FROM json_each(?))"
    rows = connection.execute(statement, (json.dumps(list(ids)),)).fetchall()
    return {memory.id: memory for memory in build_memories(connection, rows, list_tables(connection))}


def _memory(row: sqlite3.Row, models: tuple[str, ...]) -> VectorMemory:
    stored = row["metadata_json"]
    metadata, problem = parse_metadata(stored)
    return VectorMemory(
        id=int(row["id"]),
        discussion_id=str(row["discussion_id"]),
        text=str(row["memory_text"]),
        date_added=str(row["date_added"]),
        metadata=metadata,
        metadata_json=None if stored is None else str(stored),
        metadata_problem=problem,
        embedding_models=models,
    )


def _models_of(connection: sqlite3.Connection, ids: list[int]) -> dict[int, tuple[str, ...]]:
    statement = (
        "SELECT memory_id, model FROM memory_embeddings WHERE memory_id IN (SELECT value FROM json_each(?))"
        " ORDER BY memory_id, model"
    )
    models: dict[int, tuple[str, ...]] = {}
    for memory_id, model in connection.execute(statement, (json.dumps(ids),)):
        models[memory_id] = (*models.get(memory_id, ()), str(model))
    return models


def _contains_clause(contains: str) -> tuple[str, tuple[Any, ...]]:
    if not contains.strip():
        return "", ()
    return " WHERE text_match(memory_text, metadata_json) > 0", ()


def _is_rowid(number: int) -> bool:
    """SQLite refuses to bind what does not fit into 64 bits."""
    return -(2**63) <= number < 2**63
