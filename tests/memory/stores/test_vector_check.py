from __future__ import annotations

from pathlib import Path

import pytest

from memory.stores import vector_check
from memory.stores.vector_check import Finding, IntegrityFacts, check_database
from memory.stores.vector_embeddings import EmbeddingRow, store_embeddings
from memory.stores.vector_writes import MemoryBatch, NewMemory, add_memories
from tests.memory.stores.vector_builders import DISCUSSION, NOW, build_database, build_metadata, run_sql


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "vector_memory.db"
    build_database(found, ["one", "two", build_metadata("three", topics=["numbers"])])
    return found


def test_sound_database_has_no_findings(path: Path) -> None:
    before = path.read_bytes()

    assert check_database(path, index_topics=False) == IntegrityFacts(memory_count=3)
    assert path.read_bytes() == before


def test_absent_and_foreign_databases_have_no_findings(tmp_path: Path) -> None:
    run_sql(tmp_path / "other.db", "CREATE TABLE unrelated (x)")

    assert check_database(tmp_path / "absent.db") == check_database(tmp_path / "other.db") == IntegrityFacts()


def test_unreadable_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("no database " * 100)

    assert "not an SQLite database" in (check_database(tmp_path / "text.db").problem or "")


def test_rows_that_are_out_of_step(path: Path) -> None:
    store_embeddings(path, "a", [EmbeddingRow(1, [1.0]), EmbeddingRow(2, [1.0])])
    run_sql(path, "DELETE FROM memories WHERE id = 1", "DELETE FROM memories_fts WHERE rowid = 3")

    facts = check_database(path)

    assert (facts.index_orphans, facts.unindexed) == (Finding((1,), 1), Finding((3,), 1))
    assert (facts.embedding_orphans, facts.missing_embeddings) == (Finding((1,), 1), {"a": 1})


def test_index_that_differs_from_the_text(path: Path) -> None:
    run_sql(path, "UPDATE memories SET memory_text = 'changed' WHERE id = 2")

    assert check_database(path).stale_index == Finding((2,), 1)


def test_topics_in_the_index_are_wrong_only_if_known_to_be(path: Path) -> None:
    assert check_database(path, index_topics=None).stale_index.count == 0
    assert check_database(path, index_topics=True).stale_index == Finding((3,), 1)


def test_numbers_and_nulls_are_no_difference(path: Path) -> None:
    memory = NewMemory(12, {"title": None, "summary": 12, "entities": 3, "key_phrases": None})
    add_memories(path, DISCUSSION, MemoryBatch((memory,)), now=NOW)

    assert check_database(path).stale_index.count == 0


def test_metadata_that_no_index_can_hold_are_stale(path: Path) -> None:
    run_sql(path, "UPDATE memories SET metadata_json = '{\"title\": [1]}' WHERE id = 1")

    assert check_database(path).stale_index.ids == (1,)


def test_index_that_disagrees_with_its_own_content(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_sql(path, "UPDATE memories_fts_content SET c0 = 'another' WHERE id = 1")

    assert "Rebuild the index" in (check_database(path).index_problem or "")
    monkeypatch.setattr(vector_check, "DEEP_CHECK_BYTES", 0)
    assert check_database(path).index_problem is None


def test_missing_index_is_said(path: Path) -> None:
    run_sql(path, "DROP TABLE memories_fts")

    assert "missing" in (check_database(path).index_problem or "")


def test_bad_metadata_and_repeated_hashes(path: Path) -> None:
    log = "INSERT INTO vector_memory_hash_log (discussion_id, message_hash, timestamp) VALUES"
    run_sql(path, "UPDATE memories SET metadata_json = '[]' WHERE id < 3")
    run_sql(path, f"{log} ('garden', 'a', 't'), ('garden', 'b', 't'), ('garden', 'a', 't'), ('other', 'b', 't')")

    facts = check_database(path)

    assert (facts.bad_metadata, facts.repeated_log_hashes) == (Finding((1, 2), 2), {"a": 2})


def test_vectors_of_several_lengths_and_bad_blobs(path: Path) -> None:
    store_embeddings(path, "a", [EmbeddingRow(1, [1.0]), EmbeddingRow(2, [1.0, 2.0])])
    run_sql(path, "INSERT INTO memory_embeddings VALUES (3, 'b', 2, x'0000')")

    facts = check_database(path)

    assert (facts.mixed_dimensions, facts.bad_vectors) == ({"a": (1, 2)}, Finding((3,), 1))


def test_long_findings_name_the_first_ids(tmp_path: Path) -> None:
    build_database(tmp_path / "x.db", [str(number) for number in range(50)])
    run_sql(tmp_path / "x.db", "DELETE FROM memories")

    found = check_database(tmp_path / "x.db").index_orphans

    assert (found.ids, found.count) == (tuple(range(1, 21)), 50)


def test_bad_metadata_are_named_with_and_without_an_index(path: Path) -> None:
    run_sql(path, "UPDATE memories SET metadata_json = '[' WHERE id = 2", "DELETE FROM memories_fts WHERE rowid = 2")
    indexed = check_database(path)
    run_sql(path, "DROP TABLE memories_fts")

    assert (indexed.bad_metadata, indexed.stale_index, indexed.unindexed) == (
        Finding((2,), 1),
        Finding(),
        Finding((2,), 1),
    )
    assert check_database(path).bad_metadata == Finding((2,), 1)
