from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memory.engine.coverage import MemoryOrigin
from memory.engine.transcripts import Said
from memory.queries.origins import find_origin
from memory.services.transcripts import ImportFacts, import_transcript
from memory.types import DiscussionRef
from tests.builders import base_folder, build_discussion, hash_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def ref(public: Path) -> DiscussionRef:
    """Two memories, each logged with the message it ends at; the ledger has the same chat in two chunks."""
    ref = build_discussion(public, chunks=2)
    with closing(sqlite3.connect(base_folder(public) / "anna" / "vector_memory.db")) as connection, connection:
        connection.execute("DELETE FROM vector_memory_hash_log")
        for number, hour in ((1, "10"), (2, "12")):
            connection.execute(
                "UPDATE memories SET date_added = ? WHERE id = ?", (f"2026-01-01T{hour}:00:00+00:00", number)
            )
            connection.execute(
                "INSERT INTO vector_memory_hash_log (discussion_id, message_hash, timestamp) VALUES ('anna', ?, ?)",
                (hash_of(f"message {number}"), f"2026-01-01T{hour}:00:01+00:00"),
            )
    return ref


def _import(ref: DiscussionRef) -> None:
    chat = [Said("user", text) for text in ("hello", "message 1", "more", "message 2", "new")]
    import_transcript(ref, chat, ImportFacts("openai", "chat.json"))


def test_a_memory_is_laid_on_the_messages_logged_with_it(ref: DiscussionRef) -> None:
    _import(ref)

    assert find_origin(ref, 2, {}) == MemoryOrigin(3, 4, (2,), 1.0)


def test_without_the_chat_the_origin_is_not_known(ref: DiscussionRef) -> None:
    assert find_origin(ref, 2, {}) is None


def test_a_memory_that_nothing_was_logged_for_has_no_origin(ref: DiscussionRef, public: Path) -> None:
    _import(ref)
    with closing(sqlite3.connect(base_folder(public) / "anna" / "vector_memory.db")) as connection, connection:
        connection.execute("UPDATE memories SET date_added = '2027-01-01T00:00:00+00:00' WHERE id = 2")

    assert find_origin(ref, 2, {}) is None
