"""Every state a file can be in, told without changing anything."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memory.errors import DamagedFileError, DiscussionLockedError
from memory.stores import contents
from memory.stores.encryption import derive_fernet_key, encrypt
from memory.types import Artefact, FileState
from tests.memory.stores.folders import entries, list_tree, open_files, write_file
from wilmer_site.lib.errors import WilmerError
from wilmer_site.lib.files import FileTooLargeError, FileUnreadableError, etag_of

TOKEN = encrypt(b"[]", derive_fernet_key("a-key", "recall"))
BROKEN_STATES = {
    "damaged": (b'[\n{"text_block": }]', FileState.DAMAGED, DamagedFileError),
    "not utf-8": (b"[\xff]", FileState.DAMAGED, DamagedFileError),
    "locked": (TOKEN, FileState.LOCKED, DiscussionLockedError),
    "too large": (b"[" + b" " * 1_000_000 + b"]", FileState.TOO_LARGE, FileTooLargeError),
}


@pytest.mark.parametrize(
    ("data", "state"),
    [(b"", "empty"), (b" \n", "empty"), (b"[]", "empty"), (b"\xef\xbb\xbf[]", "empty"), (b'["x"]', "present")],
)
def test_whole_files(data: bytes, state: str, tmp_path: Path) -> None:
    write_file(tmp_path, "talk-1/memories.json", data)

    report = open_files(tmp_path).report(Artefact.MEMORIES)

    assert (report.state, report.problem, report.etag) == (state, None, etag_of(data))
    assert report.stat is not None
    assert report.stat.size_bytes == len(data)


@pytest.mark.parametrize("name", BROKEN_STATES)
def test_broken_files_are_told_and_never_replaced(name: str, tmp_path: Path) -> None:
    data, state, error = BROKEN_STATES[name]
    path = write_file(tmp_path, "talk-1/memories.json", data)
    files = open_files(tmp_path)

    found = files.read_memories()

    assert (found.report.state, found.entries) == (state, ())
    assert found.report.problem
    with pytest.raises(error, match=r"memories\.json"):
        files.write_memories([])
    assert path.read_bytes() == data


def test_damage_is_located(tmp_path: Path) -> None:
    write_file(tmp_path, "talk-1/chat_summary.json", b'[\n{"text_block": }]')

    report = open_files(tmp_path).report(Artefact.SUMMARY)

    assert (report.problem_line, report.problem_column) == (2, 16)
    assert report.problem is not None
    assert "line 2, column 16" in report.problem


def test_an_absent_file_has_no_problem(tmp_path: Path) -> None:
    write_file(tmp_path, "talk-1/memories.json")

    report = open_files(tmp_path).report(Artefact.TIMESTAMPS)

    assert (report.state, report.problem, report.etag, report.stat) == (FileState.ABSENT, None, None, None)


@pytest.mark.parametrize("artefact", [Artefact.MEMORIES, Artefact.TIMESTAMPS, Artefact.VECTOR_MEMORY])
def test_a_folder_in_place_of_a_file_is_unreadable(artefact: Artefact, tmp_path: Path) -> None:
    write_file(tmp_path, "talk-1/chat_summary.json")
    files = open_files(tmp_path)
    files.place(artefact).path.mkdir()

    report = files.report(artefact)

    assert (report.state, report.problem) == (FileState.UNREADABLE, f"{report.path.name} is a folder.")
    assert files.raw_bytes(artefact) == b""


def test_a_pipe_is_unreadable_and_nobody_waits_for_it(tmp_path: Path) -> None:
    write_file(tmp_path, "talk-1/chat_summary.json")
    os.mkfifo(tmp_path / "DiscussionIds/talk-1/memories.json")

    report = open_files(tmp_path).report(Artefact.MEMORIES)

    assert report.state is FileState.UNREADABLE


def test_a_refusal_of_the_operating_system_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_file(tmp_path, "talk-1/memories.json")

    def refuse(path: Path, *, limit_bytes: int) -> bytes:
        raise FileUnreadableError(f"{path.name} cannot be read: Permission denied.")

    monkeypatch.setattr(contents, "read_limited", refuse)
    files = open_files(tmp_path)
    report = files.report(Artefact.MEMORIES)

    assert (report.state, report.problem) == (FileState.UNREADABLE, "memories.json cannot be read: Permission denied.")
    with pytest.raises(FileUnreadableError):
        files.write_memories([])


def test_a_link_out_of_the_root_is_never_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text('[{"text_block": "secret", "hash": "h"}]')
    write_file(tmp_path, "talk-1/chat_summary.json")
    (tmp_path / "DiscussionIds/talk-1/memories.json").symlink_to(secret)
    files = open_files(tmp_path)

    found = files.read_memories()

    assert (found.report.state, found.entries) == (FileState.UNREADABLE, ())
    assert files.raw_bytes(Artefact.MEMORIES) == b""
    with pytest.raises(FileUnreadableError, match="link that leads out"):
        files.write_memories([])
    assert "secret" in secret.read_text()


def test_a_link_to_nothing_out_of_the_root_is_unreadable(tmp_path: Path) -> None:
    write_file(tmp_path, "talk-1/chat_summary.json")
    (tmp_path / "DiscussionIds/talk-1/memories.json").symlink_to("/nowhere/at/all.json")

    assert open_files(tmp_path).report(Artefact.MEMORIES).state is FileState.UNREADABLE


def test_a_link_to_itself_is_unreadable(tmp_path: Path) -> None:
    write_file(tmp_path, "talk-1/chat_summary.json")
    link = tmp_path / "DiscussionIds/talk-1/memories.json"
    link.symlink_to(link)

    assert open_files(tmp_path).report(Artefact.MEMORIES).state is FileState.UNREADABLE


def test_writing_through_a_link_inside_the_root_keeps_the_link(tmp_path: Path) -> None:
    real = write_file(tmp_path, "elsewhere/memories.json", entries("a"))
    write_file(tmp_path, "talk-1/chat_summary.json")
    link = tmp_path / "DiscussionIds/talk-1/memories.json"
    link.symlink_to(real)

    open_files(tmp_path).write_memories([])

    assert link.is_symlink()
    assert real.read_text() == "[]"


def test_a_huge_ledger_is_never_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_file(tmp_path, "talk-1/memories.json")
    with path.open("r+b") as stream:
        stream.truncate(200_000_000)
    monkeypatch.setattr(contents, "read_limited", lambda *_, **__: pytest.fail("the file was opened"))

    report = open_files(tmp_path).report(Artefact.MEMORIES)

    assert report.state is FileState.TOO_LARGE
    assert report.problem == "memories.json has 200,000,000 bytes; the console reads at most 1,000,000."


def test_a_file_that_vanishes_or_grows_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_file(tmp_path, "talk-1/memories.json", entries("a"))
    files = open_files(tmp_path)
    for error, state in (
        (contents.NotFoundError("gone"), FileState.ABSENT),
        (FileTooLargeError("grown"), FileState.TOO_LARGE),
    ):

        def fail(path: Path, *, limit_bytes: int, error: WilmerError = error) -> bytes:
            raise error

        monkeypatch.setattr(contents, "read_limited", fail)
        assert files.report(Artefact.MEMORIES).state is state


def test_reading_creates_and_changes_nothing(tmp_path: Path) -> None:
    for name in ("talk-1/memories.json", "talk-2/", "talk-3_memories.json"):
        path = tmp_path / "DiscussionIds" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir() if name.endswith("/") else path.write_bytes(b"[]")
    before = list_tree(tmp_path)

    files = open_files(tmp_path)
    files.reports()
    files.version()
    files.vector_path()

    assert list_tree(tmp_path) == before
