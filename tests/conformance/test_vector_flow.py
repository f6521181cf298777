"""The vector path of the writer, run on a real database with a scripted model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memory.engine.llm_json import REQUIRED_KEYS
from memory.engine.model_calls import Call
from memory.engine.triggers import WriterPath
from memory.services.creation import create_memories
from memory.services.results import CreationResult
from memory.stores.vector_writes import MemoryBatch, NewMemory, add_memories, log_progress
from tests.conformance.discussion_world import (
    DiscussionWorld,
    LetterEmbedder,
    ScriptedModel,
    call_as_json,
    messages_of_steps,
    recorded_calls,
)
from tests.conformance.readings import messages_of
from tests.conformance.test_new_messages import required_span
from tests.conformance.vectors import cases
from wilmer_site.lib.errors import UpstreamError

BEFORE = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class SteadyModel(ScriptedModel):
    """Answers a question that is asked once more at once (W04) in the same way, outside the script."""

    last_reply: Any = None

    def ask(self, call: Call) -> str | None:
        if self.calls and call == self.calls[-1]:
            return self.last_reply
        self.last_reply = super().ask(call)
        return self.last_reply


@pytest.mark.parametrize("case", cases("memory", "vector_flow"))
def test_vector_flow(case: dict[str, Any], tmp_path: Path) -> None:
    given = case["input"]
    world = build_world(given, tmp_path)
    failed: dict[str, int] = {}

    for number, ((step, raw), expected) in enumerate(
        zip(messages_of_steps(given), case["expected"]["steps"], strict=True)
    ):
        embedder = build_embedder(given)
        model = SteadyModel(list(step["replies"]), is_strict="weakness" not in case)
        known = [row["message_hash"] for row in world.rows("SELECT * FROM vector_memory_hash_log ORDER BY id DESC")]
        result = run(world, given, model, raw, embedder)
        calls = [call_as_json(call) for call in model.calls]

        if case.get("weakness") in {"W03", "W10", "W11"}:
            check_span(result, raw, known, given)
        elif case.get("weakness") in {"W04", "W05", "W06"}:
            check_failed_chunks(world, calls, failed, len(raw), None if number else expected)
        else:
            check_step(world, result, calls, expected)
        assert embedder is None or embedder.requests == expected.get("embedding_requests", [])


def build_world(given: Mapping[str, Any], tmp_path: Path) -> DiscussionWorld:
    world = DiscussionWorld(tmp_path, given["discussion_id"])
    ref = world.ref.discussion_id
    for metadata in given.get("memories_before", ()):
        batch = MemoryBatch((NewMemory(metadata["summary"], metadata),))
        add_memories(world.database_path, ref, batch, now=BEFORE)
    for message_hash in given["hash_log_before"]:
        log_progress(world.database_path, ref, message_hash, now=BEFORE)
    if "state_document_before" in given:
        world.write("state_document.md", given["state_document_before"])
    return world


def build_embedder(given: Mapping[str, Any]) -> LetterEmbedder | None:
    if given["config"].get("embeddingEndpointName", "ep-broken") == "ep-broken":
        return None
    return LetterEmbedder(given["embedding_model"], given["embedding_reply"])


def run(
    world: DiscussionWorld, given: Mapping[str, Any], model: SteadyModel, raw: Any, embedder: LetterEmbedder | None
) -> CreationResult | None:
    """The result; None if a call failed."""
    try:
        workshop = world.workshop(given["config"], model, embedder=embedder)
        return create_memories(workshop, messages_of(raw), path=WriterPath.VECTOR)
    except UpstreamError:
        return None


def check_step(
    world: DiscussionWorld, result: CreationResult | None, calls: list[Any], expected: Mapping[str, Any]
) -> None:
    assert (result is None) is ("raises" in expected)
    if result is not None:
        assert result.decision.outcome == expected["reason"]
        if "new_messages" in expected:
            assert len(result.decision.messages) == expected["new_messages"]
            assert result.decision.token_estimate == expected["estimated_tokens"]
            assert result.decision.thresholds.chunk_size == expected["token_threshold"]
    check_calls(calls, expected)
    check_database(world, expected["database"])
    if "state_document" in expected:
        assert world.read("state_document.md") == expected["state_document"]


def check_calls(calls: list[Any], expected: Mapping[str, Any]) -> None:
    recorded = recorded_calls(expected)
    assert len(calls) == len(recorded)
    for call, wanted in zip(calls, recorded, strict=True):
        for part in wanted.pop("prompt_contains", ()):
            # W31: our own prompt also names the keys.
            assert all(text in call["prompt"] for text in (part, *REQUIRED_KEYS))
        assert {key: call[key] for key in wanted} == wanted


def check_database(world: DiscussionWorld, expected: Mapping[str, Any] | None) -> None:
    memories = world.rows("SELECT id, discussion_id, memory_text, metadata_json FROM memories ORDER BY id")
    for row in memories:
        row["metadata"] = json.loads(row.pop("metadata_json"))
    log = world.rows("SELECT message_hash FROM vector_memory_hash_log ORDER BY id")
    vectors = world.rows("SELECT memory_id, model, dim, lower(hex(vector)) AS vector_hex FROM memory_embeddings")
    found = {
        "memories": memories,
        "index": world.rows("SELECT rowid, * FROM memories_fts ORDER BY rowid"),
        "hash_log": [row["message_hash"] for row in log],
        "embeddings": sorted(vectors, key=lambda row: row["memory_id"]),
    }
    assert found == (expected or {"memories": [], "index": [], "hash_log": [], "embeddings": []})


def check_span(result: CreationResult | None, raw: Any, known: list[str], given: Mapping[str, Any]) -> None:
    """W03, W10 and W11: which messages are new is the improved rule's choice."""
    assert result is not None
    messages = [message for message in messages_of(raw) if message.role != "system"]
    span = required_span(messages, known, given["config"].get("lookbackStartTurn", 3))
    start, end = span or (0, 0)
    assert list(result.decision.messages) == messages[start:end]


def check_failed_chunks(
    world: DiscussionWorld,
    calls: list[Any],
    failed: dict[str, int],
    message_count: int,
    first_step: Mapping[str, Any] | None,
) -> None:
    """W04, W05, W06: what fails is asked for again only when the talk went on; the first step is as recorded."""
    asked = [call.get("prompt") or call["scoped_inputs"][0] for call in calls]
    assert all(message_count > failed[text] for text in asked if text in failed)
    failed |= dict.fromkeys(asked, message_count)
    if first_step is not None:
        check_database(world, first_step["database"])
