from __future__ import annotations

from pathlib import Path

import pytest
from django.test import override_settings

from memory import wiring
from memory.journal.authorship import OUTSIDE, writing_as
from memory.journal.contents import read_bytes
from memory.models import Revision, RevisionContent
from memory.stores.discussion_files import DiscussionFiles
from memory.types import DiscussionId, DiscussionRef, Entry
from wilmer_site.lib.errors import RefusedError
from wilmer_site.lib.files import FileChangedError

pytestmark = pytest.mark.django_db

REF = DiscussionRef(DiscussionId("chat"))


@pytest.fixture
def files(public: Path) -> DiscussionFiles:
    return wiring.open_or_create_discussion(REF)


def _revisions() -> list[Revision]:
    return list(Revision.objects.order_by("id").select_related("before", "after"))


def test_a_write_is_noted_with_what_it_replaced(files: DiscussionFiles) -> None:
    with writing_as("mona", "Added a chunk"):
        files.write_memories([Entry("one", "a")])
    with writing_as("mona", "Edited chunk 1"):
        files.write_memories([Entry("two", "a")])

    first, second = _revisions()
    assert (first.actor, first.action, first.before, first.state) == ("mona", "Added a chunk", None, "done")
    assert b'"one"' in (read_bytes(second.before) or b"")
    assert b'"two"' in (read_bytes(second.after) or b"")


def test_equal_contents_are_kept_once(files: DiscussionFiles) -> None:
    for text in ("one", "two", "one"):
        files.write_memories([Entry(text, "a")])

    assert (len(_revisions()), RevisionContent.objects.count()) == (3, 2)


def test_a_write_of_another_program_is_noticed(files: DiscussionFiles) -> None:
    files.write_memories([Entry("one", "a")])
    path = files.place(files.read_memories().report.artefact).path
    path.write_text('[{"text_block": "theirs", "hash": "b"}]')

    files.write_memories([Entry("two", "a")])

    _, theirs, ours = _revisions()
    assert theirs.actor == OUTSIDE
    assert ours.before == theirs.after


def test_a_refused_write_leaves_no_revision(files: DiscussionFiles) -> None:
    with pytest.raises(FileChangedError):
        files.write_memories([Entry("one", "a")], expected_etag="another")

    assert _revisions() == []


def test_a_killed_write_is_settled_by_what_the_file_holds(files: DiscussionFiles) -> None:
    files.write_memories([Entry("one", "a")])
    files.write_memories([Entry("two", "a")])
    Revision.objects.update(state=Revision.State.PENDING)

    files.write_memories([Entry("three", "a")])

    assert [revision.state for revision in _revisions()] == ["done", "done"]


def test_a_deleted_file_can_be_put_back(files: DiscussionFiles) -> None:
    files.write_memories([Entry("one", "a")])
    artefact = files.read_memories().report.artefact
    files.delete_file(artefact)

    data = read_bytes(_revisions()[-1].before)
    assert data is not None
    files.restore_bytes(artefact, data)
    assert files.read_memories().entries == (Entry("one", "a"),)


def test_read_only_forbids_every_write(public: Path) -> None:
    with override_settings(WILMER_READ_ONLY=True):
        files = wiring.open_or_create_discussion(REF)
        with pytest.raises(RefusedError, match="read-only"):
            files.write_memories([Entry("one", "a")])

    assert not files.place(files.read_memories().report.artefact).path.exists()
