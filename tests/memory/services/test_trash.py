from __future__ import annotations

import os
from pathlib import Path

import pytest
from django.test import override_settings

from memory import wiring
from memory.errors import DiscussionNotFoundError, JobOpenError
from memory.journal.authorship import writing_as
from memory.models import AuditEntry, Job, Revision
from memory.services import trash
from memory.stores.belongings import LinkedFolderError
from memory.stores.trash import TrashClashError, TrashNotFoundError
from memory.types import Entry, Generation
from tests.builders import API_KEY, build_discussion, build_vector_database
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.errors import InvalidError, RefusedError

pytestmark = pytest.mark.django_db


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, without the console's own."""
    found = [path for path in folder.rglob("*") if path.is_file() and ".wilmer-console" not in path.parts]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def test_a_discussion_goes_and_comes_back_as_it_was(public: Path) -> None:
    ref = build_discussion(public)
    before = contents(public)

    entry = trash.trash_discussion(ref, actor="mona")
    with pytest.raises(DiscussionNotFoundError):
        wiring.open_discussion(ref)
    assert not (public / "DiscussionIds/anna").exists()
    trash.restore_trashed(entry.name, actor="mona")
    assert contents(public) == before
    assert trash.list_trash() == ()


@pytest.mark.parametrize("layout", list(Generation)[:4])
def test_every_layout_goes_whole(public: Path, layout: Generation) -> None:
    build_discussion(public, "other", layout=layout)
    others = contents(public)
    ref = build_discussion(public, layout=layout)
    build_vector_database(public / "anna_vector_memory.db", "anna")
    before = contents(public)

    entry = trash.trash_discussion(ref, actor="mona")
    assert contents(public) == others
    trash.restore_trashed(entry.name, actor="mona")
    assert contents(public) == before


def test_a_discussion_under_a_key_goes_without_the_key(public: Path) -> None:
    ref = build_discussion(public, api_key=API_KEY, encrypted=True)
    before = contents(public)

    entry = trash.trash_discussion(ref, actor="mona")
    trash.restore_trashed(entry.name, actor="mona")
    assert contents(public) == before


def test_unused_files_and_companions_go_too(public: Path) -> None:
    ref, root = build_discussion(public), public / "DiscussionIds"
    for name in (
        "anna_memories.json",
        "anna/memories.json.damaged",
        "anna/vector_memory.db-journal",
        "anna/Timestamps.json",
    ):
        (root / name).write_text("x")
    (root / "anna/notes.txt").write_text("mine")
    (root / "annabel_memories.json").write_text("hers")

    trash.trash_discussion(ref, actor="mona")
    left = sorted(contents(root))
    assert left == ["anna/notes.txt", "annabel_memories.json"]
    assert trash.list_trash()[0].file_count == 8


def test_links_are_moved_and_never_followed(public: Path, tmp_path: Path) -> None:
    ref, root = build_discussion(public), public / "DiscussionIds"
    outside = tmp_path / "outside.json"
    outside.write_text("[]")
    (root / "anna/memories.json").unlink()
    (root / "anna/memories.json").symlink_to(outside)

    entry = trash.trash_discussion(ref, actor="mona")
    trash.purge_trashed([entry.name], actor="mona", count=1)
    assert outside.read_text() == "[]"


def test_a_folder_that_is_a_link_stays(public: Path) -> None:
    build_discussion(public, "real")
    root = public / "DiscussionIds"
    (root / "linked").symlink_to(root / "real")
    ref = next(ref for ref in wiring.get_discussion_folders().scan() if ref.discussion_id == "linked")

    assert "link" in trash.plan_trashing(ref).problem
    with pytest.raises(LinkedFolderError):
        trash.trash_discussion(ref, actor="mona")
    assert (root / "real/memories.json").exists()


def test_nothing_is_put_back_over_another_file(public: Path) -> None:
    ref = build_discussion(public)
    entry = trash.trash_discussion(ref, actor="mona")
    build_discussion(public, chunks=1)
    before = contents(public)

    with pytest.raises(TrashClashError):
        trash.restore_trashed(entry.name, actor="mona")
    assert contents(public) == before
    assert trash.get_trashed(entry.name).file_count == entry.file_count


def test_history_goes_along_and_comes_back(public: Path) -> None:
    ref = build_discussion(public)
    with writing_as("mona", "Edited"):
        wiring.open_discussion(ref).write_memories([Entry("one", "a")])

    entry = trash.trash_discussion(ref, actor="mona")
    assert not Revision.objects.filter(discussion="anna").exists()
    trash.restore_trashed(entry.name, actor="mona")
    assert Revision.objects.get().discussion == "anna"


def test_purging_removes_files_and_history(public: Path) -> None:
    ref = build_discussion(public)
    wiring.open_discussion(ref).write_memories([Entry("one", "a")])
    entry = trash.trash_discussion(ref, actor="mona")

    with pytest.raises(InvalidError, match="Type the number"):
        trash.purge_trashed([entry.name], actor="mona", count=2)
    trash.purge_trashed([entry.name], actor="mona", count=1)
    assert (trash.list_trash(), Revision.objects.count()) == ((), 0)
    assert list(AuditEntry.objects.values_list("action", flat=True)) == ["discussion-deleted", "discussion-purged"]


def test_many_go_when_their_number_is_told(public: Path) -> None:
    refs = [build_discussion(public, name) for name in ("a", "b", "c")]
    Job.objects.create(kind="x", folder=str(public / "DiscussionIds"), discussion="b", layer="m", created_at=utc_now())

    with pytest.raises(InvalidError):
        trash.trash_many(refs, actor="mona", count=2)
    moved = trash.trash_many(refs, actor="mona", count=3)
    assert [entry.ref.discussion_id for entry in moved.entries if entry.ref] == ["a", "c"]
    assert [ref.discussion_id for ref, _ in moved.refused] == ["b"]
    with pytest.raises(JobOpenError):
        trash.trash_discussion(refs[1], actor="mona")


@pytest.mark.parametrize("name", ["..", ".", "", "a/b", "nothing", "x" * 200, "../../anna"])
def test_names_that_are_none_are_not_found(public: Path, name: str) -> None:
    build_discussion(public)
    with pytest.raises(TrashNotFoundError):
        trash.get_trashed(name)
    with pytest.raises(TrashNotFoundError):
        trash.purge_trashed([name], actor="mona", count=1)


def test_a_list_of_files_that_names_another_place_is_refused(public: Path) -> None:
    entry = trash.trash_discussion(build_discussion(public), actor="mona")
    manifest = public / "DiscussionIds/.wilmer-console/trash" / entry.name / "manifest.json"
    good = manifest.read_text()

    for bad in ("../../evil.json", "/etc/evil", "other/memories.json", "anna/notes.txt", "anna/../x_memories.json"):
        manifest.write_text(good.replace("anna/memories.json", bad))
        with pytest.raises(InvalidError, match="no place"):
            trash.restore_trashed(entry.name, actor="mona")
    manifest.write_text("{")
    assert trash.list_trash()[0].problem
    trash.purge_trashed([entry.name], actor="mona", count=1)


def test_a_trash_that_was_interrupted_loses_nothing(public: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ref, moved = build_discussion(public), []
    before, rename = contents(public), Path.rename

    def fail_at_third(self: Path, target: Path) -> Path:
        moved.append(self)
        if len(moved) == 3:
            raise KeyboardInterrupt
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fail_at_third)
    with pytest.raises(KeyboardInterrupt):
        trash.trash_discussion(ref, actor="mona")
    monkeypatch.undo()
    trash.restore_trashed(trash.list_trash()[0].name, actor="mona")
    assert contents(public) == before


def test_files_on_another_disk_are_copied(public: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ref = build_discussion(public)
    before = contents(public)

    def refuse(self: Path, target: Path) -> Path:
        raise OSError(18, os.strerror(18))

    monkeypatch.setattr(Path, "rename", refuse)
    entry = trash.trash_discussion(ref, actor="mona")
    trash.restore_trashed(entry.name, actor="mona")
    assert contents(public) == before


def test_read_only_deletes_nothing(public: Path) -> None:
    ref = build_discussion(public)
    before = contents(public)
    with override_settings(WILMER_READ_ONLY=True), pytest.raises(RefusedError):
        trash.trash_discussion(ref, actor="mona")
    assert contents(public) == before
