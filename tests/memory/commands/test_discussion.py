from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from memory import wiring
from memory.types import DiscussionRef
from tests.builders import API_KEY, build_discussion
from tests.memory.chats import attach_chat
from wilmer_site.lib.errors import RefusedError

pytestmark = pytest.mark.django_db


@pytest.fixture
def ref(public: Path) -> DiscussionRef:
    ref = build_discussion(public, chunks=4)
    attach_chat(ref, 5)
    return ref


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    call_command("discussion", *words)
    return capsys.readouterr().out


def count(text: str) -> int:
    return len(wiring.open_discussion(DiscussionRef.parse(text)).read_memories().entries)


def test_a_discussion_is_exported_and_imported(
    ref: DiscussionRef, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive = str(tmp_path / "a.zip")
    assert "1 discussion exported" in run(capsys, "export", "anna", "--to", archive)
    assert "already" in run(capsys, "import", archive, "--dry-run")
    with pytest.raises(CommandError, match="already"):
        run(capsys, "import", archive)
    assert "1 discussion imported" in run(capsys, "import", archive, "--as", "berta")
    assert count("berta") == 4
    with pytest.raises(CommandError, match="cannot be used"):
        run(capsys, "export", "anna", "--to", archive)


def test_a_discussion_is_rolled_back_and_back_again(ref: DiscussionRef, capsys: pytest.CaptureFixture[str]) -> None:
    tried = run(capsys, "rollback", "anna", "--from-message", "3", "--dry-run")
    assert "2 chunks of 4 go, 2 stay." in tried and "Nothing was changed." in tried
    assert count("anna") == 4
    batch = run(capsys, "rollback", "anna", "--keep-chunk", "2").split()[-1]
    assert count("anna") == 2
    assert "Took back" in run(capsys, "undo", "anna", batch)
    assert count("anna") == 4


def test_dry_runs_change_nothing(ref: DiscussionRef, capsys: pytest.CaptureFixture[str]) -> None:
    told = run(capsys, "copy", "anna", "berta", "--before-message", "3", "--dry-run")
    assert "2 messages" in told and "2 chunks of 4 go, 2 stay." in told
    assert "would be called after berta" in run(capsys, "rename", "anna", "berta", "--dry-run")
    with pytest.raises(CommandError, match="number 1"):
        run(capsys, "copy", "anna", "berta", "--before-message", "0")
    assert wiring.get_discussion_folders().look(DiscussionRef.parse("berta")) is None


def test_parts_are_copied(ref: DiscussionRef, capsys: pytest.CaptureFixture[str]) -> None:
    assert "1 file, 0 messages" in run(capsys, "copy", "anna", "berta", "--only", "chunks", "--no-transcript")


def test_keys_are_asked_for(public: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    ref = build_discussion(public, api_key=API_KEY, encrypted=True, chunks=4)
    with pytest.raises(CommandError, match="key"):
        run(capsys, "rollback", ref.text, "--keep-chunk", "1")

    monkeypatch.setattr("getpass.getpass", lambda _prompt: API_KEY)
    batch = run(capsys, "rollback", ref.text, "--keep-chunk", "1", "--ask-key").split()[-1]
    assert "Took back" in run(capsys, "undo", ref.text, batch, "--ask-key")


def test_an_export_that_fails_leaves_no_file(
    ref: DiscussionRef, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_order: object) -> Iterator[bytes]:
        yield b"PK"
        raise RefusedError("The disk says no.")

    monkeypatch.setattr("memory.management.commands.discussion.export_archive", fail)
    with pytest.raises(CommandError, match="says no"):
        run(capsys, "export", "anna", "--to", str(tmp_path / "a.zip"))
    assert not (tmp_path / "a.zip").exists()


def test_a_discussion_is_forked_and_renamed(ref: DiscussionRef, capsys: pytest.CaptureFixture[str]) -> None:
    assert "2 messages" in run(capsys, "copy", "anna", "berta", "--before-message", "3")
    assert "clara" in run(capsys, "rename", "berta", "clara")
    assert count("clara") == 2


def test_a_discussion_goes_to_the_trash_and_back(ref: DiscussionRef, capsys: pytest.CaptureFixture[str]) -> None:
    name = run(capsys, "trash", "anna").rstrip(".\n").split()[-1]
    assert name in run(capsys, "list-trash")
    assert "anna is back" in run(capsys, "restore", name)
    assert "empty" in run(capsys, "list-trash")


@pytest.mark.parametrize(
    "words",
    [
        ("undo", "anna", "x"),
        ("rollback", "anna"),
        ("copy", "anna", "CON"),
        ("trash", "nobody"),
        ("import", "/nowhere.zip"),
        ("restore", "nothing"),
    ],
)
def test_what_cannot_be_done_is_told(
    ref: DiscussionRef, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    with pytest.raises(CommandError):
        run(capsys, *words)
