"""The recorded conversations played again, turn by turn: files and databases equal to those WilmerAI wrote."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memory.engine.braces import to_plain_braces
from memory.engine.hashing import hash_message
from memory.engine.memory_settings import MemorySettings
from memory.engine.messages import PreparationOptions, build_conversation
from memory.engine.model_calls import Call, Purpose, WorkflowCall
from memory.engine.triggers import WriterPath
from memory.services.creation import create_memories
from memory.services.notes import InMemoryAttemptLog
from memory.services.workshop import Workshop
from memory.stores.discussion_folders import DiscussionFolders
from memory.stores.public_folder import PublicFolder
from memory.types import DiscussionId, DiscussionRef, Message
from tests.conftest import SHARED

RECORDED = SHARED / "discussions" / "nested" / "Public"
NAMES = ["house-move-marta", "stock-sync-refactor", "lantern-of-ferrow", "výlet-京都"]
PICTURE_REACH = 20
"""A picture among so many last messages is described in a message after it."""

pytestmark = pytest.mark.skipif(not RECORDED.is_dir(), reason="the recordings do not lie beside the checkout")

TABLES = {
    "memories": "SELECT id, discussion_id, memory_text, metadata_json, length(date_added) FROM memories ORDER BY id",
    "index": "SELECT rowid, * FROM memories_fts ORDER BY rowid",
    "log": "SELECT id, discussion_id, message_hash, length(timestamp) FROM vector_memory_hash_log ORDER BY id",
    "vectors": "SELECT memory_id, model, dim, vector FROM memory_embeddings ORDER BY memory_id",
    "schema": "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name",
}
DATES = "SELECT date_added FROM memories UNION ALL SELECT timestamp FROM vector_memory_hash_log"


class Recording:
    """A recorded discussion; answers as the recorded model did, found by the last message of the chunk asked about."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.folder = RECORDED / "DiscussionIds" / name
        self.raw = json.loads((SHARED / "transcripts" / name / "messages.json").read_bytes())
        entries = json.loads((self.folder / "memories.json").read_bytes())
        self.condensed = [item["text_block"] for item in entries if item["text_block"].startswith("Looking back")]
        self.file_texts = {item["hash"]: item["text_block"] for item in entries}
        self.tables = read_tables(self.folder / "vector_memory.db")
        self.model = self.tables["vectors"][0][1]
        self.vectors = {row[2]: self.tables["vectors"][at][3] for at, row in enumerate(self.tables["memories"])}
        self.hashes: dict[str, str] = {}

    def list_turns(self) -> list[tuple[Message, ...]]:
        """The messages of every request, as they reached the memory layer."""
        options = PreparationOptions(adds_role_labels=self.name == "lantern-of-ferrow")
        return [
            build_conversation(self._with_picture(self.raw[:end]), options).messages
            for end in range(1, len(self.raw) + 1)
            if self.raw[end - 1]["role"] == "user"
        ]

    def _with_picture(self, raw: list[dict[str, Any]]) -> list[dict[str, Any]]:
        shown = list(raw)
        for at, message in enumerate(raw):
            if isinstance(message["content"], list) and len(raw) - at <= PICTURE_REACH:
                shown.insert(at + 1, {"role": "user", "content": "[Picture: described]"})
        return shown

    def ask(self, call: Call) -> str | None:
        if call.purpose is Purpose.CONDENSATION:
            return self.condensed.pop(0)
        if isinstance(call, WorkflowCall):
            return self._facts_of(call.inputs[0]) if call.purpose is Purpose.VECTOR_MEMORY else None
        chunk = call.prompt.split("<chunk>\n", 1)[1].removesuffix("\n</chunk>")
        return self.file_texts.get(self._hash_of(chunk), "condensed later")

    def embed(self, texts: Sequence[str]) -> list[list[float]] | None:
        return [memoryview(self.vectors[text]).cast("f").tolist() for text in texts]

    def listen(self, messages: Sequence[Message]) -> None:
        self.hashes |= {to_plain_braces(message.text): hash_message(message) for message in messages}

    def _hash_of(self, chunk: str) -> str:
        return self.hashes[max((text for text in self.hashes if chunk.endswith(text)), key=len)]

    def _facts_of(self, chunk: str) -> str:
        logged = [row[2] for row in self.tables["log"]]
        wanted = self._hash_of(chunk)
        return f"[{', '.join(self.facts.get(logged.index(wanted), [])) if wanted in logged else ''}]"

    @property
    def facts(self) -> dict[int, list[str]]:
        """Metadata of the memories that were stored before each log row and after the one before it."""
        with closing(open_readonly(self.folder / "vector_memory.db")) as connection:
            rows = connection.execute(
                "SELECT (SELECT min(id) FROM vector_memory_hash_log WHERE timestamp >= date_added) - 1, metadata_json"
                " FROM memories ORDER BY id"
            ).fetchall()
        return {at: [text for place, text in rows if place == at] for at, _ in rows}


@pytest.mark.parametrize("name", NAMES)
def test_a_conversation_played_again_leaves_the_recorded_files(name: str, tmp_path: Path) -> None:
    recording = Recording(name)
    workshop = open_workshop(recording, tmp_path)

    for messages in recording.list_turns():
        recording.listen(messages)
        create_memories(workshop, messages, path=WriterPath.VECTOR)
        create_memories(workshop, messages, path=WriterPath.FILE)

    made = tmp_path / "DiscussionIds" / name
    for file in ("memories.json", "condensation_tracker.json"):
        written = (made / file).read_bytes() if (made / file).exists() else None
        recorded = (recording.folder / file).read_bytes() if (recording.folder / file).exists() else None
        assert written == recorded, file
    assert read_tables(made / "vector_memory.db") == recording.tables
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00", date) for date in list_dates(made))


def open_workshop(recording: Recording, folder: Path) -> Workshop:
    ref = DiscussionRef(DiscussionId(recording.name))
    folders = DiscussionFolders(PublicFolder(folder, folder / "Configs", folder / "DiscussionIds"))
    document = RECORDED / "Configs" / "Workflows" / "recall" / "Memory_Settings.json"
    return Workshop(
        folders.open_or_create(ref, limit_bytes=10_000_000),
        MemorySettings(json.loads(document.read_bytes())),
        recording,
        InMemoryAttemptLog(),
        embedder=recording,
        clock=lambda: datetime(2024, 3, 2, 9, 28, 35, 156000, UTC),
    )


def read_tables(path: Path) -> dict[str, list[Any]]:
    with closing(open_readonly(path)) as connection:
        return {name: connection.execute(statement).fetchall() for name, statement in TABLES.items()}


def list_dates(folder: Path) -> list[str]:
    with closing(open_readonly(folder / "vector_memory.db")) as connection:
        return [str(row[0]) for row in connection.execute(DATES)]


def open_readonly(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
