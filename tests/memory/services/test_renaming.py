from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.test import override_settings

from memory import wiring
from memory.errors import DiscussionNotFoundError, JobOpenError, UnsafeDiscussionIdError
from memory.models import Job, ProgressNote, Revision, Transcript
from memory.services.renaming import finish_renames, rename_discussion
from memory.stores.locks import DiscussionLock
from memory.stores.public_folder import PublicFolder
from memory.stores.rename_notes import RenameNotes
from memory.stores.renaming import _list_steps
from memory.stores.staging import DiscussionExistsError
from memory.stores.vector_restore import read_progress
from memory.types import DiscussionRef, Entry, Generation
from tests.builders import API_KEY, build_discussion, build_vector_database
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.errors import RefusedError

pytestmark = pytest.mark.django_db


def names(public: Path) -> list[str]:
    found = [path for path in public.rglob("*") if path.is_file() and ".wilmer-console" not in path.parts]
    return sorted(str(path.relative_to(public)) for path in found if "Configs" not in path.parts)


def ids_in(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(
            "SELECT discussion_id FROM memories UNION SELECT discussion_id FROM vector_memory_hash_log"
        )
        return {row[0] for row in rows}


@pytest.mark.parametrize("layout", list(Generation)[:4])
def test_every_layout_gets_the_new_name(public: Path, layout: Generation) -> None:
    ref = build_discussion(public, "anna", layout=layout, condensed_up_to=1)
    build_vector_database(public / "anna_vector_memory.db", "anna")
    before = names(public)
    content = wiring.open_discussion(ref).read_memories().entries

    new = rename_discussion(ref, "berta", actor="mona")
    assert names(public) == sorted(name.replace("anna", "berta") for name in before)
    files = wiring.open_discussion(new)
    assert files.read_memories().entries == content
    assert ids_in(files.vector_path()) == ids_in(public / "berta_vector_memory.db") == {"berta"}
    assert len(read_progress(files.vector_path(), new.discussion_id)) == 1


def test_keyed_discussions_stay_under_their_key(public: Path) -> None:
    ref = build_discussion(public, api_key=API_KEY, encrypted=True)
    new = rename_discussion(ref, "berta", actor="mona")

    assert new.key_hash == ref.key_hash
    assert wiring.open_discussion(new).read_memories().report.state == "locked"
    with pytest.raises(DiscussionNotFoundError):
        wiring.open_discussion(ref)


def test_what_the_console_keeps_goes_along(public: Path) -> None:
    ref, folder = build_discussion(public), str(public / "DiscussionIds")
    wiring.open_discussion(ref).write_memories([Entry("one", "a")])
    ProgressNote.objects.create(folder=folder, discussion="anna", kind="file")
    Transcript.objects.create(folder=folder, discussion="anna", format="x", created_at=utc_now(), updated_at=utc_now())

    rename_discussion(ref, "berta", actor="mona")
    for model in (Revision, ProgressNote, Transcript):
        assert set(model.objects.values_list("discussion", flat=True)) == {"berta"}


@pytest.mark.parametrize("bad", ["", ".", "..", "a/b", "CON", "a.", "x" * 300, "a\nb", "a*b"])
def test_unsafe_ids_are_refused(public: Path, bad: str) -> None:
    ref = build_discussion(public)
    with pytest.raises(UnsafeDiscussionIdError):
        rename_discussion(ref, bad, actor="mona")


def test_ids_that_exist_are_refused(public: Path) -> None:
    ref = build_discussion(public)
    build_discussion(public, "berta", layout=Generation.FLAT)
    before = names(public)

    with pytest.raises(DiscussionExistsError):
        rename_discussion(ref, "berta", actor="mona")
    assert names(public) == before


def test_open_jobs_are_waited_for(public: Path) -> None:
    ref = build_discussion(public)
    Job.objects.create(
        kind="x", folder=str(public / "DiscussionIds"), discussion="anna", layer="m", created_at=utc_now()
    )
    with pytest.raises(JobOpenError):
        rename_discussion(ref, "berta", actor="mona")


def test_a_failure_gives_the_old_names_back(public: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ref = build_discussion(public, layout=Generation.FLAT)
    before, rename, moved = names(public), Path.rename, []

    def fail_at_third(self: Path, target: Path) -> Path:
        moved.append(self)
        if len(moved) == 3:
            raise PermissionError(13, "Permission denied")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fail_at_third)
    with pytest.raises(RefusedError):
        rename_discussion(ref, "berta", actor="mona")
    assert names(public) == before
    assert ids_in(wiring.open_discussion(ref).vector_path()) == {"anna"}


def test_read_only_renames_nothing(public: Path) -> None:
    ref: DiscussionRef = build_discussion(public)
    with override_settings(WILMER_READ_ONLY=True), pytest.raises(RefusedError):
        rename_discussion(ref, "berta", actor="mona")


class Killed(BaseException):
    """Stands for a process that is gone: nothing after it runs."""


def kill_after(monkeypatch: pytest.MonkeyPatch, renamings: int) -> None:
    """Let `rename_files` die behind so many renamed files, without anything being taken back."""

    def rename_some(folder: PublicFolder, old: DiscussionRef, new: DiscussionRef) -> int:
        for source, target in list(_list_steps(folder, old, new))[:renamings]:
            source.rename(target)
        raise Killed

    monkeypatch.setattr("memory.services.renaming.rename_files", rename_some)
    monkeypatch.setattr("memory.stores.rename_notes.RenameNote.delete", lambda note: None)


@pytest.mark.parametrize("layout", list(Generation)[:4])
@pytest.mark.parametrize("renamings", range(4))
def test_a_renaming_that_was_cut_off_is_finished(
    public: Path, monkeypatch: pytest.MonkeyPatch, layout: Generation, renamings: int
) -> None:
    ref = build_discussion(public, "anna", layout=layout, condensed_up_to=1)
    wiring.open_discussion(ref).write_memories([Entry("one", "a")])
    before, revisions = names(public), Revision.objects.count()
    with monkeypatch.context() as patch:
        kill_after(patch, renamings)
        with pytest.raises(Killed):
            rename_discussion(ref, "berta", actor="mona")

    assert finish_renames() == 1
    assert names(public) == sorted(name.replace("anna", "berta") for name in before)
    new = DiscussionRef.parse("berta")
    assert ids_in(wiring.open_discussion(new).vector_path()) == {"berta"}
    assert Revision.objects.filter(discussion="berta").count() == revisions
    assert finish_renames() == 0


def test_what_was_written_meanwhile_is_not_overwritten(public: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ref = build_discussion(public, "anna", layout=list(Generation)[3])
    with monkeypatch.context() as patch:
        kill_after(patch, 1)
        with pytest.raises(Killed):
            rename_discussion(ref, "berta", actor="mona")
    (moved,) = [name for name in names(public) if "berta" in name]
    (public / moved.replace("berta", "anna")).write_text("newer")

    finish_renames()
    assert (public / moved.replace("berta", "anna")).read_text() == "newer"
    assert (public / moved).read_text() != "newer"


def test_a_renaming_under_way_is_left_alone(public: Path) -> None:
    ref, root = build_discussion(public, "anna"), public / "DiscussionIds"
    new = DiscussionRef.parse("berta")
    with DiscussionLock(root, ref).hold(), RenameNotes(root).noting(ref, new, actor="mona"):
        assert finish_renames() == 0
    assert RenameNotes(root).list() == ()


@pytest.mark.parametrize("text", ["", "[]", '{"old": "a"}', '{"old": "../x", "new": "b", "actor": "m"}'])
def test_notes_that_make_no_sense_are_passed_over(public: Path, text: str) -> None:
    build_discussion(public, "a")
    folder = public / "DiscussionIds/.wilmer-console/renames"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "x.json").write_text(text)
    assert finish_renames() == 0
