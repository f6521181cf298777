from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.results import DatabaseState, SearchRequest
from memory.stores.vector_check import check_database
from memory.stores.vector_db import VectorDatabase
from memory.stores.vector_reindex import Pacing, Progress, delete_orphans, reindex_memories
from memory.stores.vector_search import search
from tests.memory.stores.vector_builders import DISCUSSION, NOW, REF, build_database, build_metadata, run_sql


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "vector_memory.db"
    build_database(found, [build_metadata(f"heron {number}", topics=["birds"]) for number in range(120)])
    return found


def reindex(path: Path, *, index_topics: bool = False, seconds: float = 0.0) -> list[Progress]:
    """Every look at the clock is `seconds` after the one before."""
    times: Iterator[float] = (number * seconds for number in range(10_000))
    pacing = Pacing(clock=lambda: next(times), pause=lambda _: None)
    return list(reindex_memories(path, index_topics=index_topics, pacing=pacing))


def count_hits(path: Path, query: str) -> int:
    return search(VectorDatabase(path, DISCUSSION), SearchRequest(query), now=NOW, discussion=REF).matched


@pytest.mark.parametrize(
    "damage",
    [
        "DROP TABLE memories_fts",
        "DROP TABLE memories_fts_data",
        "DROP TABLE memories_fts_content",
        "DROP TABLE memories_fts_config",
        "DELETE FROM memories_fts_data",
        "DELETE FROM memories_fts",
        "DELETE FROM memories_fts WHERE rowid > 60",
        "UPDATE memories SET memory_text = 'heron once more'",
        "DELETE FROM memories WHERE id IN (1, 50, 51, 120)",
        "DELETE FROM memories WHERE id > 1",
        "DELETE FROM memories",
    ],
)
def test_any_damage_is_mended(path: Path, damage: str) -> None:
    run_sql(path, damage)

    reindex(path)

    facts = check_database(path, index_topics=False)
    assert (facts.index_problem, facts.file_damage) == (None, None)
    assert (facts.unindexed.count, facts.index_orphans.count, facts.stale_index.count) == (0, 0, 0)
    assert count_hits(path, "heron") == facts.memory_count


def test_topics_are_added_and_removed(path: Path) -> None:
    before = count_hits(path, "birds")
    reindex(path, index_topics=True)
    with_topics = count_hits(path, "birds")
    reindex(path, index_topics=False)

    assert (before, with_topics, count_hits(path, "birds")) == (0, 120, 0)


def test_slow_batches_become_smaller(path: Path) -> None:
    slow, fast = reindex(path, seconds=0.6), reindex(path)

    assert [step.done for step in fast] == [50, 120]
    assert [step.done for step in slow[:3]] == [50, 55, 56]
    assert slow[-1] == Progress(120, 120)


def test_unreadable_metadata_are_indexed_by_their_text(path: Path) -> None:
    run_sql(path, "UPDATE memories SET metadata_json = 'no json' WHERE id = 3")
    run_sql(path, "UPDATE memories SET metadata_json = '{\"title\": []}' WHERE id = 4")

    assert reindex(path)[-1].skipped == 2
    assert count_hits(path, "3") == 1


def test_nothing_to_index(tmp_path: Path) -> None:
    absent, empty = tmp_path / "absent.db", tmp_path / "empty.db"
    empty.touch()

    assert (reindex(absent), reindex(empty), delete_orphans(absent), delete_orphans(empty)) == ([], [], 0, 0)
    assert (absent.exists(), empty.stat().st_size) == (False, 0)


def test_broken_index_of_an_empty_store(path: Path) -> None:
    run_sql(path, "DELETE FROM memories", "DROP TABLE memories_fts")

    assert reindex(path) == []
    assert VectorDatabase(path, DISCUSSION).describe().state is DatabaseState.NOTHING_STORED


def test_orphans_are_deleted(path: Path) -> None:
    run_sql(
        path,
        "INSERT INTO memory_embeddings VALUES (2, 'a', 1, x'00000000')",
        "INSERT INTO memory_embeddings VALUES (3, 'a', 1, x'00000000')",
        "DELETE FROM memories WHERE id IN (1, 2)",
    )

    assert delete_orphans(path) == 3
    assert check_database(path).embedding_orphans.count == 0
