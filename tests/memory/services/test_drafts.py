"""Regenerations from the plan to the stored text."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memory.engine.regeneration import Kind
from memory.errors import DraftStaleError
from memory.queries.jobs import DraftState, JobState, get_draft, get_job
from memory.services.drafts import accept_all, accept_draft, edit_draft, get_clash, reject_drafts
from memory.services.restoring import undo_batch
from memory.stores.discussion_files import CONDENSATION_KEY
from memory.types import DiscussionRef
from memory.wiring import open_discussion, open_vector_database
from tests.builders import hash_of
from tests.memory.regenerating import ANNA, MODEL, edit_outside, finish, open_world, read_hashes, read_texts
from tests.memory.services.wilmer_writer import main as write_as_wilmer
from wilmer_site.lib.errors import ConflictError, InvalidError

pytestmark = pytest.mark.django_db


@pytest.fixture
def ref(tmp_path: Path, settings: Any) -> DiscussionRef:
    return open_world(tmp_path, settings)


@pytest.fixture
def public(tmp_path: Path) -> Path:
    return tmp_path / "Public"


def test_a_chunk_is_made_from_its_messages_and_stored_as_accepted(ref: DiscussionRef, public: Path) -> None:
    job_id = finish(ref, Kind.CHUNKS, 2)

    assert read_texts(public)[1].startswith("Chunk 2")
    draft = get_draft(job_id, 1, {})
    assert draft.card.new_text == "new memory of aside 2\nmessage 2"
    accepted = accept_draft(job_id, 1, ANNA)

    assert read_texts(public)[1] == "new memory of aside 2\nmessage 2"
    assert read_hashes(public)[1] == hash_of("message 2")
    assert get_job(job_id).card.state is JobState.APPLIED
    assert accepted.batch
    undo_batch(ref, accepted.batch, actor="anna", keys={})
    assert read_texts(public)[1].startswith("Chunk 2")


def test_what_the_box_shows_is_saved_to_the_letter(ref: DiscussionRef, public: Path) -> None:
    job_id = finish(ref, Kind.CHUNKS, 1)

    accept_draft(job_id, 1, ANNA, text="  Mine,\nwith blanks  ")

    assert read_texts(public)[0] == "  Mine,\nwith blanks  "


def test_an_edit_is_kept_for_later(ref: DiscussionRef, public: Path) -> None:
    job_id = finish(ref, Kind.CHUNKS, 1, 2)
    edit_draft(job_id, 2, "edited", {})

    assert get_draft(job_id, 2, {}).card.is_edited
    assert accept_all(job_id, ANNA).positions == (1, 2)
    assert read_texts(public)[1] == "edited"


def test_a_blank_text_is_refused(ref: DiscussionRef) -> None:
    job_id = finish(ref, Kind.CHUNKS, 1)

    with pytest.raises(InvalidError, match="blank"):
        accept_draft(job_id, 1, ANNA, text=" \n ")


def test_a_changed_target_is_a_question(ref: DiscussionRef, public: Path) -> None:
    job_id = finish(ref, Kind.CHUNKS, 2)
    edit_outside(public, 2, "edited by WilmerAI")

    with pytest.raises(DraftStaleError):
        accept_draft(job_id, 1, ANNA)

    clash = get_clash(job_id, 1, {})
    assert (clash.stored_text, clash.is_target_changed, clash.is_source_changed) == ("edited by WilmerAI", True, False)
    assert get_job(job_id).card.state is JobState.STALE
    assert read_texts(public)[1] == "edited by WilmerAI"
    accept_draft(job_id, 1, ANNA, text="both", seen=clash.seen)
    assert read_texts(public)[1] == "both"


def test_accepting_all_leaves_what_changed(ref: DiscussionRef, public: Path) -> None:
    job_id = finish(ref, Kind.CHUNKS, 1, 3)
    edit_outside(public, 2, "edited by WilmerAI")

    accepted = accept_all(job_id, ANNA)

    assert (accepted.positions, accepted.stale) == ((1, 3), (2,))
    assert read_texts(public)[1] == "edited by WilmerAI"
    assert get_draft(job_id, 2, {}).card.state is DraftState.STALE


def test_rejected_drafts_change_nothing(ref: DiscussionRef, public: Path) -> None:
    before = read_texts(public)
    job_id = finish(ref, Kind.CHUNKS, 1, 3)

    assert reject_drafts(job_id, None, ANNA) == 3

    assert read_texts(public) == before
    assert get_job(job_id).card.state is JobState.CANCELLED


def test_a_decided_draft_is_not_decided_again(ref: DiscussionRef) -> None:
    job_id = finish(ref, Kind.CHUNKS, 1)
    accept_draft(job_id, 1, ANNA)

    with pytest.raises(ConflictError, match="accepted"):
        reject_drafts(job_id, [1], ANNA)


def test_everything_is_packed_anew_and_stays_aside_until_accepted(ref: DiscussionRef, public: Path) -> None:
    before = read_texts(public)
    job_id = finish(ref, Kind.EVERYTHING)
    assert read_texts(public) == before
    with pytest.raises(ConflictError, match="all at once"):
        accept_draft(job_id, 1, ANNA)

    accept_all(job_id, ANNA)

    assert read_texts(public)[0].startswith("new memory of aside 1")
    assert read_hashes(public)[-1] == hash_of("and then")
    files = open_discussion(ref)
    assert files.read_condensation_tracker().values[CONDENSATION_KEY] == hash_of("and then")
    assert files.read_summary().entries[0].hash in read_hashes(public)


def test_from_a_message_on_earlier_chunks_stay(ref: DiscussionRef, public: Path) -> None:
    before = read_texts(public)

    accept_all(finish(ref, Kind.FROM_MESSAGE, 6), ANNA)

    assert read_texts(public)[:2] == before[:2]
    assert read_texts(public)[2].startswith("new memory of aside 3")
    assert read_hashes(public)[-1] == hash_of("and then")


def test_condensing_puts_one_chunk_in_the_place_of_several(ref: DiscussionRef, public: Path) -> None:
    MODEL.answer = lambda _: "merged"

    accept_draft(finish(ref, Kind.CONDENSE), 1, ANNA)

    assert read_texts(public)[0] == "merged"
    assert read_hashes(public) == [hash_of(f"message {number}") for number in (2, 3, 4)]
    tracker = open_discussion(ref).read_condensation_tracker()
    assert tracker.values[CONDENSATION_KEY] == hash_of("message 2")


def test_an_edit_while_condensing_is_not_overwritten(ref: DiscussionRef, public: Path) -> None:
    job_id = finish(ref, Kind.CONDENSE)
    edit_outside(public, 1, "edited meanwhile")

    with pytest.raises(DraftStaleError):
        accept_draft(job_id, 1, ANNA)

    assert "edited meanwhile" in get_clash(job_id, 1, {}).stored_text


def test_the_summary_is_written_anew_batch_by_batch(ref: DiscussionRef, public: Path) -> None:
    MODEL.answer = lambda text: f"[{text[:20]}]"

    job_id = finish(ref, Kind.SUMMARY)
    accept_draft(job_id, 1, ANNA)

    assert len(MODEL.calls) == 2
    assert "There is not yet a summary" in MODEL.calls[0]
    assert MODEL.calls[1].startswith("[There is")
    assert read_hashes(public, "chat_summary") == [hash_of("message 4")]


def test_the_state_document_is_written_anew_from_memories(ref: DiscussionRef, public: Path) -> None:
    MODEL.answer = lambda text: f"# All\n{text}"

    accept_draft(finish(ref, Kind.STATE_DOCUMENT), 1, ANNA)

    document = public / "DiscussionIds" / "anna" / "state_document.md"
    assert document.read_text("utf-8").startswith("# All\n- Anna planted tree number")


MEMORY = {"title": "T", "summary": "Anna sold the tree.", "entities": ["Anna"], "key_phrases": ["sale"]}


def test_vector_memories_are_replaced_in_every_place(ref: DiscussionRef, public: Path) -> None:
    MODEL.answer = lambda _: json.dumps([MEMORY])
    path = public / "DiscussionIds" / "anna" / "vector_memory.db"
    log_as_newest(path)
    database = open_vector_database(ref)
    before = database.list_memories(offset=0, limit=9)

    job_id = finish(ref, Kind.VECTOR_MEMORIES, 1, 2)
    assert get_draft(job_id, 1, {}).target["ids"] == [1, 2]
    accepted = accept_draft(job_id, 1, ANNA)

    assert [memory.text for memory in database.list_memories(offset=0, limit=9)] == ["Anna sold the tree."]
    facts = database.check()
    assert (facts.index_orphans.count, facts.embedding_orphans.count, facts.stale_index.count) == (0, 0, 0)
    assert accepted.batch
    undo_batch(ref, accepted.batch, actor="anna", keys={})
    assert database.list_memories(offset=0, limit=9) == before


def test_after_replacing_wilmer_adds_without_a_clash(ref: DiscussionRef, public: Path) -> None:
    MODEL.answer = lambda _: json.dumps([MEMORY])
    path = public / "DiscussionIds" / "anna" / "vector_memory.db"
    log_as_newest(path)
    accept_draft(finish(ref, Kind.VECTOR_MEMORIES, 1, 2), 1, ANNA)

    assert write_as_wilmer(str(path), 3) == 0

    assert open_vector_database(ref).count_memories() == 4
    assert open_vector_database(ref).embedding_counts() == {}


def test_a_memory_that_was_edited_meanwhile_is_a_question(ref: DiscussionRef, public: Path) -> None:
    MODEL.answer = lambda _: json.dumps([MEMORY])
    path = public / "DiscussionIds" / "anna" / "vector_memory.db"
    log_as_newest(path)
    job_id = finish(ref, Kind.VECTOR_MEMORIES, 1, 2)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE memories SET memory_text = 'edited' WHERE id = 1")

    with pytest.raises(DraftStaleError):
        accept_draft(job_id, 1, ANNA)

    assert "edited" in get_clash(job_id, 1, {}).stored_text


def log_as_newest(path: Path) -> None:
    """The one row of the log is younger than all memories, as WilmerAI writes it."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE vector_memory_hash_log SET timestamp = '2026-02-01T10:00:00+00:00'")


def test_an_unusable_reply_is_shown_raw_and_mended_by_hand(ref: DiscussionRef) -> None:
    MODEL.answer = lambda _: "I am sorry, but {no JSON"

    job_id = finish(ref, Kind.VECTOR_MEMORIES, 1, 2)

    draft = get_draft(job_id, 1, {})
    assert (draft.card.state, draft.raw_reply) == (DraftState.FAILED, "I am sorry, but {no JSON")
    assert "could not be read" in draft.card.error
    with pytest.raises(InvalidError):
        accept_draft(job_id, 1, ANNA, text="{still wrong")
    accept_draft(job_id, 1, ANNA, text=json.dumps([MEMORY]))
    assert get_job(job_id).card.state is JobState.APPLIED


def test_nothing_worth_storing_is_no_failure(ref: DiscussionRef) -> None:
    MODEL.answer = lambda _: "[]"

    draft = get_draft(finish(ref, Kind.VECTOR_MEMORIES, 1, 2), 1, {})

    assert (draft.card.state, draft.card.new_text) == (DraftState.READY, "[]")
    assert "nothing worth storing" in draft.notes[0]
