from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.test import override_settings

from memory import wiring
from memory.engine.rollback import RollbackPoint
from memory.errors import ChunkNotFoundError
from memory.journal.authorship import writing_as
from memory.models import Revision, Transcript
from memory.services.restoring import undo_batch
from memory.services.rollback import RollbackChangedError, plan_rollback, roll_back
from memory.stores.vector_db import VectorDatabase
from memory.stores.vector_writes import MemoryBatch, NewMemory, add_memories
from memory.types import Artefact, DiscussionRef, Entry
from tests.builders import build_discussion, hash_of
from tests.memory.chats import attach_chat
from wilmer_site.lib.errors import InvalidError, NotFoundError, RefusedError, WilmerError

pytestmark = pytest.mark.django_db

DAY = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def ref(public: Path) -> DiscussionRef:
    """Five chunks of one message each, the vector memories of messages 1 to 4, a summary up to chunk 4."""
    ref = build_discussion(public, chunks=5, summary_up_to=4, condensed_up_to=3, memories=None)
    files = wiring.open_discussion(ref)
    for number in range(1, 5):
        batch = MemoryBatch(
            (NewMemory(f"memory {number}", {"summary": f"memory {number}"}),), hash_of(f"message {number}")
        )
        add_memories(files.vector_path(), ref.discussion_id, batch, now=DAY + timedelta(hours=number))
    files.write_timestamps({hash_of(f"message {number}"): "(Monday, 2026-03-02 10:00:00)" for number in range(1, 7)})
    attach_chat(ref, 6, started=DAY)
    Revision.objects.all().delete()
    return ref


def texts(ref: DiscussionRef) -> list[str]:
    files = wiring.open_discussion(ref)
    database = VectorDatabase(files.vector_path(), ref.discussion_id)
    return [memory.text for memory in database.list_memories(offset=0, limit=9, newest_first=False)]


def everything(ref: DiscussionRef) -> list[object]:
    files = wiring.open_discussion(ref)
    database = VectorDatabase(files.vector_path(), ref.discussion_id)
    return [*(files.raw_bytes(name) for name in list(Artefact)[:-1]), texts(ref), database.list_progress()]


def drop_log_row(ref: DiscussionRef, message_hash: str) -> None:
    with closing(sqlite3.connect(wiring.open_discussion(ref).vector_path())) as connection, connection:
        connection.execute("DELETE FROM vector_memory_hash_log WHERE message_hash = ?", (message_hash,))


def test_every_layer_is_cut_at_the_same_message(ref: DiscussionRef) -> None:
    rolled = roll_back(ref, RollbackPoint(message=3), actor="mona", keys={})
    files = wiring.open_discussion(ref)

    assert [entry.hash for entry in files.read_memories().entries] == [hash_of("message 1"), hash_of("message 2")]
    assert texts(ref) == ["memory 1", "memory 2"]
    assert files.read_summary().entries == ()
    assert files.read_condensation_tracker().values == {"lastCondensationHash": hash_of("message 2")}
    assert len(files.read_timestamps().values) == 2
    assert (rolled.plan.chunks_removed, rolled.plan.timestamps_removed) == (3, 4)


def test_a_rollback_is_taken_back_at_once(ref: DiscussionRef) -> None:
    before = everything(ref)
    rolled = roll_back(ref, RollbackPoint(message=2), actor="mona", keys={})
    assert everything(ref) != before

    undo_batch(ref, rolled.batch, actor="mona", keys={})
    assert everything(ref) == before


def test_a_plan_changes_nothing_and_tells_numbers(ref: DiscussionRef) -> None:
    before = everything(ref)
    plan = plan_rollback(ref, RollbackPoint(message=3), {})

    assert everything(ref) == before
    assert (plan.chunks_removed, len(plan.log.memory_ids), plan.summary, plan.state) == (3, 2, "removed", "unknown")
    assert plan.radius.consequences


def test_behind_the_end_nothing_goes(ref: DiscussionRef) -> None:
    assert plan_rollback(ref, RollbackPoint(message=6), {}).timestamps_removed == 1
    assert plan_rollback(ref, RollbackPoint(message=6), {}).chunks_removed == 0


def test_an_earlier_summary_comes_from_the_history(ref: DiscussionRef) -> None:
    files = wiring.open_discussion(ref)
    files.write_summary([Entry("up to one", hash_of("message 1"))])
    files.write_summary([Entry("up to four", hash_of("message 4"))])

    rolled = roll_back(ref, RollbackPoint(message=3), actor="mona", keys={})
    assert rolled.plan.summary == "restored"
    assert files.read_summary().entries == (Entry("up to one", hash_of("message 1")),)


def test_the_state_document_comes_from_the_history(ref: DiscussionRef) -> None:
    files = wiring.open_discussion(ref)
    with writing_as("WilmerAI", "Wrote"):
        files.write_state_document("early")
        files.write_state_document("late")
    rows = Revision.objects.filter(artefact=Artefact.STATE_DOCUMENT).order_by("id")
    Revision.objects.filter(pk=rows[0].pk).update(created_at=DAY)

    assert roll_back(ref, RollbackPoint(message=3), actor="mona", keys={}).plan.state == "restored"
    assert files.read_state_document().text == "early"


def test_a_chunk_is_a_boundary_without_a_chat(ref: DiscussionRef) -> None:
    roll_back(ref, RollbackPoint(chunk=1), actor="mona", keys={})

    assert len(wiring.open_discussion(ref).read_memories().entries) == 1
    assert texts(ref) == ["memory 1"]


def test_memories_stay_when_the_log_does_not_know_the_chunk(ref: DiscussionRef) -> None:
    Transcript.objects.all().delete()
    plan = plan_rollback(ref, RollbackPoint(chunk=5), {})
    assert (plan.log.removed, len(plan.notes)) == ((), 1)


def test_a_chunk_cuts_vector_memories_and_times_by_the_chat(ref: DiscussionRef) -> None:
    """The log names other messages than the ledger; the chat tells which of them lie behind the chunk."""
    wiring.open_discussion(ref).write_memories([Entry("both", hash_of("message 2")), Entry("x", hash_of("message 5"))])
    drop_log_row(ref, hash_of("message 2"))
    rolled = roll_back(ref, RollbackPoint(chunk=1), actor="mona", keys={})

    assert texts(ref) == ["memory 1"]
    assert (rolled.plan.timestamps_removed, rolled.plan.notes) == (4, ())


def test_chunks_that_condensation_swallowed_come_back(ref: DiscussionRef) -> None:
    files = wiring.open_discussion(ref)
    old = files.read_memories().entries
    files.write_memories([old[0], Entry("2 to 4", old[3].hash), old[4]])
    files.write_condensation_tracker(old[3].hash)
    rolled = roll_back(ref, RollbackPoint(message=4), actor="mona", keys={})

    assert files.read_memories().entries == old[:3]
    assert files.read_condensation_tracker().values == {"lastCondensationHash": old[0].hash}
    assert (rolled.plan.chunks_kept, rolled.plan.chunks_restored, rolled.plan.chunks_removed) == (1, 2, 2)


def test_what_wilmer_condensed_comes_back_too(ref: DiscussionRef) -> None:
    files = wiring.open_discussion(ref)
    files.write_memories([*files.read_memories().entries, Entry("6", hash_of("message 6"))])
    old = files.read_memories().entries
    condensed = [old[0], Entry("2 to 4", old[3].hash), *old[4:]]
    text = json.dumps([{"text_block": entry.text, "hash": entry.hash} for entry in condensed])
    files.place(Artefact.MEMORIES).path.write_text(text)

    roll_back(ref, RollbackPoint(message=4), actor="mona", keys={})
    assert files.read_memories().entries == old[:3]


def test_they_come_back_through_two_condensations(ref: DiscussionRef) -> None:
    files = wiring.open_discussion(ref)
    old = files.read_memories().entries
    files.write_memories([old[0], old[1], Entry("3 to 4", old[3].hash), old[4]])
    files.write_memories([Entry("1 to 4", old[3].hash), old[4]])

    roll_back(ref, RollbackPoint(message=4), actor="mona", keys={})
    assert files.read_memories().entries == old[:3]


def test_a_summary_of_chunks_that_come_back_comes_back_too(ref: DiscussionRef) -> None:
    files = wiring.open_discussion(ref)
    old = files.read_memories().entries
    files.write_summary([Entry("up to three", old[2].hash)])
    files.write_memories([old[0], Entry("2 to 4", old[3].hash), old[4]])
    files.write_summary([Entry("up to four", old[3].hash)])

    roll_back(ref, RollbackPoint(message=4), actor="mona", keys={})
    assert files.read_summary().entries == (Entry("up to three", old[2].hash),)


def test_the_compactor_forgets_what_reaches_further(ref: DiscussionRef) -> None:
    files = wiring.open_discussion(ref)
    boundary = Entry("__boundary__", "1:" + hash_of("message 2"))
    files.write_compactor_old([Entry("2 to 4", hash_of("message 4")), boundary])
    files.write_compactor_oldest([Entry("1", hash_of("message 1"))])
    assert plan_rollback(ref, RollbackPoint(message=5), {}).compactor == ()

    rolled = roll_back(ref, RollbackPoint(message=4), actor="mona", keys={})
    assert files.read_compactor_old().report.state == files.read_compactor_oldest().report.state == "absent"
    undo_batch(ref, rolled.batch, actor="mona", keys={})
    assert files.read_compactor_old().entries[0].text == "2 to 4"


def test_everything_goes_when_no_chunk_is_kept(ref: DiscussionRef) -> None:
    roll_back(ref, RollbackPoint(chunk=0), actor="mona", keys={})
    files = wiring.open_discussion(ref)

    assert (files.read_memories().entries, texts(ref)) == ((), [])
    assert files.read_memories().report.state != "absent"


def test_the_plan_that_was_seen_is_the_one_that_is_made(ref: DiscussionRef) -> None:
    plan = plan_rollback(ref, RollbackPoint(message=3), {})
    wiring.open_discussion(ref).write_memories([Entry("other", "x")])

    with pytest.raises(RollbackChangedError):
        roll_back(ref, RollbackPoint(message=3), actor="mona", keys={}, digest=plan.digest)


def test_what_cannot_be_found_is_told(ref: DiscussionRef, public: Path) -> None:
    with pytest.raises(ChunkNotFoundError):
        plan_rollback(ref, RollbackPoint(chunk=9), {})
    with pytest.raises(InvalidError, match="6 messages"):
        plan_rollback(ref, RollbackPoint(message=7), {})
    with pytest.raises(NotFoundError, match="transcript"):
        plan_rollback(build_discussion(public, "ben"), RollbackPoint(message=1), {})


def test_a_failure_half_way_puts_everything_back(ref: DiscussionRef) -> None:
    files, before = wiring.open_discussion(ref), everything(ref)
    files.vector_path().chmod(0o444)

    with pytest.raises(WilmerError):
        roll_back(ref, RollbackPoint(message=3), actor="mona", keys={})
    files.vector_path().chmod(0o600)
    assert everything(ref) == before


def test_read_only_rolls_nothing_back(ref: DiscussionRef) -> None:
    with override_settings(WILMER_READ_ONLY=True), pytest.raises(RefusedError):
        roll_back(ref, RollbackPoint(message=3), actor="mona", keys={})
