"""Tool calls put together from pieces, in everybody's dialect."""

from __future__ import annotations

from typing import Any

from workflows_app.llm.claude_client import _parse_event
from workflows_app.llm.ollama_client import _parse_piece
from workflows_app.llm.tool_calls import ToolCallCollector, build_liveness_call


def test_parts_are_joined_by_index() -> None:
    collector = ToolCallCollector()
    collector.add(({"index": 0, "id": "a", "type": "function", "function": {"name": "ls", "arguments": '{"p"'}},))
    collector.add(({"index": 1, "id": "b", "function": {"name": "cat", "arguments": "{}"}},))
    collector.add(({"index": 0, "function": {"arguments": ": 1}"}},))

    first, second = collector.calls
    assert (first["id"], first["function"]) == ("a", {"name": "ls", "arguments": '{"p": 1}'})
    assert second["function"]["name"] == "cat"


def test_claude_events_become_parts() -> None:
    block = {"type": "tool_use", "id": "a", "name": "ls", "input": {}}
    delta = {"type": "input_json_delta", "partial_json": '{"p": 1}'}
    collector = ToolCallCollector()
    for event in (
        {"type": "content_block_start", "index": 1, "content_block": block},
        {"type": "content_block_delta", "index": 1, "delta": delta},
    ):
        piece = _parse_event(event)
        assert piece is not None
        collector.add(piece.tool_calls)

    assert collector.calls[0]["function"] == {"name": "ls", "arguments": '{"p": 1}'}


def test_ollama_arguments_become_text() -> None:
    answer: dict[str, Any] = {"message": {"tool_calls": [{"function": {"name": "ls", "arguments": {"p": 1}}}]}}

    assert _parse_piece(answer).tool_calls[0]["function"] == {"name": "ls", "arguments": '{"p": 1}'}


def test_liveness_needs_a_tool_name() -> None:
    assert build_liveness_call({"livenessToolCall": {"arguments": {}}}) is None
    assert build_liveness_call({}) is None
