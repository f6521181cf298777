from __future__ import annotations

import json
import multiprocessing
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memory.engine.versions import memory_version
from memory.errors import DamagedFileError, MemoryNotFoundError
from memory.results import SearchRequest
from memory.stores import vector_writes
from memory.stores.vector_check import check_database
from memory.stores.vector_db import VectorDatabase
from memory.stores.vector_embeddings import EmbeddingRow, store_embeddings
from memory.stores.vector_search import search
from memory.stores.vector_state import DatabaseBusyError
from memory.stores.vector_writes import (
    MemoryBatch,
    MemoryChange,
    MemoryChangedError,
    NewMemory,
    add_memories,
    changing,
    delete_memories,
    delete_progress,
    edit_memory,
    get_stored_memory,
    log_progress,
    restore_memory,
)
from memory.types import DiscussionId
from tests.memory.stores.vector_builders import DISCUSSION, NOW, REF, build_database, build_metadata, run_sql

EVERYTHING = (
    "SELECT m.*, f.*, e.model, e.vector FROM memories AS m LEFT JOIN memories_fts AS f ON f.rowid = m.id"
    " LEFT JOIN memory_embeddings AS e ON e.memory_id = m.id ORDER BY m.id"
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "vector_memory.db"
    build_database(found, ["The heron came back.", build_metadata("Pots of clay.", topics=["garden"])])
    store_embeddings(found, "a", [EmbeddingRow(1, [1.0]), EmbeddingRow(2, [2.0])])
    return found


def find_ids(path: Path, query: str) -> list[int]:
    result = search(VectorDatabase(path, DISCUSSION), SearchRequest(query), now=NOW, discussion=REF)
    return [hit.memory.id for hit in result.hits]


def test_batch_is_stored_with_its_log_row(tmp_path: Path) -> None:
    path = tmp_path / "new" / "vector_memory.db"
    good = NewMemory("Zinc tub", build_metadata("Zinc tub", topics=["repair"]))

    added = add_memories(path, DISCUSSION, MemoryBatch((good, NewMemory("x", "bad")), "hash", True), now=NOW)

    assert (added.ids, [position for position, _ in added.refused], added.log_row_id) == ((1,), [1], 1)
    assert find_ids(path, "repair") == [1]
    assert VectorDatabase(path, DISCUSSION).list_progress()[0].timestamp == "2026-03-01T12:00:00+00:00"


def test_nothing_is_logged_when_every_memory_is_refused(path: Path) -> None:
    added = add_memories(path, DISCUSSION, MemoryBatch((NewMemory(None, {}),), "hash"), now=NOW)

    assert (added.ids, added.log_row_id) == ((), None)
    assert VectorDatabase(path, DISCUSSION).list_progress() == []


@pytest.mark.parametrize("text", ["half \ud83d", 2**70, float("nan")])
def test_what_sqlite_cannot_hold_is_refused(path: Path, text: Any) -> None:
    added = add_memories(path, DISCUSSION, MemoryBatch((NewMemory(text, {"summary": "x"}),)), now=NOW)

    assert len(added.refused) == 1
    assert check_database(path).unindexed.count == 0


def test_failure_leaves_nothing_behind(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = run_sql(path, EVERYTHING)
    monkeypatch.setattr(vector_writes, "_log", lambda *_: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        add_memories(path, DISCUSSION, MemoryBatch((NewMemory("x", build_metadata("x")),), "hash"), now=NOW)

    assert run_sql(path, EVERYTHING) == before


def test_edit_changes_all_places(path: Path) -> None:
    before = edit_memory(
        path, 1, MemoryChange("An owl came.", {"title": "Owl", "entities": ["owl"], "key_phrases": []})
    )

    assert (find_ids(path, "heron"), find_ids(path, "owls")) == ([], [1])
    memory = VectorDatabase(path, DISCUSSION).get_memory(1)
    assert (memory.text, memory.metadata["summary"], memory.embedding_models) == ("An owl came.", "An owl came.", ())
    assert check_database(path).stale_index.count == 0
    assert before.text == "The heron came back."


def test_edit_of_metadata_alone_keeps_the_vectors(path: Path) -> None:
    edit_memory(path, 1, MemoryChange("The heron came back.", {"title": "Bird"}))

    assert VectorDatabase(path, DISCUSSION).get_memory(1).embedding_models == ("a",)


def test_edit_keeps_the_way_topics_are_indexed(path: Path) -> None:
    batch = MemoryBatch((NewMemory("Soil", build_metadata("Soil", topics=["citrus"])),), index_topics=True)
    memory_id = add_memories(path, DISCUSSION, batch, now=NOW).ids[0]

    for number in (2, memory_id):
        edit_memory(path, number, MemoryChange("Changed", {"topics": ["compost"]}))

    assert find_ids(path, "compost") == [memory_id]


def test_edit_refuses_another_version(path: Path) -> None:
    seen = get_stored_memory(path, 1)
    version = memory_version(seen.text, seen.metadata_json)
    edit_memory(path, 1, MemoryChange("First", {}, expected_version=version))

    with pytest.raises(MemoryChangedError) as caught:
        edit_memory(path, 1, MemoryChange("Second", {}, expected_version=version))

    assert caught.value.extra["text"] == get_stored_memory(path, 1).text == "First"


@pytest.mark.parametrize("memory_id", [0, 99, 2**64])
def test_unknown_ids(path: Path, memory_id: int) -> None:
    before = run_sql(path, EVERYTHING)

    for work in (
        lambda: edit_memory(path, memory_id, MemoryChange("x", {})),
        lambda: delete_memories(path, [1, memory_id]),
        lambda: get_stored_memory(path, memory_id),
    ):
        with pytest.raises(MemoryNotFoundError):
            work()

    assert run_sql(path, EVERYTHING) == before


def test_changing_what_is_absent_creates_nothing(tmp_path: Path) -> None:
    path = tmp_path / "absent.db"

    with pytest.raises(MemoryNotFoundError):
        delete_memories(path, [1])
    assert delete_progress(path, DISCUSSION, row_ids=[1]) == 0
    assert not path.exists()


def test_deleted_id_is_free_for_the_next_memory(path: Path) -> None:
    delete_memories(path, [2, 2])

    added = add_memories(path, DISCUSSION, MemoryBatch((NewMemory("New", build_metadata("New")),)), now=NOW)

    assert added.ids == (2,)
    assert VectorDatabase(path, DISCUSSION).get_memory(2).embedding_models == ()
    assert (find_ids(path, "clay"), find_ids(path, "new")) == ([], [2])


def test_leftovers_of_others_do_not_stop_an_insertion(path: Path) -> None:
    run_sql(path, "DELETE FROM memories WHERE id = 2")

    added = add_memories(path, DISCUSSION, MemoryBatch((NewMemory("New", build_metadata("New")),)), now=NOW)

    assert added.ids == (2,)
    assert VectorDatabase(path, DISCUSSION).get_memory(2).embedding_models == ()


def test_delete_and_restore_give_the_same_bytes(path: Path) -> None:
    before = run_sql(path, EVERYTHING)

    removed = delete_memories(path, [1, 2])
    emptied = run_sql(path, EVERYTHING)
    for memory in removed:
        restore_memory(path, memory)

    assert (emptied, run_sql(path, EVERYTHING)) == ([], before)
    assert delete_memories(path, []) == ()


def test_restore_does_not_overwrite_another_memory(path: Path) -> None:
    before = edit_memory(path, 1, MemoryChange("Other", {}))

    with pytest.raises(MemoryChangedError):
        restore_memory(path, before)
    restore_memory(path, before, replace=True)

    assert get_stored_memory(path, 1) == before


def test_stored_memory_of_a_database_without_tables(tmp_path: Path) -> None:
    run_sql(tmp_path / "x.db", "CREATE TABLE unrelated (x)")

    with pytest.raises(MemoryNotFoundError):
        get_stored_memory(tmp_path / "x.db", 1)


def test_progress_rows_of_this_discussion_are_removed(path: Path) -> None:
    run_sql(
        path,
        "CREATE TABLE vector_memory_tracker (discussion_id TEXT PRIMARY KEY, last_checked_message_hash, last_updated)",
        ("INSERT INTO vector_memory_tracker VALUES (?, 'old', 'then')", (DISCUSSION,)),
    )
    own = log_progress(path, DISCUSSION, "a", now=NOW)
    foreign = log_progress(path, DiscussionId("another"), "b", now=NOW)

    assert delete_progress(path, DISCUSSION, row_ids=[own, foreign, 99], tracker=True) == 2
    assert VectorDatabase(path, DiscussionId("another")).count_progress() == 1


def test_busy_and_damaged_databases_are_said(path: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseBusyError), changing(path, timeout_seconds=0.01):
            pass
    damaged = tmp_path / "damaged.db"
    damaged.write_text("no database " * 100)

    with pytest.raises(DamagedFileError):
        log_progress(damaged, DISCUSSION, "a", now=NOW)


def write_many(path: str, name: str) -> None:
    for number in range(10):
        text = f"{name} {number}"
        memory = NewMemory(text, json.loads(json.dumps({"summary": text})))
        add_memories(Path(path), DISCUSSION, MemoryBatch((memory,), text), now=NOW)


def test_two_processes_lose_nothing(path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=write_many, args=(str(path), name)) for name in ("left", "right")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    database = VectorDatabase(path, DISCUSSION)
    assert (database.count_memories(), database.count_progress()) == (22, 20)
    assert check_database(path).unindexed.count == 0
