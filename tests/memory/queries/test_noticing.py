from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.test import override_settings

from memory import wiring
from memory.engine.history import FIRST_SIGHT
from memory.errors import MemoryNotFoundError
from memory.journal.authorship import OUTSIDE
from memory.models import Revision
from memory.queries.noticing import notice_writes
from memory.services.editing import Editor
from memory.services.restoring import Version, restore_revision
from memory.services.vector_memories_editing import (
    MemoryEdit,
    MemoryRemoval,
    add_memory,
    change_memory,
    remove_memories,
)
from memory.stores.vector_restore import list_memory_dates
from memory.stores.vector_writes import MemoryBatch, NewMemory, add_memories, get_stored_memory
from memory.types import Artefact, DiscussionRef, Entry
from tests.builders import build_discussion
from wilmer_site.lib.clock import utc_now

pytestmark = pytest.mark.django_db


@pytest.fixture
def ref(public: Path) -> DiscussionRef:
    return build_discussion(public)


def actions(artefact: Artefact = Artefact.MEMORIES) -> list[tuple[str, str]]:
    return list(Revision.objects.filter(artefact=artefact).order_by("id").values_list("actor", "action"))


def test_files_are_kept_when_they_are_seen_for_the_first_time(ref: DiscussionRef) -> None:
    assert notice_writes(ref, {}) == 4
    assert notice_writes(ref, {}) == 0
    assert actions() == [(OUTSIDE, FIRST_SIGHT)]


def test_a_write_of_another_program_is_noticed_once(ref: DiscussionRef, public: Path) -> None:
    notice_writes(ref, {})
    wiring.open_discussion(ref).place(Artefact.MEMORIES).path.write_text("[]")

    assert [notice_writes(ref, {}), notice_writes(ref, {})] == [1, 0]
    assert actions()[1:] == [(OUTSIDE, "Wrote the ledger")]


def test_a_removed_file_is_noticed(ref: DiscussionRef) -> None:
    notice_writes(ref, {})
    wiring.open_discussion(ref).place(Artefact.MEMORIES).path.unlink()

    assert notice_writes(ref, {}) == 1
    assert actions()[-1] == (OUTSIDE, "Removed the ledger")


def test_our_own_writes_are_not_noticed_as_others(ref: DiscussionRef) -> None:
    notice_writes(ref, {})
    wiring.open_discussion(ref).write_memories([Entry("one", "a")])

    assert notice_writes(ref, {}) == 0


def test_noticing_creates_no_file(ref: DiscussionRef, public: Path) -> None:
    before = sorted(public.rglob("*"))
    notice_writes(ref, {})
    wiring.open_discussion(ref).place(Artefact.MEMORIES).path.write_text("[]")
    notice_writes(ref, {})

    assert sorted(public.rglob("*")) == before


def test_nothing_is_noticed_while_somebody_writes(ref: DiscussionRef) -> None:
    files = wiring.open_discussion(ref)
    files.write_memories([Entry("one", "a")])
    with files.lock():
        files.place(Artefact.MEMORIES).path.write_text("[]")
        assert notice_writes(ref, {}) == 0
    assert notice_writes(ref, {}) > 0


def test_memories_of_another_program_are_noticed_once(ref: DiscussionRef) -> None:
    notice_writes(ref, {})
    path = wiring.open_discussion(ref).vector_path()
    added = add_memories(path, ref.discussion_id, MemoryBatch((NewMemory("theirs", {}),)), now=utc_now())
    add_memory(Editor(ref, "mona"), MemoryEdit("mine"))

    assert [notice_writes(ref, {}), notice_writes(ref, {})] == [1, 0]
    note = Revision.objects.latest("id")
    assert (note.actor, note.action) == (OUTSIDE, "Stored 1 vector memory")
    restore_revision(ref, Version(note.pk, "before"), actor="mona", keys={})
    with pytest.raises(MemoryNotFoundError):
        get_stored_memory(path, added.ids[0])


def change_rows(ref: DiscussionRef, *statements: str) -> None:
    with closing(sqlite3.connect(wiring.open_discussion(ref).vector_path())) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def test_memories_that_another_program_changed_and_deleted_come_back(ref: DiscussionRef) -> None:
    path = wiring.open_discussion(ref).vector_path()
    notice_writes(ref, {})
    before = [get_stored_memory(path, number) for number in (1, 2)]
    change_rows(ref, "UPDATE memories SET memory_text = 'theirs' WHERE id = 1", "DELETE FROM memories WHERE id = 2")

    assert [notice_writes(ref, {}), notice_writes(ref, {})] == [1, 0]
    note = Revision.objects.latest("id")
    assert (note.actor, note.action) == (OUTSIDE, "Changed 1 vector memory, deleted 1")
    restore_revision(ref, Version(note.pk, "before"), actor="mona", keys={})

    assert [get_stored_memory(path, number) for number in (1, 2)] == before
    assert notice_writes(ref, {}) == 0


def test_rows_are_looked_at_again_only_after_a_commit(ref: DiscussionRef, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[Path] = []

    def look(path: Path) -> list[tuple[int, str]]:
        looks.append(path)
        return list_memory_dates(path)

    monkeypatch.setattr("memory.queries.noticing_rows.list_memory_dates", look)
    for _ in range(4):
        notice_writes(ref, {})
    seen_before = len(looks)
    change_rows(ref, "UPDATE memories SET memory_text = 'other' WHERE id = 1")

    assert notice_writes(ref, {}) == 1
    assert (seen_before, len(looks)) == (2, 3)


def test_our_own_changes_of_memories_are_not_noticed_as_others(ref: DiscussionRef) -> None:
    notice_writes(ref, {})
    change_memory(Editor(ref, "mona"), 1, MemoryEdit("mine"))
    remove_memories(Editor(ref, "mona"), MemoryRemoval({2: None}))
    change_rows(ref, "DELETE FROM memory_embeddings")

    assert notice_writes(ref, {}) == 0


def test_a_database_that_cannot_be_read_is_no_deletion(ref: DiscussionRef) -> None:
    notice_writes(ref, {})
    wiring.open_discussion(ref).vector_path().write_bytes(b"garbage" * 100)

    assert notice_writes(ref, {}) == 0


def test_too_large_files_are_left_out(ref: DiscussionRef) -> None:
    with override_settings(WILMER_MAX_FILE_BYTES=10):
        notice_writes(ref, {})
    assert actions() == []


def test_read_only_notices_nothing(ref: DiscussionRef) -> None:
    with override_settings(WILMER_READ_ONLY=True):
        assert notice_writes(ref, {}) == 0
    assert not Revision.objects.exists()
