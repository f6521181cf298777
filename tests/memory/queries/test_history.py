from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from memory import wiring
from memory.engine.blast_radius import Weight
from memory.engine.differences import Change
from memory.engine.hashing import hash_api_key
from memory.engine.history import HistoryFilter
from memory.journal.authorship import writing_as
from memory.models import Revision, RevisionContent
from memory.queries import history
from memory.queries.noticing import notice_writes
from memory.queries.undo_plans import RevisionNotFoundError
from memory.services.restoring import undo_batch
from memory.stores.vector_restore import read_rows
from memory.stores.vector_writes import MemoryChange, edit_memory
from memory.types import Artefact, DiscussionRef, Entry, FileState
from tests.builders import API_KEY, build_discussion
from wilmer_site.lib.errors import InvalidError
from wilmer_site.lib.paging import PageRequest

pytestmark = pytest.mark.django_db

FIRST = PageRequest()
ONE, TWO = Entry("one", "a"), Entry("two", "b")


@pytest.fixture
def ref(public: Path) -> DiscussionRef:
    return build_discussion(public)


def write(ref: DiscussionRef, *entries: Entry, actor: str = "mona", action: str = "Edited") -> uuid.UUID:
    with writing_as(actor, action) as signed:
        wiring.open_discussion(ref).write_memories(entries)
    return signed.batch


def newest() -> int:
    return Revision.objects.latest("id").pk


def test_writes_are_listed_the_newest_first(ref: DiscussionRef) -> None:
    write(ref, ONE, action="First")
    write(ref, TWO, action="Second")

    assert [card.action for card in history.list_history(ref, HistoryFilter(), FIRST).items] == ["Second", "First"]


def test_writes_are_filtered_by_file_and_writer(ref: DiscussionRef) -> None:
    write(ref, ONE)
    with writing_as("otto", "Wrote"):
        wiring.open_discussion(ref).write_state_document("text")

    def count(filter: HistoryFilter) -> int:
        return history.list_history(ref, filter, FIRST).total

    assert count(HistoryFilter(Artefact.MEMORIES)) == 1
    assert count(HistoryFilter(actor="otto")) == 2
    assert history.count_writers(ref) == {"otto": 2, "mona": 1}
    assert history.count_files(ref)[Artefact.STATE_DOCUMENT] == 1


def test_a_card_tells_of_its_batch_and_of_its_undoing(ref: DiscussionRef) -> None:
    batch = write(ref, ONE)
    assert history.get_card(ref, newest()).may_undo
    undone = undo_batch(ref, batch, actor="mona", keys={})

    card = history.list_history(ref, HistoryFilter(), FIRST).items[1]
    assert (card.batch_size, card.undone_by, card.may_undo) == (1, undone.batch, False)


def test_a_ledger_is_compared_chunk_by_chunk(ref: DiscussionRef) -> None:
    entries = wiring.open_discussion(ref).read_memories().entries
    write(ref, entries[0], Entry("other", entries[1].hash))
    found = history.get_comparison(ref, newest(), {}).entries

    assert found
    assert [(item.kind, item.old_number) for item in found.changes] == [(Change.CHANGED, 2), (Change.REMOVED, 3)]


def test_a_version_is_compared_with_now_and_with_any_other(ref: DiscussionRef) -> None:
    write(ref, ONE)
    first = newest()
    write(ref, TWO)

    now = history.get_comparison(ref, first, {}, "now").entries
    other = history.get_comparison(ref, first, {}, str(newest())).entries
    assert now == other
    assert now
    assert now.count(Change.CHANGED) == 1


@pytest.mark.parametrize("against", ["yesterday", "-1", "²", "9" * 30])
def test_what_cannot_be_compared_is_refused(ref: DiscussionRef, against: str) -> None:
    write(ref, ONE)
    with pytest.raises(InvalidError):
        history.get_comparison(ref, newest(), {}, against)


def test_versions_of_two_files_are_not_compared(ref: DiscussionRef) -> None:
    write(ref, ONE)
    first = newest()
    wiring.open_discussion(ref).write_timestamps({"a": "b"})

    with pytest.raises(InvalidError, match="same file"):
        history.get_comparison(ref, first, {}, str(newest()))


def test_a_damaged_ledger_is_compared_as_text(ref: DiscussionRef) -> None:
    notice_writes(ref, {})
    wiring.open_discussion(ref).place(Artefact.MEMORIES).path.write_text("[{]")
    notice_writes(ref, {})

    comparison = history.get_comparison(ref, newest(), {})
    assert (comparison.new.state, comparison.entries) == (FileState.DAMAGED, None)
    assert comparison.text


def test_memories_are_compared_field_by_field(ref: DiscussionRef) -> None:
    files = wiring.open_discussion(ref)
    path = files.vector_path()
    with files.recording_rows(read_rows(path, ref.discussion_id, [1])) as record:
        edit_memory(path, 1, MemoryChange("new", {"title": "T", "entities": ["Anna"]}))
        record.after = read_rows(path, ref.discussion_id, [1])

    (memory,) = history.get_comparison(ref, newest(), {}).memories or ()
    assert {field.name for field in memory.fields} == {"text", "title", "key_phrases"}
    assert [field.new for field in memory.embeddings] == [None]
    assert history.get_comparison(ref, newest(), {}, "now").memories == ()


def test_encrypted_versions_need_the_key(public: Path) -> None:
    ref = build_discussion(public, api_key=API_KEY, encrypted=True)
    keys = {hash_api_key(API_KEY): API_KEY}
    with writing_as("mona", "Edited"):
        wiring.open_discussion(ref, keys).write_memories([ONE])

    locked = history.get_comparison(ref, newest(), {})
    assert (locked.old.state, locked.new.state, locked.entries) == (FileState.LOCKED, FileState.LOCKED, None)
    assert history.get_comparison(ref, newest(), keys).entries
    assert history.get_blame(ref, Artefact.MEMORIES, {}).state is FileState.LOCKED


def test_each_chunk_names_the_write_it_came_from(ref: DiscussionRef) -> None:
    old = wiring.open_discussion(ref).read_memories().entries
    write(ref, *old, ONE, action="Added one")
    write(ref, *old[1:], ONE, TWO, action="Added two")

    lines = history.get_blame(ref, Artefact.MEMORIES, {}).lines
    origins = [line.revision.action if line.revision else None for line in lines]
    assert origins == [None, None, "Added one", "Added two"]


def test_each_line_of_the_state_document_names_its_write(ref: DiscussionRef) -> None:
    files = wiring.open_discussion(ref)
    text = files.read_state_document().text
    with writing_as("mona", "Added a line"):
        files.write_state_document(f"{text}\nnew")

    lines = history.get_blame(ref, Artefact.STATE_DOCUMENT, {}).lines
    assert [line.revision.action if line.revision else None for line in lines] == [None, None, None, "Added a line"]


def test_the_vector_database_has_no_lines(ref: DiscussionRef) -> None:
    with pytest.raises(InvalidError):
        history.get_blame(ref, Artefact.VECTOR_MEMORY, {})


def test_a_batch_tells_what_taking_it_back_would_cause(ref: DiscussionRef) -> None:
    old = wiring.open_discussion(ref).read_memories().entries
    batch = write(ref, *old, Entry("four", "d"))
    report = history.get_batch(ref, batch, {})

    assert not report.is_conflict
    assert [step.artefact for step in report.steps] == [Artefact.MEMORIES]
    assert report.radius.consequences[0].weight is Weight.WARNING


def test_a_batch_tells_what_was_written_since(ref: DiscussionRef) -> None:
    batch = write(ref, ONE)
    write(ref, ONE, TWO)
    (step,) = history.get_batch(ref, batch, {}).steps

    assert step.since
    assert step.since.entries
    assert step.since.entries.count(Change.ADDED) == 1


def test_dropped_contents_are_told(ref: DiscussionRef) -> None:
    batch = write(ref, ONE)
    RevisionContent.objects.update(data=b"", stored_bytes=0)

    assert "dropped" in history.get_batch(ref, batch, {}).problem
    assert history.get_comparison(ref, newest(), {}).old.is_dropped
    assert not history.get_card(ref, newest()).is_kept
    assert history.get_size().dropped_contents == 2


def test_a_preview_says_what_a_restore_would_change(ref: DiscussionRef) -> None:
    write(ref, ONE)
    preview = history.preview_restore(ref, newest(), {}, side="before")

    assert preview.comparison.entries
    assert preview.comparison.entries.count(Change.ADDED) == 3
    assert not preview.radius.is_quiet


@pytest.mark.parametrize("call", ["get_card", "get_comparison", "preview_restore", "get_batch"])
def test_what_is_not_in_the_history_is_not_found(ref: DiscussionRef, call: str) -> None:
    calls = {
        "get_card": lambda: history.get_card(ref, 5),
        "get_comparison": lambda: history.get_comparison(ref, 5, {}),
        "preview_restore": lambda: history.preview_restore(ref, 5, {}, side="after"),
        "get_batch": lambda: history.get_batch(ref, uuid.uuid4(), {}),
    }
    with pytest.raises(RevisionNotFoundError):
        calls[call]()
