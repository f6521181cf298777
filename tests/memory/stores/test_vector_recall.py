from __future__ import annotations

from pathlib import Path

import pytest

from memory.errors import DamagedFileError
from memory.stores.vector_db import VectorDatabase
from memory.stores.vector_embeddings import EmbeddingRow, store_embeddings
from memory.stores.vector_recall import RecallRequest, parse_mode, recall_memories
from tests.memory.stores.vector_builders import DISCUSSION, NOW, build_database, build_metadata, run_sql


@pytest.fixture
def database(tmp_path: Path) -> VectorDatabase:
    texts = [build_metadata("heron", entities=["Bishop"]), "owl", "Bishop of the harbour"]
    found = build_database(tmp_path / "vector_memory.db", texts)
    store_embeddings(found.path, "a", [EmbeddingRow(1, [1.0, 0.0]), EmbeddingRow(2, [0.0, 1.0])])
    return found


def recall(database: VectorDatabase, request: RecallRequest) -> list[int]:
    found = recall_memories(database, request, now=NOW, embed=lambda text: [0.0, 1.0] if text != "fail" else None)
    return [memory.id for memory in found]


@pytest.mark.parametrize(("mode", "ids"), [("semantic", [2, 1]), ("hybrid", [1, 2]), ("keyword", [1]), ("", [1])])
def test_modes(database: VectorDatabase, mode: str, ids: list[int]) -> None:
    assert recall(database, RecallRequest("heron", mode=mode, model="a")) == ids


@pytest.mark.parametrize("limit", [-1, 2, 2**63 - 1, 10**30, -(10**30)])
def test_all_rows_with_a_negative_or_a_huge_limit(database: VectorDatabase, limit: int) -> None:
    assert recall(database, RecallRequest("heron", mode="hybrid", model="a", limit=limit)) == [1, 2]
    assert recall(database, RecallRequest("heron", model="a", limit=limit)) == [1]


def test_semantic_falls_back_to_keywords(database: VectorDatabase) -> None:
    for request in (
        RecallRequest("heron", mode="semantic", model=None),
        RecallRequest("heron", mode="semantic", model="another"),
        RecallRequest("heron", mode="semantic", model="a", semantic_query="fail"),
    ):
        assert recall(database, request) == [1]


def test_expansion_after_any_mode(database: VectorDatabase) -> None:
    assert recall(database, RecallRequest("heron", expand_entities=True)) == [1, 3]
    assert recall(database, RecallRequest("x", mode="semantic", model="a", expand_entities=True, limit=2)) == [2, 3]


def test_expansion_of_an_empty_result(database: VectorDatabase) -> None:
    assert recall(database, RecallRequest("zeppelin", expand_entities=True)) == []
    assert recall(database, RecallRequest("owl", expand_entities=True)) == [2]


def test_missing_tables_recall_nothing(tmp_path: Path) -> None:
    run_sql(tmp_path / "x.db", "CREATE TABLE unrelated (x)")

    assert recall(VectorDatabase(tmp_path / "x.db", DISCUSSION), RecallRequest("x")) == []


def test_missing_embeddings_table(database: VectorDatabase) -> None:
    run_sql(database.path, "DROP TABLE memory_embeddings")

    assert recall(database, RecallRequest("heron", mode="semantic", model="a")) == [1]


def test_damage_is_raised(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_text("no database " * 100)

    with pytest.raises(DamagedFileError):
        recall(VectorDatabase(tmp_path / "x.db", DISCUSSION), RecallRequest("x"))


@pytest.mark.parametrize(("given", "mode"), [(None, "keyword"), (" Hybrid", "hybrid"), ("fuzzy", "keyword")])
def test_parse_mode(given: object, mode: str) -> None:
    assert parse_mode(given) == mode
