"""The recorded discussions, as five programs keep them, say the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import SHARED
from tests.memory.importers.chats import format_of, problems_in, read, said_in, starts_in

FOLDERS = sorted((SHARED / "transcripts").glob("*/")) if (SHARED / "transcripts").is_dir() else []
FILES = {
    "messages.json": "openai",
    "sillytavern.jsonl": "sillytavern",
    "open_webui.json": "open-webui",
    "chatgpt_conversations.json": "chatgpt",
}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
@pytest.mark.parametrize(("name", "format_name"), FILES.items())
def test_every_form_says_the_same(folder: Path, name: str, format_name: str) -> None:
    expected = [said for said in said_in(read((folder / "messages.json").read_bytes())) if said[0] != "system"]

    events = read((folder / name).read_bytes())

    assert format_of(events) == format_name
    assert [said for said in said_in(events) if said[0] != "system"] == expected
    assert problems_in(events) == []
    assert len(starts_in(events)) == 1
