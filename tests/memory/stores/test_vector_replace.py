"""Memories taken out and others put in, in one transaction."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.stores.vector_db import VectorDatabase
from memory.stores.vector_index_row import UnstorableMemoryError
from memory.stores.vector_replace import replace_memories
from memory.stores.vector_writes import (
    MemoryBatch,
    MemoryChange,
    MemoryChangedError,
    NewMemory,
    edit_memory,
    get_stored_memory,
)
from memory.types import DiscussionId
from tests.builders import build_vector_database

ANNA = DiscussionId("anna")
DATE = "2026-01-05T10:00:00+00:00"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return build_vector_database(tmp_path / "vector_memory.db", "anna", memories=3)


def batch(*texts: object) -> MemoryBatch:
    return MemoryBatch(
        tuple(NewMemory(text, {"title": "t", "summary": text, "entities": [], "key_phrases": []}) for text in texts)
    )


def test_old_ones_go_and_new_ones_come_under_their_date(path: Path) -> None:
    old = [get_stored_memory(path, memory_id) for memory_id in (2, 3)]

    added = replace_memories(path, ANNA, old, batch("sold", "bought", "kept"), date=DATE)

    database = VectorDatabase(path, ANNA)
    assert [memory.text for memory in added] == ["sold", "bought", "kept"]
    assert {memory.date_added for memory in added} == {DATE}
    assert database.count_memories() == 4
    facts = database.check()
    assert (facts.index_orphans.count, facts.embedding_orphans.count, facts.unindexed.count) == (0, 0, 0)


def test_a_memory_that_was_changed_stops_everything(path: Path) -> None:
    old = get_stored_memory(path, 1)
    edit_memory(path, 1, MemoryChange("edited", {}))

    with pytest.raises(MemoryChangedError):
        replace_memories(path, ANNA, [get_stored_memory(path, 2), old], batch("never"), date=DATE)

    assert get_stored_memory(path, 2).text == "Anna planted tree number 2."


def test_what_cannot_be_stored_stops_everything(path: Path) -> None:
    old = [get_stored_memory(path, 1)]

    with pytest.raises(UnstorableMemoryError):
        replace_memories(path, ANNA, old, batch("fine", None), date=DATE)

    assert get_stored_memory(path, 1) == old[0]


def test_nothing_may_come_in_their_place(path: Path) -> None:
    assert replace_memories(path, ANNA, [get_stored_memory(path, 1)], batch(), date=DATE) == ()
    assert VectorDatabase(path, ANNA).count_memories() == 2
