from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from memory import wiring
from memory.engine.hashing import hash_api_key
from memory.engine.rollback import RollbackPoint
from memory.errors import UnsafeDiscussionIdError
from memory.models import Revision, Transcript, TranscriptMessage
from memory.services import trash
from memory.services.arrivals import delete_old_stagings
from memory.services.forking import CopyOrder, copy_discussion
from memory.services.restoring import undo_batch
from memory.stores.staging import DiscussionExistsError
from memory.types import Artefact, DiscussionRef, FileState, Generation
from tests.builders import API_KEY, build_discussion, hash_of
from tests.memory.chats import attach_chat
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.errors import InvalidError, NotFoundError, RefusedError

pytestmark = pytest.mark.django_db


@pytest.fixture
def ref(public: Path) -> DiscussionRef:
    ref = build_discussion(public, chunks=4, summary_up_to=2)
    attach_chat(ref, 6)
    return ref


def copy(ref: DiscussionRef, order: CopyOrder) -> DiscussionRef:
    return copy_discussion(ref, order, actor="mona", keys={}).ref


def test_a_copy_holds_the_same_and_the_old_one_stays(ref: DiscussionRef) -> None:
    files = wiring.open_discussion(ref)
    before = [files.raw_bytes(name) for name in Artefact]
    new = wiring.open_discussion(copy(ref, CopyOrder("berta")))

    assert [new.raw_bytes(name) for name in list(Artefact)[:-1]] == before[:-1]
    assert [files.raw_bytes(name) for name in Artefact] == before
    assert TranscriptMessage.objects.filter(transcript__discussion="berta").count() == 6
    with closing(sqlite3.connect(new.vector_path())) as connection:
        assert connection.execute("SELECT DISTINCT discussion_id FROM memories").fetchall() == [("berta",)]


def test_a_fork_ends_before_the_message(ref: DiscussionRef) -> None:
    new = wiring.open_discussion(copy(ref, CopyOrder("berta", point=RollbackPoint(message=3))))

    assert [entry.hash for entry in new.read_memories().entries] == [hash_of("message 1"), hash_of("message 2")]
    assert len(wiring.open_discussion(ref).read_memories().entries) == 4
    assert TranscriptMessage.objects.filter(transcript__discussion="berta").count() == 2


def test_a_fork_can_be_made_whole_again(ref: DiscussionRef) -> None:
    new = copy(ref, CopyOrder("berta", point=RollbackPoint(message=3)))
    batch = Revision.objects.filter(discussion="berta", action__startswith="Rolled back").latest("id").batch

    undo_batch(new, batch, actor="mona", keys={})
    assert len(wiring.open_discussion(new).read_memories().entries) == 4


def test_parts_can_be_carried_over(ref: DiscussionRef) -> None:
    new = wiring.open_discussion(copy(ref, CopyOrder("berta", groups=("state", "vector"), with_transcript=False)))

    there = {report.artefact for report in new.reports() if report.state is not FileState.ABSENT}
    assert there == {Artefact.STATE_DOCUMENT, Artefact.VECTOR_MEMORY}
    assert not TranscriptMessage.objects.filter(transcript__discussion="berta").exists()


@pytest.mark.parametrize("layout", list(Generation)[:4])
def test_every_layout_can_be_copied(public: Path, layout: Generation) -> None:
    ref = build_discussion(public, "old", layout=layout)
    new = wiring.open_discussion(copy(ref, CopyOrder("new")))

    assert new.read_memories().entries == wiring.open_discussion(ref).read_memories().entries
    assert (public / "DiscussionIds/new").is_dir()


def test_encrypted_files_are_copied_as_they_are(public: Path) -> None:
    ref = build_discussion(public, api_key=API_KEY, encrypted=True)
    new = copy(ref, CopyOrder("berta"))

    opened = wiring.open_discussion(new, {hash_api_key(API_KEY): API_KEY})
    assert len(opened.read_memories().entries) == 3


def test_a_copy_is_in_the_history(ref: DiscussionRef) -> None:
    copy(ref, CopyOrder("berta"))
    rows = Revision.objects.filter(discussion="berta")

    assert {row.action for row in rows} == {"Copied from anna"}
    assert {row.origin for row in rows} == {"import"}


def test_names_that_are_taken_or_unsafe_are_refused(ref: DiscussionRef) -> None:
    with pytest.raises(DiscussionExistsError):
        copy(ref, CopyOrder("anna"))
    with pytest.raises(UnsafeDiscussionIdError):
        copy(ref, CopyOrder("NUL"))


def test_nothing_is_made_when_the_order_makes_no_sense(ref: DiscussionRef, public: Path) -> None:
    orders = [CopyOrder("b", groups=()), CopyOrder("b", groups=("x",)), CopyOrder("b", groups=("rest",))]
    for order in orders:
        with pytest.raises(InvalidError):
            copy(ref, order)
    with pytest.raises(NotFoundError):
        copy(build_discussion(public, "ben"), CopyOrder("b", point=RollbackPoint(message=2)))
    assert not (public / "DiscussionIds/b").exists()


def test_links_out_of_the_folder_are_not_copied(ref: DiscussionRef, public: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret")
    (public / "DiscussionIds/anna/state_document.md").unlink()
    (public / "DiscussionIds/anna/state_document.md").symlink_to(tmp_path / "secret.md")

    with pytest.raises(Exception, match="link"):
        copy(ref, CopyOrder("berta"))
    assert not (public / "DiscussionIds/berta").exists()
    assert not list((public / "DiscussionIds/.wilmer-console/staging").iterdir())


def test_what_a_killed_copy_left_goes_after_a_day(ref: DiscussionRef, public: Path) -> None:
    left = public / "DiscussionIds/.wilmer-console/staging/0123"
    left.mkdir(parents=True)
    (left / "0").write_text("x")

    assert delete_old_stagings(utc_now()) == 0
    assert delete_old_stagings(utc_now() + timedelta(days=2)) == 1
    assert not left.exists()


def test_a_copy_of_protected_files_can_be_written_on(public: Path) -> None:
    ref = build_discussion(public, chunks=4)
    attach_chat(ref, 5)
    for path in (public / "DiscussionIds/anna").iterdir():
        path.chmod(0o444)

    copied = copy_discussion(ref, CopyOrder("berta", point=RollbackPoint(message=3)), actor="mona", keys={})
    assert len(wiring.open_discussion(copied.ref).read_memories().entries) == 2
    assert {path.stat().st_mode & 0o777 for path in (public / "DiscussionIds/berta").iterdir()} == {0o644}


def test_a_fork_that_cannot_be_cut_leaves_no_copy(public: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ref = build_discussion(public, chunks=4)
    attach_chat(ref, 5)

    def fail(*_: object, **__: object) -> None:
        raise RefusedError("The disk says no.")

    monkeypatch.setattr("memory.services.forking.roll_back", fail)
    with pytest.raises(RefusedError):
        copy_discussion(ref, CopyOrder("berta", point=RollbackPoint(message=3)), actor="mona", keys={})
    assert not (public / "DiscussionIds/berta").exists()
    assert not Transcript.objects.filter(discussion="berta").exists()
    assert trash.list_trash() == ()
