from __future__ import annotations

import hashlib
import io
import json
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.test import override_settings

from memory import wiring
from memory.engine.hashing import hash_api_key
from memory.errors import DiscussionNotFoundError
from memory.journal.authorship import writing_as
from memory.models import Revision, Transcript, TranscriptMessage
from memory.queries.history import get_comparison
from memory.services import trash
from memory.services.archive_imports import ImportChoice, import_archive, plan_import
from memory.services.archives import ArchiveOrder, export_archive, name_archive
from memory.services.restoring import undo_batch
from memory.stores.archive_reading import ArchiveRefusedError
from memory.types import Artefact, DiscussionRef, Entry, FileState, Generation
from tests.builders import API_KEY, build_discussion, build_vector_database
from tests.memory.chats import attach_chat
from wilmer_site.lib.errors import InvalidError, RefusedError

pytestmark = pytest.mark.django_db


def export(path: Path, *refs: DiscussionRef, **options: bool) -> Path:
    archive = path / "archive.zip"
    archive.write_bytes(b"".join(export_archive(ArchiveOrder(refs, **options))))
    return archive


def contents(public: Path) -> dict[str, object]:
    """Every file of the discussions; databases as their rows."""
    found = [
        path for path in public.rglob("*") if path.is_file() and not {"Configs", ".wilmer-console"} & set(path.parts)
    ]
    return {str(path.relative_to(public)): _content(path) for path in found}


def _content(path: Path) -> object:
    if path.suffix != ".db" or not path.stat().st_size:
        return path.read_bytes(), path.stat().st_mode
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def import_all(archive: Path, **choice: Any) -> list[str]:
    done = import_archive(archive, [ImportChoice(0, **choice)], actor="mona")
    assert done.refused == []
    return [ref.text for ref in done.refs]


@pytest.mark.parametrize("layout", list(Generation)[:4])
def test_a_round_trip_loses_nothing(public: Path, tmp_path: Path, layout: Generation) -> None:
    ref = build_discussion(public, layout=layout, condensed_up_to=1, summary_up_to=None)
    build_vector_database(public / "anna_vector_memory.db", "anna")
    (public / "DiscussionIds/anna/context_compactor_old.json").write_bytes(b"")
    before = contents(public)
    archive = export(tmp_path, ref)
    trash.purge_trashed([trash.trash_discussion(ref, actor="mona").name], actor="mona", count=1)

    assert import_all(archive) == ["anna"]
    assert contents(public) == before


def test_keyed_discussions_come_back_under_their_key(public: Path, tmp_path: Path) -> None:
    ref = build_discussion(public, api_key=API_KEY, encrypted=True)
    before = contents(public)
    archive = export(tmp_path, ref)
    trash.trash_discussion(ref, actor="mona")

    assert import_all(archive) == [ref.text]
    assert contents(public) == before
    assert wiring.open_discussion(ref, {hash_api_key(API_KEY): API_KEY}).read_memories().entries


def test_absent_files_stay_absent_and_empty_ones_empty(public: Path, tmp_path: Path) -> None:
    ref = build_discussion(public, chunks=0, summary_up_to=None, memories=None, state_document="")
    archive = export(tmp_path, ref)
    trash.trash_discussion(ref, actor="mona")
    import_all(archive)

    files = wiring.open_discussion(ref)
    states = {name: files.report(name).state for name in (Artefact.MEMORIES, Artefact.SUMMARY, Artefact.STATE_DOCUMENT)}
    assert list(states.values()) == [FileState.EMPTY, FileState.ABSENT, FileState.EMPTY]


def test_transcript_and_history_come_along(public: Path, tmp_path: Path) -> None:
    ref = build_discussion(public)
    attach_chat(ref, 3)
    with writing_as("mona", "Edited chunk 1") as signed:
        wiring.open_discussion(ref).write_memories([Entry("one", "a")])
    archive = export(tmp_path, ref)
    import_all(archive, new_id="berta")

    new = DiscussionRef.parse("berta")
    assert list(TranscriptMessage.objects.filter(transcript__discussion="berta").values_list("content", flat=True)) == [
        "message 1", "message 2", "message 3",
    ]  # fmt: skip
    assert get_comparison(new, Revision.objects.get(discussion="berta", actor="mona").pk, {}).entries
    undo_batch(new, signed.batch, actor="mona", keys={})
    assert len(wiring.open_discussion(new).read_memories().entries) == 3
    assert len(wiring.open_discussion(ref).read_memories().entries) == 1


def test_history_and_transcript_can_stay_away(public: Path, tmp_path: Path) -> None:
    ref = build_discussion(public)
    attach_chat(ref, 3)
    wiring.open_discussion(ref).write_memories([Entry("one", "a")])
    archive = export(tmp_path, ref, with_history=False, with_transcripts=False)
    import_all(archive, new_id="berta")

    assert not Transcript.objects.filter(discussion="berta").exists()
    assert not Revision.objects.filter(discussion="berta", actor="memory run").exists()


@pytest.mark.parametrize("layout", list(Generation)[:4])
def test_another_id_is_written_everywhere(public: Path, tmp_path: Path, layout: Generation) -> None:
    ref = build_discussion(public, layout=layout)
    import_all(export(tmp_path, ref), new_id="berta")
    new = wiring.open_discussion(DiscussionRef.parse("berta"))

    assert new.read_memories().entries == wiring.open_discussion(ref).read_memories().entries
    with closing(sqlite3.connect(new.vector_path())) as connection:
        assert connection.execute("SELECT DISTINCT discussion_id FROM memories").fetchall() == [("berta",)]


def test_an_existing_discussion_is_told_and_can_be_replaced(public: Path, tmp_path: Path) -> None:
    ref = build_discussion(public)
    archive = export(tmp_path, ref)
    wiring.open_discussion(ref).write_memories([Entry("newer", "a")])

    (item,) = plan_import(archive).items
    assert (item.exists, item.files) == (True, 4)
    assert import_archive(archive, [ImportChoice(0)], actor="mona").refused[0][0] == "anna"
    import_all(archive, replaces=True)
    assert len(wiring.open_discussion(ref).read_memories().entries) == 3
    assert len(trash.list_trash()) == 1


def test_many_are_exported_and_imported(public: Path, tmp_path: Path) -> None:
    refs = [build_discussion(public, f"d{number}") for number in range(5)]
    archive = export(tmp_path, *refs)
    for ref in refs:
        trash.trash_discussion(ref, actor="mona")

    done = import_archive(archive, [ImportChoice(number) for number in (0, 2, 4)], actor="mona")
    assert [ref.text for ref in done.refs] == ["d0", "d2", "d4"]


def test_a_writer_cannot_tear_the_database(public: Path, tmp_path: Path) -> None:
    ref = build_discussion(public, memories=20)
    path = wiring.open_discussion(ref).vector_path()
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("DELETE FROM memories WHERE id = 1")
        archive = export(tmp_path, ref)
        writer.rollback()
    import_all(archive, new_id="berta")

    with closing(sqlite3.connect(wiring.open_discussion(DiscussionRef.parse("berta")).vector_path())) as connection:
        assert connection.execute("SELECT count(*) FROM memories").fetchone() == (20,)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_damaged_files_and_databases_are_taken_as_they_are(public: Path, tmp_path: Path) -> None:
    ref = build_discussion(public)
    (public / "DiscussionIds/anna/memories.json").write_bytes(b"[{\xff")
    (public / "DiscussionIds/anna/vector_memory.db").write_bytes(b"no database at all" * 99)
    archive = export(tmp_path, ref)
    import_all(archive, new_id="berta")

    assert (public / "DiscussionIds/berta/memories.json").read_bytes() == b"[{\xff"
    assert (public / "DiscussionIds/berta/vector_memory.db").read_bytes() == b"no database at all" * 99


def test_what_cannot_be_read_is_told_in_the_archive(public: Path, tmp_path: Path) -> None:
    ref = build_discussion(public)
    (public / "DiscussionIds/anna/memories.json").unlink()
    (public / "DiscussionIds/anna/memories.json").symlink_to(tmp_path / "elsewhere")

    (item,) = plan_import(export(tmp_path, ref)).items
    assert "link" in item.problems[0]


def test_the_archive_is_made_in_parts(public: Path) -> None:
    ref = build_discussion(public)
    (public / "DiscussionIds/anna/state_document.md").write_bytes(hashlib.sha512(b"x").digest() * 50_000)

    parts = list(export_archive(ArchiveOrder((ref,))))
    assert max(map(len, parts)) < 1_500_000
    assert zipfile.ZipFile(io.BytesIO(b"".join(parts))).testzip() is None


def test_nothing_and_nobody_are_not_exported(public: Path) -> None:
    with pytest.raises(InvalidError):
        export_archive(ArchiveOrder(()))
    with pytest.raises(DiscussionNotFoundError):
        export_archive(ArchiveOrder((DiscussionRef.parse("nobody"),)))


def test_names_of_archives_are_plain(public: Path) -> None:
    assert name_archive(ArchiveOrder((DiscussionRef.parse('a/"\r\nü'),))).startswith("wilmer-memory-a_____-")


# --- Archives that are made to do harm ---


def rewrite(archive: Path, change: Callable[[dict[str, Any], dict[str, bytes]], None]) -> Path:
    """The archive with its list and its entries changed."""
    with zipfile.ZipFile(archive) as old:
        entries = {name: old.read(name) for name in old.namelist()}
    manifest = json.loads(entries.pop("manifest.json"))
    change(manifest, entries)
    with zipfile.ZipFile(archive, "w") as new:
        for name, data in {**entries, "manifest.json": json.dumps(manifest).encode()}.items():
            new.writestr(name, data)
    return archive


def refuse(archive: Path, public: Path) -> str:
    """What is said; nothing must have been made."""
    before = sorted(public.rglob("*"))
    try:
        done = import_archive(archive, [ImportChoice(0, new_id="evil")], actor="mona")
        reason = done.refused[0][1]
    except ArchiveRefusedError as error:
        reason = error.message
    after = [path for path in public.rglob("*") if ".wilmer-console" not in path.parts]
    assert sorted(after) == [path for path in before if ".wilmer-console" not in path.parts]
    return reason


@pytest.fixture
def archive(public: Path, tmp_path: Path) -> Path:
    ref = build_discussion(public)
    attach_chat(ref, 2)
    wiring.open_discussion(ref).write_memories([Entry("one", "a")])
    return export(tmp_path, ref)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../evil", "leads out"),
        ("discussions/../../evil", "leads out"),
        ("/etc/evil", "absolute"),
        ("\\evil", "absolute"),
        ("C:/evil", "absolute"),
        ("a\\..\\evil", "leads out"),
        ("readme.txt", "nothing that an archive"),
        ("discussions/0/files/../x", "leads out"),
    ],
)
def test_entries_that_lead_elsewhere_are_refused(archive: Path, public: Path, name: str, reason: str) -> None:
    with zipfile.ZipFile(archive, "a") as opened:
        opened.writestr(zipfile.ZipInfo(name), b"x")
    assert reason in refuse(archive, public)


def test_links_and_doubles_are_refused(archive: Path, public: Path) -> None:
    data = archive.read_bytes()
    link = zipfile.ZipInfo("discussions/0/files/9")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(archive, "a") as opened:
        opened.writestr(link, b"/etc/passwd")
    assert "no ordinary file" in refuse(archive, public)

    archive.write_bytes(data)
    with zipfile.ZipFile(archive, "a") as opened, pytest.warns(UserWarning, match="Duplicate"):
        opened.writestr("manifest.json", b"{}")
    assert "twice" in refuse(archive, public)


def test_bombs_are_refused(archive: Path, public: Path) -> None:
    name = "discussions/0/files/9"
    with zipfile.ZipFile(archive, "a", zipfile.ZIP_DEFLATED) as opened, opened.open(name, "w") as entry:
        for _ in range(300):
            entry.write(b"\0" * 1024 * 1024)
    assert "bombs" in refuse(archive, public)


def _set_file(manifest: dict[str, Any], **values: Any) -> None:
    manifest["discussions"][0]["files"][0].update(values)


FIRST = "discussions/0/files/0"
CHANGES: dict[str, tuple[Callable[[dict[str, Any], dict[str, bytes]], None], str]] = {
    "place outside": (lambda m, e: _set_file(m, path="../../evil"), "no place"),
    "place of another": (lambda m, e: _set_file(m, path="ben/memories.json"), "no place"),
    "strange name": (lambda m, e: _set_file(m, path="anna/evil.sh"), "no place"),
    "two in one place": (lambda m, e: _set_file(m, path=m["discussions"][0]["files"][1]["path"]), "no place"),
    "strange root": (lambda m, e: _set_file(m, root="etc"), "no place"),
    "other bytes": (lambda m, e: e.update({FIRST: b"x" * len(e[FIRST])}), "damaged"),
    "other size": (lambda m, e: e.update({"discussions/0/files/0": b"x"}), "another size"),
    "entry missing": (lambda m, e: e.pop("discussions/0/files/0"), "differ"),
    "entry not told": (lambda m, e: e.update({"discussions/0/files/99": b"x"}), "differ"),
    "newer form": (lambda m, e: m.update(form=99), "newer"),
    "no form": (lambda m, e: m.pop("form"), "does not say"),
    "no discussions": (lambda m, e: m.update(discussions=[[]]), "does not say"),
    "no id": (lambda m, e: m["discussions"][0].update(ref=None), "does not say"),
    "bad id": (lambda m, e: m["discussions"][0].update(ref="../x"), "names no discussion"),
    "bad key": (lambda m, e: m["discussions"][0].update(ref="nokey:x"), "names no discussion"),
    "bad digest": (lambda m, e: _set_file(m, sha256="x"), "does not say"),
    "bad message": (lambda m, e: e.update({"discussions/0/transcript.jsonl": b'{"number": 1}\n'}), "makes no sense"),
    "bad revision": (lambda m, e: e.update({"discussions/0/history.jsonl": b'{"artefact": "x"}\n'}), "makes no sense"),
    "no json": (lambda m, e: e.update({"discussions/0/history.jsonl": b"[" * 100_000}), "no JSON"),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_lists_that_are_wrong_are_refused(archive: Path, public: Path, name: str) -> None:
    change, reason = CHANGES[name]
    assert reason in refuse(rewrite(archive, lambda manifest, entries: change(manifest, entries) and None), public)


@pytest.mark.parametrize(
    "name", ["place outside", "place of another", "strange name", "two in one place", "strange root"]
)
def test_places_are_refused_when_an_archive_is_looked_at(archive: Path, public: Path, name: str) -> None:
    change, reason = CHANGES[name]
    with pytest.raises(ArchiveRefusedError, match=reason):
        plan_import(rewrite(archive, lambda manifest, entries: change(manifest, entries) and None))


def test_other_files_are_refused(public: Path, tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    for data in (b"", b"hello", b"PK\x03\x04" + b"x" * 100):
        path.write_bytes(data)
        with pytest.raises(ArchiveRefusedError, match="no ZIP"):
            plan_import(path)
    with zipfile.ZipFile(path, "w"):
        pass
    with pytest.raises(ArchiveRefusedError, match=r"no manifest\.json"):
        plan_import(path)


def test_a_failed_replacement_leaves_the_old_one(archive: Path, public: Path) -> None:
    def change(manifest: dict[str, Any], entries: dict[str, bytes]) -> None:
        entries["discussions/0/files/0"] = b"x" * len(entries["discussions/0/files/0"])

    before = contents(public)
    done = import_archive(rewrite(archive, change), [ImportChoice(0, replaces=True)], actor="mona")
    assert done.refused
    assert contents(public) == before
    assert trash.list_trash() == ()


def test_read_only_imports_nothing(archive: Path) -> None:
    with override_settings(WILMER_READ_ONLY=True), pytest.raises(RefusedError):
        import_archive(archive, [ImportChoice(0)], actor="mona")
