from __future__ import annotations

from pathlib import Path

import pytest

from memory import wiring
from memory.journal.contents import read_bytes
from memory.journal.rows import parse_rows
from memory.models import Revision
from memory.queries.noticing import notice_writes
from memory.services.editing import Editor
from memory.services.restoring import undo_batch
from memory.services.vector_memories_editing import (
    MemoryEdit,
    MemoryRemoval,
    add_memory,
    change_memory,
    remove_memories,
)
from memory.stores.vector_writes import get_stored_memory
from memory.types import DiscussionRef
from tests.builders import build_discussion

pytestmark = pytest.mark.django_db


@pytest.fixture
def ref(public: Path) -> DiscussionRef:
    return build_discussion(public, memories=3)


def forget_the_end() -> Revision:
    """As when the process had been killed right after the change."""
    newest = Revision.objects.latest("id")
    Revision.objects.filter(pk=newest.pk).update(state=Revision.State.PENDING, after=None)
    return newest


def test_a_change_that_came_to_pass_is_completed(ref: DiscussionRef) -> None:
    change_memory(Editor(ref, "mona"), 1, MemoryEdit("new"))
    before = forget_the_end()

    notice_writes(ref, {})
    after = Revision.objects.get(pk=before.pk)
    assert (after.state, after.after_id) == ("done", before.after_id)


def test_an_added_memory_is_found_by_its_time(ref: DiscussionRef) -> None:
    add_memory(Editor(ref, "mona"), MemoryEdit("earlier"))
    edited = add_memory(Editor(ref, "mona"), MemoryEdit("new"))
    newest = forget_the_end()

    notice_writes(ref, {})
    rows = parse_rows(read_bytes(Revision.objects.get(pk=newest.pk).after) or b"")
    assert [memory.text for memory in rows.memories] == ["new"]
    assert edited.batch
    undo_batch(ref, edited.batch, actor="mona", keys={})
    assert get_stored_memory(wiring.open_discussion(ref).vector_path(), 4).text == "earlier"


def test_a_change_that_did_not_come_to_pass_is_forgotten(ref: DiscussionRef) -> None:
    change_memory(Editor(ref, "mona"), 1, MemoryEdit("new"))
    done = Revision.objects.latest("id")
    Revision.objects.filter(pk=done.pk).update(state=Revision.State.PENDING, before=done.after_id, after=None)

    notice_writes(ref, {})
    assert not Revision.objects.filter(pk=done.pk).exists()


def test_a_removal_with_its_log_is_completed(ref: DiscussionRef) -> None:
    outcome = remove_memories(Editor(ref, "mona"), MemoryRemoval({3: None}, cuts_log=True))
    newest = forget_the_end()

    notice_writes(ref, {})
    rows = parse_rows(read_bytes(Revision.objects.get(pk=newest.pk).after) or b"")
    assert (rows.memories, rows.absent) == ((), (3,))
    assert outcome
