"""What a Standard node does beside sending its prompt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.fakes.llm_server import Answer, FakeLlmServer
from tests.workflows_app.builders import CHAT_STREAMED, USER, build_run, write, write_endpoint, write_workflow
from workflows_app.engine.events import AnswerFinished, NodeFinished, RunFinished, ToolCallsStreamed
from workflows_app.engine.router import answer_request
from workflows_app.errors import NodeFailedError
from workflows_app.nodes.registry import build_registry

NODE = {"type": "Standard", "endpointName": "first", "preset": "plain", "prompt": "p"}
LIVENESS = {**USER, "livenessToolCall": {"toolName": "bash", "arguments": {"command": "true"}}}
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}
STYLE = {"structuredOutput": {"field": "response_format", "style": "openaiJsonSchema"}}


def listen(public: Path, server: FakeLlmServer, node: dict[str, Any], **changes: Any) -> list[Any]:
    write_endpoint(public, "first", server.url)
    write_workflow(public, "Main", node)
    return list(answer_request(build_run(public, "hi", **changes), build_registry()))


@pytest.mark.parametrize(("text", "node"), [("", NODE), ("text", {**NODE, "injectLivenessToolCall": True})])
def test_made_up_call_keeps_a_front_end_going(public: Path, text: str, node: dict[str, Any]) -> None:
    write(public / "Configs/Users/ann.json", LIVENESS)
    with FakeLlmServer(Answer(text)) as server:
        events = listen(public, server, node, is_streaming=True)

    calls = [call for event in events if isinstance(event, ToolCallsStreamed) for call in event.tool_calls]
    assert calls[0]["id"].startswith("wilmer_liveness_")
    assert calls[0]["function"] == {"name": "bash", "arguments": '{"command": "true"}'}
    assert AnswerFinished("tool_calls") in events


def test_no_call_is_made_up_unless_the_user_wants_it(public: Path) -> None:
    with FakeLlmServer(Answer("")) as server:
        events = listen(public, server, {**NODE, "injectLivenessToolCall": True}, is_streaming=True)

    assert not any(isinstance(event, ToolCallsStreamed) for event in events)


def test_structured_output(public: Path) -> None:
    write(public / "Configs/ApiTypes/chat.json", CHAT_STREAMED | STYLE)
    write(public / "Configs/StructuredOutputs/form.json", SCHEMA)
    with FakeLlmServer("{}") as server:
        listen(public, server, {**NODE, "structuredOutputFile": "form"})

    sent = server.seen[0].body["response_format"]
    assert sent == {"type": "json_schema", "json_schema": {"name": "response", "strict": True, "schema": SCHEMA}}


def test_structured_output_and_a_forced_tool_exclude_each_other(public: Path) -> None:
    write(public / "Configs/ApiTypes/chat.json", CHAT_STREAMED | STYLE)
    write(public / "Configs/StructuredOutputs/form.json", SCHEMA)
    node = {**NODE, "structuredOutputFile": "form", "allowTools": True}
    tools = [{"type": "function", "function": {"name": "ls"}}]

    with FakeLlmServer() as server, pytest.raises(NodeFailedError, match="forces a tool call"):
        listen(public, server, node, tools=tools, tool_choice="required")


def test_speaker_is_put_in_front_for_the_client_only(public: Path) -> None:
    messages = [{"role": "user", "content": "Hello all."}, {"role": "assistant", "content": "Roland:"}]
    with FakeLlmServer("Good evening.") as server:
        events = listen(public, server, {**NODE, "useGroupChatTimestampLogic": True}, messages=messages)

    finished = next(event for event in events if isinstance(event, NodeFinished))
    assert finished.output == "Good evening."
    assert events[-1] == RunFinished("Roland: Good evening.")


def test_tool_calls_of_a_node_that_does_not_answer_are_its_output(public: Path) -> None:
    call = {"index": 0, "id": "c1", "type": "function", "function": {"name": "LS", "arguments": "{}"}}
    with FakeLlmServer(Answer("", (call,))) as server:
        events = listen(public, server, {**NODE, "lowercaseToolCallFunctionNames": True, "allowTools": True})

    output = next(event for event in events if isinstance(event, NodeFinished)).output
    assert output["finish_reason"] == "tool_calls"
    assert output["tool_calls"][0]["function"]["name"] == "ls"
