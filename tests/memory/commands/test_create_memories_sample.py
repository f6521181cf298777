"""`manage.py create_memories` with the models of the sample workspace, which need no network."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.builders import open_public_folder

SAMPLE = Path(__file__).resolve().parents[3] / "sample" / "Public"
MESSAGES = [
    {"role": ("user", "assistant")[number % 2], "content": f"Bed {number} got {number} litres of rain water. " * 40}
    for number in range(20)
]


def create(tmp_path: Path, settings: Any, kind: str) -> tuple[str, Path]:
    """What the command prints, and the folder of the new discussion."""
    public = tmp_path / "Public"
    shutil.copytree(SAMPLE, public)
    open_public_folder(settings, public)
    settings.WILMER_USER = ""
    messages = tmp_path / "messages.json"
    messages.write_text(json.dumps(MESSAGES), encoding="utf-8")
    output = StringIO()
    options = ("--discussion", "new-notes", "--create", "--messages", str(messages), "--kind", kind)
    call_command("create_memories", *options, stdout=output)
    return output.getvalue(), public / "DiscussionIds" / "new-notes"


@pytest.mark.django_db
def test_file_memories_are_made_offline(tmp_path: Path, settings: Any) -> None:
    text, folder = create(tmp_path, settings, "file")

    assert "file memories: tokens" in text
    assert "messages 1 to 1: stored" in text
    ledger = json.loads((folder / "memories.json").read_text(encoding="utf-8"))
    assert all("litres of rain water" in entry["text_block"] for entry in ledger)


@pytest.mark.django_db
def test_vector_memories_are_made_offline(tmp_path: Path, settings: Any) -> None:
    text, folder = create(tmp_path, settings, "vector")

    assert "vector memories: both" in text
    with closing(sqlite3.connect(folder / "vector_memory.db")) as connection:
        counts = [
            connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("memories", "memories_fts")
        ]
    assert counts[0] == counts[1] > 0
