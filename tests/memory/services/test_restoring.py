from __future__ import annotations

import uuid
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.test import override_settings

from memory import wiring
from memory.engine.history import HistoryFilter
from memory.errors import MemoryNotFoundError
from memory.journal.authorship import writing_as
from memory.models import Revision
from memory.queries.history import list_history
from memory.queries.undo_plans import RevisionNotFoundError, plan_undo
from memory.services.restoring import TakenBackError, UndoConflictError, Version, restore_revision, undo_batch
from memory.stores.vector_restore import read_rows
from memory.stores.vector_writes import (
    MemoryBatch,
    MemoryChange,
    NewMemory,
    add_memories,
    delete_memories,
    edit_memory,
    get_stored_memory,
)
from memory.types import Artefact, DiscussionRef, Entry
from tests.builders import build_discussion, build_public_folder
from wilmer_site.lib.errors import RefusedError
from wilmer_site.lib.files import FileChangedError
from wilmer_site.lib.paging import PageRequest

pytestmark = pytest.mark.django_db

ONE, TWO = Entry("one", "a"), Entry("two", "b")


@pytest.fixture
def ref(public: Path) -> DiscussionRef:
    return build_discussion(public)


def write(ref: DiscussionRef, *entries: Entry, action: str = "Edited chunk 1") -> uuid.UUID:
    with writing_as("mona", action) as signed:
        wiring.open_discussion(ref).write_memories(entries)
    return signed.batch


def change_rows(ref: DiscussionRef, *ids: int, text: str | None) -> uuid.UUID:
    """Edit vector memories, or delete them, as the pages do."""
    files = wiring.open_discussion(ref)
    path = files.vector_path()
    before = read_rows(path, ref.discussion_id, ids)
    with writing_as("mona", "Changed memories") as signed, files.recording_rows(before) as record:
        if text is None:
            delete_memories(path, ids)
        for memory_id in ids if text is not None else ():
            edit_memory(path, memory_id, MemoryChange(text or "", {}))
        record.after = read_rows(path, ref.discussion_id, ids)
    return signed.batch


def test_undo_puts_back_the_bytes_and_can_be_undone(ref: DiscussionRef) -> None:
    files = wiring.open_discussion(ref)
    old = files.raw_bytes(Artefact.MEMORIES)
    batch = write(ref, ONE)
    new = files.raw_bytes(Artefact.MEMORIES)

    undone = undo_batch(ref, batch, actor="mona", keys={})
    assert files.raw_bytes(Artefact.MEMORIES) == old
    undo_batch(ref, undone.batch, actor="mona", keys={})
    assert files.raw_bytes(Artefact.MEMORIES) == new


def test_undo_takes_back_every_write_of_a_batch(ref: DiscussionRef) -> None:
    files = wiring.open_discussion(ref)
    old = [files.raw_bytes(artefact) for artefact in Artefact]
    with writing_as("mona", "Edited all") as signed:
        files.write_memories([ONE])
        files.write_memories([TWO])
        files.write_state_document("new")
        files.write_condensation_tracker("a")

    undo_batch(ref, signed.batch, actor="mona", keys={})
    assert [files.raw_bytes(artefact) for artefact in Artefact] == old
    assert files.read_condensation_tracker().report.state == "absent"


def test_undo_asks_when_somebody_wrote_since(ref: DiscussionRef) -> None:
    files = wiring.open_discussion(ref)
    batch = write(ref, ONE)
    files.place(Artefact.MEMORIES).path.write_text("[]")

    with pytest.raises(UndoConflictError, match="the ledger"):
        undo_batch(ref, batch, actor="mona", keys={})
    assert files.raw_bytes(Artefact.MEMORIES) == b"[]"
    undo_batch(ref, batch, actor="mona", keys={}, force=True)
    assert len(files.read_memories().entries) == 3


def test_undo_asks_when_somebody_wrote_in_between(ref: DiscussionRef) -> None:
    batch = write(ref, ONE)
    write(ref, TWO)
    with writing_as("mona", "Went on", batch=batch):
        wiring.open_discussion(ref).write_memories([ONE, TWO])

    assert plan_undo(ref, batch, {}).files[0].is_interleaved
    with pytest.raises(UndoConflictError):
        undo_batch(ref, batch, actor="mona", keys={})


def test_an_undo_names_what_it_undoes(ref: DiscussionRef) -> None:
    batch = write(ref, ONE)
    undone = undo_batch(ref, batch, actor="mona", keys={})

    assert plan_undo(ref, batch, {}).undone_by == undone.batch
    with pytest.raises(TakenBackError, match=f"taken back already.*{undone.batch}"):
        undo_batch(ref, batch, actor="mona", keys={})
    newest = Revision.objects.order_by("-id")[0]
    assert (newest.actor, newest.origin, newest.action) == ("mona", "restore", "Took back: Edited chunk 1")


def test_an_undo_that_was_taken_back_counts_no_more(ref: DiscussionRef) -> None:
    batch = write(ref, ONE)
    undone = undo_batch(ref, batch, actor="mona", keys={})

    undo_batch(ref, undone.batch, actor="mona", keys={})

    assert plan_undo(ref, batch, {}).undone_by is None
    assert [card.undone_by for card in list_history(ref, HistoryFilter(), PageRequest(1, 9)).items][-1] is None


def test_undo_of_deleted_memories_brings_back_all_their_rows(ref: DiscussionRef) -> None:
    path = wiring.open_discussion(ref).vector_path()
    old = get_stored_memory(path, 2)
    batch = change_rows(ref, 2, text=None)

    undone = undo_batch(ref, batch, actor="mona", keys={})
    assert get_stored_memory(path, 2) == old
    undo_batch(ref, undone.batch, actor="mona", keys={})
    with pytest.raises(MemoryNotFoundError):
        get_stored_memory(path, 2)


def test_a_memory_whose_id_was_given_away_comes_back_under_a_new_one(ref: DiscussionRef) -> None:
    path = wiring.open_discussion(ref).vector_path()
    old = get_stored_memory(path, 2)
    batch = change_rows(ref, 2, text=None)
    added = MemoryBatch((NewMemory("theirs", {"summary": "theirs"}),))
    assert add_memories(path, ref.discussion_id, added, now=datetime.now(UTC)).ids == (2,)

    undone = undo_batch(ref, batch, actor="mona", keys={})

    back = get_stored_memory(path, 3)
    assert get_stored_memory(path, 2).text == "theirs"
    assert (back.text, back.index_row, back.embeddings) == (old.text, old.index_row, old.embeddings)
    undo_batch(ref, undone.batch, actor="mona", keys={})
    assert get_stored_memory(path, 2).text == "theirs"


def test_undo_of_an_edited_memory_asks_when_it_was_edited_since(ref: DiscussionRef) -> None:
    path = wiring.open_discussion(ref).vector_path()
    batch = change_rows(ref, 1, text="mine")
    edit_memory(path, 1, MemoryChange("theirs", {}))

    with pytest.raises(UndoConflictError) as caught:
        undo_batch(ref, batch, actor="mona", keys={})
    assert caught.value.extra["memory_ids"] == [1]
    undo_batch(ref, batch, actor="mona", keys={}, force=True)
    assert get_stored_memory(path, 1).text == "Anna planted tree number 1."


def test_undo_of_more_memories_than_fit_into_a_transaction(public: Path) -> None:
    ref = build_discussion(public, memories=250)
    path = wiring.open_discussion(ref).vector_path()
    ids = range(1, 251)
    old = read_rows(path, ref.discussion_id, ids)

    undo_batch(ref, change_rows(ref, *ids, text=None), actor="mona", keys={})
    assert read_rows(path, ref.discussion_id, ids) == old


def test_any_version_can_be_put_back_over_a_damaged_file(ref: DiscussionRef) -> None:
    files = wiring.open_discussion(ref)
    write(ref, ONE)
    first = Revision.objects.latest("id").pk
    write(ref, TWO)
    files.place(Artefact.MEMORIES).path.write_text("[{]")

    restore_revision(ref, Version(first, "after"), actor="mona", keys={})
    assert files.read_memories().entries == (ONE,)


def test_a_version_is_put_back_over_the_one_that_was_seen_only(ref: DiscussionRef) -> None:
    write(ref, ONE)
    newest = Revision.objects.latest("id").pk

    with pytest.raises(FileChangedError):
        restore_revision(ref, Version(newest), actor="mona", keys={}, expected_etag="another")


def test_rows_can_be_put_back(ref: DiscussionRef) -> None:
    path = wiring.open_discussion(ref).vector_path()
    change_rows(ref, 1, text="first")
    newest = Revision.objects.latest("id").pk
    change_rows(ref, 1, text="second")

    restore_revision(ref, Version(newest, "after"), actor="mona", keys={})
    assert get_stored_memory(path, 1).text == "first"


@pytest.mark.parametrize("batch", [uuid.uuid4()])
def test_unknown_batches_and_revisions_are_not_found(ref: DiscussionRef, batch: uuid.UUID) -> None:
    with pytest.raises(RevisionNotFoundError):
        undo_batch(ref, batch, actor="mona", keys={})
    with pytest.raises(RevisionNotFoundError):
        restore_revision(ref, Version(77), actor="mona", keys={})


def test_revisions_of_another_folder_are_not_found(ref: DiscussionRef, tmp_path: Path) -> None:
    batch = write(ref, ONE)
    other = build_public_folder(tmp_path / "other")
    build_discussion(other)

    elsewhere = override_settings(WILMER_PUBLIC_DIR=other, WILMER_CONFIG_DIR=other / "Configs")
    with elsewhere, pytest.raises(RevisionNotFoundError):
        undo_batch(ref, batch, actor="mona", keys={})


def test_read_only_takes_nothing_back(ref: DiscussionRef) -> None:
    files = wiring.open_discussion(ref)
    batches = [write(ref, ONE), change_rows(ref, 1, text="mine")]

    with override_settings(WILMER_READ_ONLY=True):
        for batch in batches:
            with pytest.raises(RefusedError, match="read-only"):
                undo_batch(ref, batch, actor="mona", keys={})
    assert files.read_memories().entries == (ONE,)
    assert get_stored_memory(files.vector_path(), 1).text == "mine"
