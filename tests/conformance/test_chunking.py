from __future__ import annotations

from typing import Any

import pytest

from memory.engine.chunking import list_recent_texts, list_spans, pack_messages, remove_role_labels
from memory.engine.messages import join_contents
from memory.engine.tokens import estimate_tokens
from tests.conformance.readings import messages_of
from tests.conformance.vectors import cases


@pytest.mark.parametrize("case", cases("memory", "chunking", "chunk"))
def test_chunk(case: dict[str, Any]) -> None:
    messages = messages_of(case["input"]["messages"])

    spans = list_spans(messages, case["input"]["chunk_size"])

    assert [[span.start, span.end] for span in spans] == case["expected"]["spans"]
    assert [estimate_tokens(message.text) for message in messages] == case["expected"]["estimates"]


@pytest.mark.parametrize("case", cases("memory", "chunking", "hashed"))
def test_hashed(case: dict[str, Any]) -> None:
    given = case["input"]

    chunks = pack_messages(messages_of(given["messages"]), given["chunk_size"])

    name = "hash" if given["hash_of"] == "last" else "first_hash"
    assert [{"text": chunk.text, "hash": getattr(chunk, name)} for chunk in chunks] == case["expected"]["chunks"]


@pytest.mark.parametrize("case", cases("memory", "chunking", "text_block"))
def test_text_block(case: dict[str, Any]) -> None:
    assert join_contents(messages_of(case["input"]["messages"])) == case["expected"]["text"]


@pytest.mark.parametrize("case", cases("memory", "chunking", "message_chunks"))
def test_message_chunks(case: dict[str, Any]) -> None:
    given = case["input"]

    texts = list_recent_texts(messages_of(given["messages"]), given["lookback_start_turn"], given["chunk_size"])

    assert texts == case["expected"]["texts"]


@pytest.mark.parametrize("case", cases("memory", "chunking", "strip_roles"))
def test_strip_roles(case: dict[str, Any]) -> None:
    assert remove_role_labels(case["input"]["texts"]) == case["expected"]["texts"]
