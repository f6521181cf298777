from __future__ import annotations

import json
from pathlib import Path

import pytest

from memory.errors import MemoryNotFoundError
from memory.stores.vector_db import VectorDatabase
from memory.stores.vector_embeddings import EmbeddingRow, store_embeddings
from memory.stores.vector_schema import HASH_LOG_SQL
from memory.stores.vector_writes import log_progress
from memory.types import DiscussionId
from tests.memory.stores.vector_builders import DISCUSSION, NOW, build_database, build_metadata, run_sql

TRACKER_SQL = (
    "CREATE TABLE vector_memory_tracker (discussion_id TEXT PRIMARY KEY, last_checked_message_hash, last_updated)"
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "vector_memory.db"


def test_absent_database_answers_like_an_empty_one(path: Path) -> None:
    database = VectorDatabase(path, DISCUSSION)

    assert (database.count_memories(), database.list_memories(offset=0, limit=5)) == (0, [])
    assert (database.list_progress(), database.count_progress(), database.embedding_counts()) == ([], 0, {})
    assert database.list_unembedded("a", limit=3) == []
    with pytest.raises(MemoryNotFoundError):
        database.get_memory(1)
    assert not path.exists()


def test_missing_tables_answer_like_empty_ones(path: Path) -> None:
    run_sql(path, "CREATE TABLE unrelated (x)")
    database = VectorDatabase(path, DISCUSSION)

    assert (database.count_memories(), database.list_memories(offset=0, limit=5)) == (0, [])
    assert (database.list_progress(), database.embedding_counts()) == ([], {})
    with pytest.raises(MemoryNotFoundError):
        database.get_memory(1)


def test_pages_are_newest_or_oldest_first(path: Path) -> None:
    database = build_database(path, ["one", "two", "three"])

    newest = database.list_memories(offset=0, limit=2)
    oldest = database.list_memories(offset=1, limit=5, newest_first=False)

    assert [memory.text for memory in newest] == ["three", "two"]
    assert [memory.text for memory in oldest] == ["two", "three"]


@pytest.mark.parametrize(
    ("contains", "found"),
    [("HERON", 1), ("élan", 1), ("番茄", 1), ("🌈", 1), ("100%", 1), ("_", 0), ("title", 0), ("  ", 4), ("idris", 1)],
)
def test_contains_filter(path: Path, contains: str, found: int) -> None:
    texts = ["The heron came.", "Café ÉLAN", build_metadata("x", title="番茄日记", entities=["Idris"]), "100% 🌈"]
    database = build_database(path, texts)

    assert database.count_memories(contains=contains) == found
    assert len(database.list_memories(offset=0, limit=9, contains=contains)) == found


def test_contains_filter_copes_with_broken_metadata(path: Path) -> None:
    database = build_database(path, ["one", "two"])
    run_sql(
        path,
        "UPDATE memories SET metadata_json = '{\"title\": \\' WHERE id = 1",
        "UPDATE memories SET metadata_json = NULL WHERE id = 2",
    )

    assert database.count_memories(contains="title") == 0
    assert database.count_memories(contains="two") == 1


def test_memory_has_its_embedding_models(path: Path) -> None:
    database = build_database(path, ["one", "two"])
    for model in ("b", "a"):
        store_embeddings(path, model, [EmbeddingRow(2, [1.0, 0.0])])

    assert database.get_memory(2).embedding_models == ("a", "b")
    assert database.get_memory(1).embedding_models == ()
    assert database.embedding_counts() == {"a": 1, "b": 1}
    assert [memory.id for memory in database.list_unembedded("a", limit=5)] == [1]


@pytest.mark.parametrize("memory_id", [0, 99, 2**63, -(2**70)])
def test_unknown_memory(path: Path, memory_id: int) -> None:
    database = build_database(path, ["one"])

    with pytest.raises(MemoryNotFoundError):
        database.get_memory(memory_id)


@pytest.mark.parametrize("stored", [None, "", "no json", "[1]", "[" * 100_000])
def test_bad_metadata_are_said_not_raised(path: Path, stored: str | None) -> None:
    database = build_database(path, ["one"])
    run_sql(path, ("UPDATE memories SET metadata_json = ?", (stored,)))

    memory = database.get_memory(1)

    assert (memory.text, dict(memory.metadata), memory.metadata_json) == ("one", {}, stored)
    assert memory.metadata_problem


def test_progress_is_newest_ten_then_the_tracker(path: Path) -> None:
    run_sql(path, TRACKER_SQL, ("INSERT INTO vector_memory_tracker VALUES (?, 'old', 'then')", (DISCUSSION,)))
    for number in range(12):
        log_progress(path, DISCUSSION, f"hash-{number}", now=NOW)
    log_progress(path, DiscussionId("another"), "foreign", now=NOW)
    database = VectorDatabase(path, DISCUSSION)

    progress = database.list_progress()

    assert [item.message_hash for item in progress] == [*(f"hash-{number}" for number in range(11, 1, -1)), "old"]
    assert (progress[-1].row_id, database.count_progress()) == (None, 13)


def test_tracker_hash_that_is_logged_already_is_not_repeated(path: Path) -> None:
    run_sql(path, TRACKER_SQL, ("INSERT INTO vector_memory_tracker VALUES (?, 'same', 'then')", (DISCUSSION,)))
    log_progress(path, DISCUSSION, "same", now=NOW)

    assert [item.message_hash for item in VectorDatabase(path, DISCUSSION).list_progress()] == ["same"]


def test_progress_of_a_database_without_memories(path: Path) -> None:
    run_sql(path, HASH_LOG_SQL)

    assert VectorDatabase(path, DISCUSSION).list_progress() == []


def test_unembedded_without_the_table(path: Path) -> None:
    database = build_database(path, ["one", "two"])
    run_sql(path, "DROP TABLE memory_embeddings")

    assert [memory.id for memory in database.list_unembedded("a", limit=1)] == [1]
    assert json.loads(database.get_memory(1).metadata_json or "")["summary"] == "one"
