from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from memory.queries.transcripts import find_transcript, list_messages
from tests.builders import build_discussion, build_ref

CHAT = [{"role": "user", "content": "message 1"}, {"role": "assistant", "content": "message 2"}]


def run(*options: str) -> str:
    out = io.StringIO()
    call_command("import_transcript", *options, stdout=out)
    return out.getvalue()


@pytest.fixture
def chat(public: Path, db: None, tmp_path: Path) -> Path:
    """A file for the discussion `anna`."""
    build_discussion(public, "anna")
    path = tmp_path / "chat.json"
    path.write_text(json.dumps(CHAT))
    return path


def test_import_transcript_attaches(chat: Path) -> None:
    told = run("--discussion", "anna", "--file", str(chat))

    assert "OpenAI messages: 2 messages" in told
    assert "* raw+sentinels          3 of 4 stored hashes" in told
    assert "new: 2 messages were added" in told
    assert len(list_messages(build_ref("anna"), 1, 9)) == 2


def test_import_transcript_only_tries(chat: Path) -> None:
    assert "2 messages would be added" in run("--discussion", "anna", "--file", str(chat), "--dry-run")
    assert find_transcript(build_ref("anna")) is None


def test_import_transcript_replaces_if_asked_to(chat: Path) -> None:
    run("--discussion", "anna", "--file", str(chat), "--variant", "raw+braces")
    chat.write_text(json.dumps(CHAT[:1]))

    with pytest.raises(CommandError, match="Nothing was changed"):
        run("--discussion", "anna", "--file", str(chat))
    assert "1 taken away" in run("--discussion", "anna", "--file", str(chat), "--replace")


def test_import_transcript_names_conversations(chat: Path) -> None:
    chat.write_text(json.dumps([{"title": "One", "messages": CHAT}, {"messages": CHAT}]))

    with pytest.raises(CommandError, match="--conversation 1: One"):
        run("--discussion", "anna", "--file", str(chat))


def test_import_transcript_says_what_is_wrong(chat: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read: No such file"):
        run("--discussion", "anna", "--file", str(tmp_path / "gone"))
    with pytest.raises(CommandError, match="nobody"):
        run("--discussion", "nobody", "--file", str(chat))
