"""What every reading node gives, in every state of the files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memory.engine.prompts import NO_SUMMARY_YET
from memory.engine.readers import NO_DISCUSSION_FOR_MEMORIES, NO_MEMORIES
from memory.queries import retrieval
from memory.stores.discussion_files import DiscussionFiles
from memory.stores.vector_recall import RecallRequest
from memory.types import Message
from tests.conformance.discussion_world import DiscussionWorld
from tests.conformance.readings import messages_of
from tests.conformance.vectors import cases

Node = Mapping[str, Any]
Files = DiscussionFiles | None


def recent(node: Node, files: Files, messages: list[Message]) -> str:
    request = retrieval.RecentMemoryRequest(
        node["maxTurnsToPull"],
        node["maxSummaryChunksFromFile"],
        node.get("lookbackStart", 0),
        node.get("customDelimiter"),
    )
    return retrieval.get_recent_memories(files, messages, request)


READERS: dict[str, Callable[[Node, Files, list[Message]], str | None]] = {
    "RecentMemorySummarizerTool": recent,
    "GetCurrentMemoryFromFile": lambda node, files, _: retrieval.get_all_memories(files, node.get("customDelimiter")),
    "GetCurrentSummaryFromFile": lambda _, files, __: retrieval.get_current_summary(files),
    "GetCurrentStateDocument": lambda _, files, __: retrieval.get_current_state_document(files),
    "ChatSummaryMemoryGatheringTool": lambda node, files, messages: retrieval.get_unsummarised_memories(
        files, messages, node["maxTurnsToPull"]
    ),
    "VectorMemorySearch": lambda node, files, _: retrieval.search_vector_memories(
        files, RecallRequest(node["input"]), now=datetime.now(UTC)
    ),
    "FullChatSummary": lambda _, files, __: retrieval.get_full_summary(files).text,
    "ConversationMemory": lambda _, files, __: None if files else NO_MEMORIES,
    "chatSummarySummarizer": lambda _, files, __: None if files else NO_SUMMARY_YET,
}
"""Nodes that give a text. Where None is given, another workflow is started."""


@pytest.mark.parametrize("case", cases("memory", "readers"))
def test_reader(case: dict[str, Any], tmp_path: Path) -> None:
    given, expected = case["input"], case["expected"]
    node = given["node"]
    world = DiscussionWorld(tmp_path, given["discussion_id"] or "unused")
    for name, content in (given.get("files") or {}).items():
        world.write(name, content)
    files = world.files if given["discussion_id"] else None

    if node["type"] in READERS:
        assert READERS[node["type"]](node, files, messages_of(given["messages"])) == expected["result"]
    elif files is None and expected["workflow"] is None:
        assert (node["type"], expected["result"]) == ("QualityMemory", NO_DISCUSSION_FOR_MEMORIES)
    # W27: reading creates nothing.
    assert sorted(path.name for path in world.home.glob("*")) == sorted(given.get("files") or {})
