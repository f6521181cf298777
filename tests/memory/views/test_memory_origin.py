from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from memory.types import DiscussionRef
from tests.builders import base_folder, build_discussion, hash_of
from tests.chats import attach_chat
from tests.html import fetch, fetch_partial, text_of, texts

CHAT = ("hello", "message 1", "more <b>of it</b>", "message 2", "new")


@pytest.fixture
def ref(public: Path, db: None) -> DiscussionRef:
    """A memory that was logged a second later, with the message it ends at."""
    ref = build_discussion(public, chunks=2)
    with closing(sqlite3.connect(base_folder(public) / "anna" / "vector_memory.db")) as connection, connection:
        connection.execute("DELETE FROM vector_memory_hash_log")
        connection.execute("UPDATE memories SET date_added = '2026-01-01T10:00:00+00:00' WHERE id = 1")
        connection.execute(
            "INSERT INTO vector_memory_hash_log (discussion_id, message_hash, timestamp) VALUES ('anna', ?, ?)",
            (hash_of("message 2"), "2026-01-01T10:00:01+00:00"),
        )
    return ref


def address(ref: DiscussionRef) -> str:
    return reverse("memory:memory-origin", args=[ref, 1])


def test_the_memory_stands_beside_its_messages(reader: Client, ref: DiscussionRef, public: Path) -> None:
    attach_chat(public, "anna", CHAT)

    page = fetch(reader, address(ref))

    assert texts(page, ".side-by-side .message .memory-text") == list(CHAT[:4])
    assert text_of(page, "#messages-title") == "Messages 1 to 4"
    assert "Why, and the messages" not in page.get_text()
    assert "logged as done right after the memory was stored" in text_of(page, ".origin-reasons")


def test_the_memory_page_shows_the_sentence_alone(reader: Client, ref: DiscussionRef, public: Path) -> None:
    attach_chat(public, "anna", CHAT)

    part = fetch_partial(reader, address(ref))

    assert "from messages 1 to 4, which the ledger has in chunk 1, 2." in " ".join(part.get_text().split())
    assert not part.select(".message")


def test_without_the_chat_the_page_offers_to_import_it(reader: Client, ref: DiscussionRef) -> None:
    page = fetch(reader, address(ref))

    assert "Import it" in texts(page, "main a")
    assert not page.select(".origin-reasons")
