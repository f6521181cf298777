"""Kept vectors give the same answer as comparing with every stored vector."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.engine.similarity import pack_vector, rank_vectors
from memory.stores import vector_matrices
from memory.stores.vector_embeddings import EmbeddingRow, store_embeddings
from memory.stores.vector_matrices import list_nearest
from memory.stores.vector_state import reading
from memory.stores.vector_writes import delete_memories
from tests.memory.stores.vector_builders import build_database, run_sql

VALUES = st.sampled_from([0.0, 1.0, -1.0, 0.5, 1e-30, 1e30, 3.0, float("nan"), float("inf")]) | st.floats(
    -2, 2, width=32
)
VECTORS = st.lists(st.lists(VALUES, min_size=3, max_size=3), min_size=1, max_size=12)


def store(path: Path, vectors: Sequence[Sequence[float]]) -> None:
    build_database(path, [f"memory {number}" for number in range(len(vectors))])
    store_embeddings(path, "m", [EmbeddingRow(number, vector) for number, vector in enumerate(vectors, start=1)])


def nearest(path: Path, query: Sequence[float], limit: int) -> list[tuple[int, float]]:
    with reading(path) as connection:
        connection.execute("BEGIN")
        return list_nearest(connection, path, "m", query, limit=limit)


@settings(deadline=None, max_examples=60)
@given(VECTORS, st.lists(VALUES, min_size=3, max_size=3), st.integers(-1, 13))
def test_the_answer_is_that_of_comparing_all(vectors: list[list[float]], query: list[float], limit: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vector_memory.db"
        store(path, vectors)
        stored = [(number, pack_vector(vector)) for number, vector in enumerate(vectors, start=1)]

        expected = rank_vectors(query, stored, limit=limit)
        assert [nearest(path, query, limit) for _ in range(2)] == [expected] * 2


def test_vectors_of_several_dimensions_are_compared_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "vector_memory.db"
    store(path, [[1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0]])

    assert nearest(path, [0.0, 1.0], 1) == [(3, 1.0)]
    assert nearest(path, [1.0, 0.0, 0.0], 1) == [(2, 1.0)]


def test_a_change_of_the_file_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "vector_memory.db"
    store(path, [[1.0, 0.0], [0.9, 0.1], [0.0, 1.0]])
    assert nearest(path, [1.0, 0.0], 1)[0][0] == 1

    delete_memories(path, [1])

    assert nearest(path, [1.0, 0.0], 1)[0][0] == 2


def test_vectors_without_memory_are_not_found(tmp_path: Path) -> None:
    path = tmp_path / "vector_memory.db"
    store(path, [[1.0, 0.0], [0.9, 0.1], [0.0, 1.0]])
    run_sql(path, "DELETE FROM memories WHERE id = 1")

    assert nearest(path, [1.0, 0.0], 1)[0][0] == 2


def test_kept_vectors_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_matrices, "MAX_BYTES", 0)
    path = tmp_path / "vector_memory.db"
    store(path, [[1.0, 0.0], [0.0, 1.0]])

    assert [nearest(path, [0.0, 1.0], 1) for _ in range(2)] == [[(2, 1.0)]] * 2
