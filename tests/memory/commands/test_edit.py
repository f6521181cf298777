from __future__ import annotations

import io
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command

from memory import wiring
from memory.stores.vector_db import VectorDatabase
from memory.types import DiscussionRef
from tests.builders import build_discussion

pytestmark = pytest.mark.django_db


@pytest.fixture
def ref(public: Path) -> DiscussionRef:
    return build_discussion(public, chunks=3, memories=2, summary_up_to=3, state_document="# Old")


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    call_command(*words)
    return capsys.readouterr().out


def chunks(ref: DiscussionRef) -> list[str]:
    return [entry.text for entry in wiring.open_discussion(ref).read_memories().entries]


def memories(ref: DiscussionRef) -> list[str]:
    database = VectorDatabase(wiring.open_discussion(ref).vector_path(), ref.discussion_id)
    return [memory.text for memory in database.list_memories(offset=0, limit=9, newest_first=False)]


def test_a_chunk_is_edited_and_taken_back(ref: DiscussionRef, capsys: pytest.CaptureFixture[str]) -> None:
    before = chunks(ref)

    told = run(capsys, "edit", "chunk", "anna", "2", "--text", "Mended.")
    assert chunks(ref)[1] == "Mended."
    assert told.startswith("Edited chunk 2.\nText only: nothing is processed again.\nTake it back: manage.py ")
    run(capsys, *told.split("manage.py ")[1].split())

    assert chunks(ref) == before


def test_a_dry_run_tells_and_changes_nothing(ref: DiscussionRef, capsys: pytest.CaptureFixture[str]) -> None:
    before = chunks(ref)

    told = run(capsys, "edit", "delete-chunks", "anna", "3", "--dry-run")

    assert told.startswith("Would be: Deleted chunk 3.\n")
    assert chunks(ref) == before


def test_texts_come_from_standard_input(
    ref: DiscussionRef, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO("# Nový\n".encode())))

    run(capsys, "edit", "state-document", "anna")

    assert wiring.open_discussion(ref).read_state_document().text == "# Nový"


def test_a_text_in_another_encoding_is_refused(ref: DiscussionRef, tmp_path: Path) -> None:
    (tmp_path / "new.txt").write_bytes("Nový".encode("iso-8859-2"))

    with pytest.raises(CommandError, match=r"no UTF-8 text \(byte 3\)"):
        call_command("edit", "summary", "anna", "--from", str(tmp_path / "new.txt"))
    with pytest.raises(CommandError, match="cannot be used"):
        call_command("edit", "summary", "anna", "--from", str(tmp_path / "none.txt"))


def test_the_last_chunk_asks_what_the_ledger_shall_be(ref: DiscussionRef, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CommandError, match="No chunk is left then"):
        call_command("edit", "delete-chunks", "anna", "1", "2", "3")

    run(capsys, "edit", "delete-chunks", "anna", "1", "2", "3", "--remainder", "empty")
    assert chunks(ref) == []


def test_memories_are_added_changed_and_deleted(ref: DiscussionRef, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "edit", "add-memory", "anna", "--text", "Third.")
    run(capsys, "edit", "memory", "anna", "1", "--text", "First.")
    run(capsys, "edit", "delete-memories", "anna", "2")

    assert memories(ref) == ["First.", "Third."]


def test_the_history_lists_shows_and_puts_back(ref: DiscussionRef, capsys: pytest.CaptureFixture[str]) -> None:
    before = chunks(ref)
    run(capsys, "edit", "chunk", "anna", "2", "--text", "Mended.")
    newest = run(capsys, "history", "list", "anna", "--file", "memories", "--limit", "1")
    number = newest.split()[0]

    assert "Edited chunk 2 (command line)" in newest
    assert "\n+ Mended." in run(capsys, "history", "show", "anna", number)
    assert "\n- Mended." not in run(capsys, "history", "restore", "anna", number, "--dry-run")
    told = run(capsys, "history", "restore", "anna", number, "--side", "before")

    assert re.search(r"^- Mended\.$", told, re.MULTILINE)
    assert chunks(ref) == before


def test_unknown_versions_are_told(ref: DiscussionRef) -> None:
    with pytest.raises(CommandError):
        call_command("history", "show", "anna", "999")


def test_a_purge_asks_for_the_number(ref: DiscussionRef, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "discussion", "trash", "anna")
    name = run(capsys, "discussion", "list-trash").split()[0]

    with pytest.raises(CommandError):
        call_command("discussion", "purge", name, "--count", "2")
    assert "1 discussion deleted for ever." in run(capsys, "discussion", "purge", name, "--count", "1")
    assert "empty" in run(capsys, "discussion", "list-trash")


def test_a_terminal_is_told_what_a_text_holds_and_obeys_none_of_it(
    ref: DiscussionRef, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "edit", "chunk", "anna", "2", "--text", "red \x1b[31m 日本語\nnext")
    number = run(capsys, "history", "list", "anna", "--file", "memories").split()[0]

    assert "+ red \\x1b[31m 日本語\n+ next" in run(capsys, "history", "show", "anna", number)
