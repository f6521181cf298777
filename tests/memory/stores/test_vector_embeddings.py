from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from memory.stores.vector_db import VectorDatabase
from memory.stores.vector_embeddings import EmbeddingRow, embed_memories, store_embeddings
from memory.stores.vector_writes import MemoryChange, delete_memories, edit_memory
from tests.memory.stores.vector_builders import DISCUSSION, build_database, run_sql
from wilmer_site.lib.errors import UpstreamError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "vector_memory.db"
    build_database(found, ["one", "two", "three", "four", "five"])
    return found


def embed_lengths(texts: list[str]) -> list[list[float]]:
    return [[float(len(text)), 1.0] for text in texts]


def test_vectors_are_float32(path: Path) -> None:
    assert store_embeddings(path, "a", [EmbeddingRow(1, [1.0, -2.5])]) == 1

    assert run_sql(path, "SELECT * FROM memory_embeddings") == [(1, "a", 2, bytes.fromhex("0000803f000020c0"))]


def test_vectors_without_memory_or_for_another_text_are_left_out(path: Path) -> None:
    rows = [EmbeddingRow(99, [1.0]), EmbeddingRow(1, [1.0], "changed"), EmbeddingRow(2, [1.0], "two")]

    assert store_embeddings(path, "a", rows) == 1
    assert store_embeddings(path.with_name("absent.db"), "a", rows) == store_embeddings(path, "a", []) == 0


def test_missing_vectors_are_made_in_batches(path: Path) -> None:
    store_embeddings(path, "a", [EmbeddingRow(2, [9.0, 9.0])])

    steps = list(embed_memories(path, "a", embed_lengths, batch_size=3))

    assert [(step.done, step.total) for step in steps] == [(3, 4), (4, 4)]
    assert VectorDatabase(path, DISCUSSION).embedding_counts() == {"a": 5}


def test_replace_makes_every_vector_anew(path: Path) -> None:
    store_embeddings(path, "a", [EmbeddingRow(2, [9.0, 9.0])])

    list(embed_memories(path, "a", embed_lengths, replace=True))

    assert run_sql(path, "SELECT hex(vector) FROM memory_embeddings WHERE memory_id = 2") == [("000040400000803F",)]


def test_three_failures_in_a_row_end_the_work(path: Path) -> None:
    def fail(texts: list[str]) -> Sequence[Sequence[float]]:
        raise UpstreamError("no answer")

    steps = list(embed_memories(path, "a", fail, batch_size=1))

    assert [step.problem for step in steps] == ["no answer"] * 3
    assert (steps[-1].done, steps[-1].skipped) == (0, 3)


def test_work_goes_on_after_a_failure(path: Path) -> None:
    answers = iter([[[1.0]], [], [[1.0]], [[]], [[1.0]]])

    steps = list(embed_memories(path, "a", lambda texts: next(answers), batch_size=1))

    assert (steps[-1].done, steps[-1].skipped) == (3, 2)


def test_memories_that_change_meanwhile_get_no_old_vector(path: Path) -> None:
    def change_while_embedding(texts: list[str]) -> list[list[float]]:
        edit_memory(path, 1, MemoryChange("another", {}))
        delete_memories(path, [2])
        return embed_lengths(texts)

    steps = list(embed_memories(path, "a", change_while_embedding))

    assert (steps[-1].done, steps[-1].skipped) == (3, 2)
    assert run_sql(path, "SELECT memory_id FROM memory_embeddings") == [(3,), (4,), (5,)]


def test_nothing_to_embed(tmp_path: Path) -> None:
    run_sql(tmp_path / "other.db", "CREATE TABLE unrelated (x)")

    assert list(embed_memories(tmp_path / "other.db", "a", embed_lengths)) == []
    assert list(embed_memories(tmp_path / "absent.db", "a", embed_lengths)) == []


def test_memories_that_all_vanish_are_skipped(path: Path) -> None:
    work = embed_memories(path, "a", embed_lengths, batch_size=4)
    next(work)
    delete_memories(path, [5])

    assert next(work).skipped == 1
