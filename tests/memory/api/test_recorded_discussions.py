"""The recorded folders, read through the API: every count, text and hash must be the one on disk."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from memory.engine.hashing import hash_text
from tests.conftest import SHARED
from tests.memory.api.calls import ROOT, url

RECORDED = SHARED / "discussions"
MARTA, SECOND = "marta-bearer-key-2024", "second-person-key"
MARTAS, SECONDS = "92080d86fad5f695", "152d9d6491878b0d"

COUNTS = {
    "house-move-marta": (7, 39, [13, 31, 49, 55, 61, 67, 73], 67),
    "stock-sync-refactor": (8, 36, [13, 25, 43, 49, 50, 55, 61, 67], 67),
    "lantern-of-ferrow": (7, 38, [19, 37, 55, 61, 67, 73, 79], 73),
    "výlet-京都": (5, 12, [7, 13, 19, 25, 31], 25),
}
"""Chunks, vector memories, the message each chunk ends with, the message the summary reaches to."""

DISCUSSIONS = [
    *(("nested", name, "") for name in COUNTS),
    ("keyed", f"{MARTAS}:stock-sync-refactor", ""),
    ("keyed", f"{MARTAS}:stock-sync-refactor", MARTA),
    ("encrypted", f"{MARTAS}:house-move-marta", MARTA),
    ("encrypted", f"{MARTAS}:výlet-京都", MARTA),
    ("encrypted", f"{SECONDS}:stock-sync-refactor", SECOND),
    ("flat", "house-move-marta", ""),
    ("flat", "lantern-of-ferrow", ""),
    ("jsonl", "house-move-marta", ""),
    ("jsonl", "stock-sync-refactor", ""),
]

pytestmark = pytest.mark.skipif(not RECORDED.is_dir(), reason="the recordings do not lie beside the checkout")
each = pytest.mark.parametrize(("layout", "ref", "key"), DISCUSSIONS)


@pytest.fixture
def ask(open_folder: Callable[[Path], Path], reader: Client) -> Callable[..., Any]:
    """Opens a recorded folder and gives the JSON of an answer."""

    def asked(layout: str, path: str, key: str = "", **parameters: object) -> Any:
        open_folder(RECORDED / layout / "Public")
        response = reader.get(path, parameters, headers={"X-Discussion-Key": key} if key else {})
        assert response.status_code == 200, response.content
        return response.json()

    return asked


def name_of(ref: str) -> str:
    return ref.rpartition(":")[2]


def message_numbers(name: str) -> dict[str, int]:
    """Hash of each message → its 1-based number, the system message left out, as WilmerAI hashes for that user."""
    messages = json.loads((SHARED / "transcripts" / name / "messages.json").read_text("utf-8"))
    chat = [message for message in messages if message["role"] != "system"]
    numbers = {}
    for number, message in enumerate(chat, start=1):
        content = message["content"]
        text = content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
        label = {"user": "User: ", "assistant": "Assistant: "}[message["role"]]
        numbers[hash_text(text)] = numbers[hash_text(label + text)] = number
    return numbers


@each
def test_chunks_are_the_recorded_ones(ask: Callable[..., Any], layout: str, ref: str, key: str) -> None:
    page = ask(layout, url(ref, "chunks"), key, order="oldest")

    numbers = message_numbers(name_of(ref))
    chunks, _, ends, _ = COUNTS[name_of(ref)]
    assert (page["total"], [numbers[item["hash"]] for item in page["items"]]) == (chunks, ends)
    assert all(item["text"] for item in page["items"])


@each
def test_texts_are_those_of_the_plain_recording(ask: Callable[..., Any], layout: str, ref: str, key: str) -> None:
    plain = RECORDED / "nested/Public/DiscussionIds" / name_of(ref) / "memories.json"
    recorded = [entry["text_block"] for entry in json.loads(plain.read_text("utf-8"))]

    items = ask(layout, url(ref, "chunks"), key, order="oldest")["items"]

    assert [item["text"] for item in items] == recorded


@each
def test_summary_reaches_to_the_recorded_message(ask: Callable[..., Any], layout: str, ref: str, key: str) -> None:
    summary = ask(layout, url(ref, "summary"), key)

    chunks, _, ends, reached = COUNTS[name_of(ref)]
    assert message_numbers(name_of(ref))[summary["hash"]] == reached
    assert (summary["link"], summary["covered_chunks"]) == ("linked", ends.index(reached) + 1)
    assert summary["behind"] == chunks - summary["covered_chunks"]


@each
def test_vector_memories_are_the_recorded_ones(ask: Callable[..., Any], layout: str, ref: str, key: str) -> None:
    page = ask(layout, url(ref, "vector-memories"), key, order="oldest", size=500)

    stored = RECORDED / "nested/Public/DiscussionIds" / name_of(ref) / "vector_memory.db"
    assert page["total"] == COUNTS[name_of(ref)][1]
    if layout in {"nested", "flat", "jsonl"}:
        with closing(sqlite3.connect(f"{stored.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            texts = [row[0] for row in connection.execute("SELECT memory_text FROM memories ORDER BY id")]
        assert [item["text"] for item in page["items"]] == texts


@each
def test_every_memory_has_its_embedding(ask: Callable[..., Any], layout: str, ref: str, key: str) -> None:
    store = ask(layout, url(ref, "vector-store"), key)

    assert sum(store["embedding_counts"].values()) == store["memory_count"] == COUNTS[name_of(ref)][1]


@each
def test_headers_agree_with_the_lists(ask: Callable[..., Any], layout: str, ref: str, key: str) -> None:
    card = ask(layout, url(ref), key)["discussion"]

    assert (card["chunk_count"], card["memory_count"]) == COUNTS[name_of(ref)][:2]


@pytest.mark.parametrize(
    ("layout", "count"), [("nested", 4), ("keyed", 1), ("encrypted", 3), ("flat", 2), ("jsonl", 2)]
)
def test_lists_have_every_discussion(ask: Callable[..., Any], layout: str, count: int) -> None:
    page = ask(layout, f"{ROOT}/discussions")

    assert {item["ref"] for item in page["items"]} == {ref for folder, ref, _ in DISCUSSIONS if folder == layout}
    assert page["total"] == count


def test_state_document_is_the_recorded_one(ask: Callable[..., Any]) -> None:
    plain = RECORDED / "nested/Public/DiscussionIds/house-move-marta"

    document = ask("encrypted", url(f"{MARTAS}:house-move-marta", "state-document"), MARTA)

    assert document["file"]["is_encrypted"] is True
    assert document["text"] == (plain / "state_document.md").read_text("utf-8")
    assert document["backup_text"] == (plain / "state_document.md.bak").read_text("utf-8")


@each
def test_trackers_name_recorded_messages(ask: Callable[..., Any], layout: str, ref: str, key: str) -> None:
    trackers = ask(layout, url(ref, "trackers"), key)

    numbers = message_numbers(name_of(ref))
    assert all(row["hash"] in numbers for row in trackers["progress"])
    assert trackers["progress_total"] == {"house-move-marta": 12, "výlet-京都": 3}.get(name_of(ref), 11)


def test_reading_leaves_the_recording_as_it_was(ask: Callable[..., Any]) -> None:
    folder = RECORDED / "flat/Public"
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}

    for part in ("", "files", "chunks", "summary", "trackers", "vector-memories", "state-document", "health"):
        ask("flat", url("house-move-marta", part).rstrip("/"))

    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before
