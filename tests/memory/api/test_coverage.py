from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.test import Client

from memory.engine.transcripts import Said
from memory.services.transcripts import ImportFacts, import_transcript
from memory.types import DiscussionRef
from tests.builders import base_folder, build_discussion
from tests.memory.api.calls import error_of, url


@pytest.fixture
def ref(public: Path, db: None) -> DiscussionRef:
    ref = build_discussion(public, chunks=2, summary_up_to=1)
    contents = ("hello", "message 1", "more", "message 2", "new", "newer")
    chat = [Said(("user", "assistant")[at % 2], content) for at, content in enumerate(contents)]
    import_transcript(ref, chat, ImportFacts("openai", "chat.json"))
    return ref


def test_get_coverage_newest_chunk_first(reader: Client, ref: DiscussionRef) -> None:
    answer = reader.get(url(ref, "coverage")).json()

    assert [(item["first"], item["last"]) for item in answer["items"]] == [(3, 4), (1, 2)]
    assert (answer["message_count"], answer["file"]) == (6, {"last": 4, "is_known": True})


def test_list_the_messages_of_a_chunk(reader: Client, ref: DiscussionRef) -> None:
    answer = reader.get(url(ref, "chunks/2/messages")).json()

    assert [item["text"] for item in answer["items"]] == ["more", "message 2"]
    assert answer["chunk"]["number"] == 2


def test_find_the_messages_of_a_vector_memory(public: Path, reader: Client, ref: DiscussionRef) -> None:
    with closing(sqlite3.connect(base_folder(public) / "anna" / "vector_memory.db")) as connection, connection:
        connection.execute("UPDATE memories SET date_added = '2026-01-01T09:59:59+00:00' WHERE id = 1")

    assert reader.get(url(ref, "vector-memories/2/origin")).json() == {"origin": None}
    origin = reader.get(url(ref, "vector-memories/1/origin")).json()["origin"]

    assert (origin["first"], origin["last"], origin["chunks"]) == (1, 2, [1])
    assert (origin["confidence"], origin["missing"]) == ("possible", ["Anna", "garden"])
    assert reader.get(url(ref, "vector-memories/99/origin")).status_code == 404


def test_get_why_with_both_verdicts(reader: Client, ref: DiscussionRef) -> None:
    answer = reader.get(url(ref, "why")).json()

    first = answer["verdicts"][0]
    assert (first["path"], first["is_chosen"], first["anchor"]) == ("file", True, 4)
    assert [rule["rule"] for rule in first["rules"]][-1] == "message-threshold"


def test_get_simulation_of_other_thresholds(reader: Client, ref: DiscussionRef) -> None:
    answer = reader.get(url(ref, "simulation") + "?path=vector&size=1&messages=1&lookback=0").json()

    assert (answer["chunk_count"], answer["chunks"][0]["first"], answer["waiting"]) == (5, 1, 1)


def test_list_previews_with_the_exact_texts(reader: Client, ref: DiscussionRef) -> None:
    previews = reader.get(url(ref, "previews") + "?chunks=1").json()["previews"]

    assert previews[0]["text"] == "Chunk 2: Anna talked about her garden."


@pytest.mark.parametrize("path", ["coverage", "chunks/1/messages", "why", "simulation"])
def test_without_a_chat_it_is_404_and_says_what_to_do(public: Path, reader: Client, path: str) -> None:
    response = reader.get(url(build_discussion(public), path))

    assert response.status_code == 404
    assert "Import the chat" in error_of(response)["message"]
