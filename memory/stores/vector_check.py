"""What is out of step inside a vector database (traps V1-V3)."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from memory.stores.vector_index_row import UnstorableMemoryError, build_index_row
from memory.stores.vector_metadata import parse_metadata
from memory.stores.vector_schema import list_tables
from memory.stores.vector_state import find_index_problem, reading
from wilmer_site.lib.errors import NotFoundError, WilmerError

SHOWN_IDS = 20
"""How many ids a finding names; its count is complete."""

DEEP_CHECK_BYTES = 256 * 1024 * 1024
"""Larger databases are not copied into memory for FTS5's own check."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Memories or rows that something is wrong with: the first few ids, and how many there are."""

    ids: tuple[int, ...] = ()
    count: int = 0


@dataclass(frozen=True, slots=True)
class IntegrityFacts:
    """Everything that a check found. All empty when all is well, and when there is no database."""

    problem: str | None = None
    """Set when the database could not be read at all; then the rest says nothing."""
    file_damage: str | None = None
    """What SQLite's own quick check says."""
    index_problem: str | None = None
    """Search table missing, corrupt, or not in step with its own content."""
    memory_count: int = 0
    unindexed: Finding = Finding()
    """Memories without a search row: never found."""
    index_orphans: Finding = Finding()
    """Search rows without a memory: the next insertion of that id fails (V1)."""
    stale_index: Finding = Finding()
    """Memories whose search row differs from their text and metadata (V3)."""
    embedding_orphans: Finding = Finding()
    """Ids with vectors but without memory: the next memory inherits a foreign vector (V2). Counts vectors."""
    bad_metadata: Finding = Finding()
    bad_vectors: Finding = Finding()
    """Memories whose vector blob is not `dim` float32 values."""
    mixed_dimensions: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Embedding models with vectors of several lengths."""
    missing_embeddings: Mapping[str, int] = field(default_factory=dict)
    """Embedding model → memories without a vector of it."""
    repeated_log_hashes: Mapping[str, int] = field(default_factory=dict)
    """Message hashes that the log holds more than once for one discussion, with how often."""
    unlogged_trackers: int = 0
    """Rows of the first generation's tracker whose discussion has no row in the log that came after it."""


def check_database(path: Path, *, index_topics: bool | None = None) -> IntegrityFacts:
    """Compare all places of every memory. Never raises for damage, lock or absence; changes nothing.

    `index_topics` says whether topics belong into the index (`vectorMemoryIndexTopics`); None accepts both.
    """
    try:
        with reading(path) as connection:
            connection.execute("BEGIN")
            return _check(connection, path, index_topics)
    except NotFoundError:
        return IntegrityFacts()
    except WilmerError as error:
        return IntegrityFacts(problem=error.message)


def _check(connection: sqlite3.Connection, path: Path, index_topics: bool | None) -> IntegrityFacts:
    tables = list_tables(connection)
    damage = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    facts = IntegrityFacts(file_damage=None if damage == "ok" else str(damage))
    if "memories" not in tables:
        return facts
    count = int(connection.execute("SELECT count(*) FROM memories").fetchone()[0])
    facts = replace(facts, memory_count=count)
    facts = _check_index(connection, path, facts, index_topics)
    if "memory_embeddings" in tables:
        facts = _check_embeddings(connection, facts)
    if "vector_memory_hash_log" in tables:
        facts = replace(facts, repeated_log_hashes=_find_repeated(connection))
    if "vector_memory_tracker" in tables:
        facts = replace(facts, unlogged_trackers=_count_unlogged(connection, tables))
    return facts


def _check_index(
    connection: sqlite3.Connection, path: Path, facts: IntegrityFacts, index_topics: bool | None
) -> IntegrityFacts:
    problem = find_index_problem(connection)
    if problem:
        return replace(
            facts,
            index_problem=problem if facts.memory_count else None,
            bad_metadata=_find_bad_metadata(connection),
        )
    bad_metadata, stale_index = _compare_rows(connection, index_topics)
    return replace(
        facts,
        bad_metadata=bad_metadata,
        index_problem=_find_index_damage(connection, path),
        unindexed=_finding(
            connection, "SELECT id FROM memories WHERE id NOT IN (SELECT id FROM memories_fts_docsize) ORDER BY id"
        ),
        index_orphans=_finding(
            connection, "SELECT id FROM memories_fts_docsize WHERE id NOT IN (SELECT id FROM memories) ORDER BY id"
        ),
        stale_index=stale_index,
    )


def _find_index_damage(connection: sqlite3.Connection, path: Path) -> str | None:
    """FTS5's own check wants to write, so it is given a copy in memory."""
    if path.stat().st_size > DEEP_CHECK_BYTES:
        return None
    with contextlib.closing(sqlite3.connect(":memory:")) as copy:
        connection.backup(copy)
        try:
            copy.execute("INSERT INTO memories_fts (memories_fts) VALUES ('integrity-check')")
        except sqlite3.DatabaseError as error:
            return f"The search index does not agree with its own content ({error}). Rebuild the index."
    return None


def _compare_rows(connection: sqlite3.Connection, index_topics: bool | None) -> tuple[Finding, Finding]:
    """Memories whose metadata cannot be read, and those that are indexed under something else, in one pass."""
    statement = (
        "SELECT m.id, m.memory_text, m.metadata_json, c.id, c.c0, c.c1, c.c2, c.c3, c.c4"
        " FROM memories AS m LEFT JOIN memories_fts_content AS c ON c.id = m.id ORDER BY m.id"
    )
    bad, stale = _Collector(), _Collector()
    allowed = (True, False) if index_topics is None else (index_topics,)
    for memory_id, text, metadata_json, indexed_id, *stored in connection.execute(statement):
        metadata, problem = parse_metadata(metadata_json)
        if problem is not None:
            bad.add(memory_id)
        elif indexed_id is not None and not _is_indexed_as(tuple(stored), text, metadata, allowed):
            stale.add(memory_id)
    return bad.finding, stale.finding


def _is_indexed_as(stored: tuple[Any, ...], text: object, metadata: Mapping[str, Any], allowed: Sequence[bool]) -> bool:
    """Whether one of the ways to treat topics gives the stored cells; without topics there is only one way."""
    for index_topics in allowed if metadata.get("topics") else allowed[:1]:
        try:
            row = build_index_row(text, metadata, index_topics=index_topics)
        except UnstorableMemoryError:
            continue
        if row == stored or _comparable(row) == _comparable(stored):
            return True
    return False


def _comparable(cells: tuple[Any, ...]) -> tuple[str, ...]:
    """As words: a number is indexed like its text, nothing like empty text."""
    return tuple("" if cell is None else str(cell) for cell in cells)


def _find_bad_metadata(connection: sqlite3.Connection) -> Finding:
    rows = connection.execute("SELECT id, metadata_json FROM memories ORDER BY id")
    return _collect(int(row[0]) for row in rows if parse_metadata(row[1])[1] is not None)


def _check_embeddings(connection: sqlite3.Connection, facts: IntegrityFacts) -> IntegrityFacts:
    dimensions: dict[str, list[int]] = {}
    for model, dim in connection.execute("SELECT DISTINCT model, dim FROM memory_embeddings ORDER BY model, dim"):
        dimensions.setdefault(str(model), []).append(int(dim))
    per_model = connection.execute(
        "SELECT e.model, count(*) FROM memory_embeddings AS e JOIN memories AS m ON m.id = e.memory_id GROUP BY 1"
    )
    counts = {str(model): int(count) for model, count in per_model}
    return replace(
        facts,
        mixed_dimensions={model: tuple(dims) for model, dims in dimensions.items() if len(dims) > 1},
        missing_embeddings={model: facts.memory_count - counts.get(model, 0) for model in dimensions},
        embedding_orphans=_finding(
            connection,
            "SELECT memory_id FROM memory_embeddings WHERE memory_id NOT IN (SELECT id FROM memories) ORDER BY 1",
        ),
        bad_vectors=_finding(
            connection,
            "SELECT memory_id FROM memory_embeddings WHERE dim < 1 OR length(vector) <> 4 * dim ORDER BY memory_id",
        ),
    )


def _find_repeated(connection: sqlite3.Connection) -> dict[str, int]:
    statement = (
        "SELECT message_hash, count(*) FROM vector_memory_hash_log GROUP BY discussion_id, message_hash"
        " HAVING count(*) > 1 ORDER BY max(id) DESC"
    )
    return {str(row[0]): int(row[1]) for row in connection.execute(statement)}


def _count_unlogged(connection: sqlite3.Connection, tables: Collection[str]) -> int:
    statement = "SELECT count(*) FROM vector_memory_tracker"
    if "vector_memory_hash_log" in tables:
        statement += " WHERE discussion_id NOT IN (SELECT discussion_id FROM vector_memory_hash_log)"
    return int(connection.execute(statement).fetchone()[0])


def _finding(connection: sqlite3.Connection, statement: str) -> Finding:
    return _collect(int(row[0]) for row in connection.execute(statement))


def _collect(ids: Iterable[int]) -> Finding:
    found = _Collector()
    for memory_id in ids:
        found.add(memory_id)
    return found.finding


class _Collector:
    """Counts ids and remembers the first few."""

    def __init__(self) -> None:
        self._shown: list[int] = []
        self._count = 0

    def add(self, memory_id: int) -> None:
        """One more."""
        self._count += 1
        if len(self._shown) < SHOWN_IDS:
            self._shown.append(int(memory_id))

    @property
    def finding(self) -> Finding:
        """What was added so far."""
        return Finding(tuple(dict.fromkeys(self._shown)), self._count)
