"""What nodes get when files cannot be read; everything else is in the recorded cases."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from memory.engine.readers import NO_MEMORIES
from memory.engine.state_document_guard import NO_STATE_DOCUMENT
from memory.queries.retrieval import (
    KeywordRequest,
    get_all_memories,
    get_current_state_document,
    search_by_keywords,
    search_vector_memories,
)
from memory.stores.vector_recall import RecallRequest
from memory.types import Message
from tests.memory.services.worlds import entries, open_files

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def test_a_damaged_ledger_reads_as_no_memories(tmp_path: Path) -> None:
    files = open_files(tmp_path)
    files.write_memories(entries("a"))
    files.read_memories().report.path.write_text("[{", encoding="utf-8")

    assert get_all_memories(files) == NO_MEMORIES


def test_an_encrypted_state_document_never_shows_its_token(tmp_path: Path) -> None:
    files = open_files(tmp_path)
    files.write_state_document("old")
    files.read_state_document().report.path.write_text("gAAAAAB" + "x" * 100, encoding="ascii")

    assert get_current_state_document(files) == NO_STATE_DOCUMENT


def test_a_broken_database_finds_nothing(tmp_path: Path) -> None:
    files = open_files(tmp_path)
    files.vector_path().parent.mkdir(parents=True)
    files.vector_path().write_bytes(b"no database at all, but long enough to look like a file" * 30)

    text = search_vector_memories(files, RecallRequest("x"), now=NOW)

    assert text == "No relevant memories found in the vector database for the given keywords."


def test_system_messages_name_speakers_only_for_chat_endpoints(tmp_path: Path) -> None:
    messages = [Message("user", "hi"), Message("system", "Lemon: hi"), Message("user", "lemon tree")]

    found = [
        search_by_keywords(None, messages, KeywordRequest("lemon", lookback=1, counts_system=counts_system))
        for counts_system in (True, False)
    ]

    assert found == ["", "lemon tree"]
