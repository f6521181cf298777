"""A chat request in the form of the Claude messages API (workflows.md §8.5)."""

from __future__ import annotations

import json
from typing import Any

from workflows_app.llm import image_parts
from workflows_app.types import ChatMessage

_KEPT = (
    "model",
    "messages",
    "max_tokens",
    "system",
    "temperature",
    "top_p",
    "top_k",
    "stream",
    "stop_sequences",
    "metadata",
    "thinking",
    "tools",
    "tool_choice",
)


def as_claude(body: dict[str, Any]) -> dict[str, Any]:
    """The body with system texts, tools and tool turns where Claude wants them, other keys dropped."""
    messages = body.get("messages") or []
    system = "\n\n".join(str(m.get("content") or "") for m in messages if m.get("role") == "system")
    translated = {key: body[key] for key in _KEPT if key in body}
    translated["messages"] = _turns([m for m in messages if m.get("role") != "system"])
    if system:
        translated["system"] = system
    if "tools" in translated:
        translated["tools"] = [_tool(tool) for tool in translated["tools"]]
    if "tool_choice" in translated:
        translated["tool_choice"] = _tool_choice(translated["tool_choice"])
    return translated


def _turns(messages: list[ChatMessage]) -> list[ChatMessage]:
    turns: list[ChatMessage] = []
    for message in image_parts.as_claude(messages):
        turn = _turn(message)
        follows_result = (
            turns and turns[-1]["role"] == turn["role"] == "user" and isinstance(turns[-1]["content"], list)
        )
        if follows_result and _is_tool_result(turns[-1]):
            turns[-1]["content"] += _parts(turn["content"])
        else:
            turns.append(turn)
    if turns and turns[-1]["role"] == "assistant" and isinstance(turns[-1]["content"], str):
        turns[-1]["content"] = turns[-1]["content"].rstrip()
    return turns


def _turn(message: ChatMessage) -> ChatMessage:
    content = message.get("content") or ""
    if message.get("role") == "tool":
        result = {"type": "tool_result", "tool_use_id": message.get("tool_call_id"), "content": content}
        return {"role": "user", "content": [result]}
    if message.get("tool_calls"):
        uses = [_tool_use(call) for call in message["tool_calls"]]
        return {"role": "assistant", "content": (_parts(content) if content else []) + uses}
    return {"role": message.get("role"), "content": content}


def _parts(content: Any) -> list[dict[str, Any]]:
    return content if isinstance(content, list) else [{"type": "text", "text": content}]


def _is_tool_result(turn: ChatMessage) -> bool:
    return any(part.get("type") == "tool_result" for part in turn["content"])


def _tool_use(call: dict[str, Any]) -> dict[str, Any]:
    function = call.get("function") or {}
    arguments = function.get("arguments") or {}
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            arguments = {}
    return {"type": "tool_use", "id": call.get("id"), "name": function.get("name"), "input": arguments}


def _tool(tool: dict[str, Any]) -> dict[str, Any]:
    function = tool.get("function") or tool
    translated = {"name": function.get("name"), "input_schema": function.get("parameters") or {"type": "object"}}
    if function.get("description"):
        translated["description"] = function["description"]
    return translated


def _tool_choice(choice: Any) -> dict[str, Any]:
    if isinstance(choice, dict):
        name = (choice.get("function") or {}).get("name") or choice.get("name")
        return {"type": "tool", "name": name} if name else choice
    return {"type": {"required": "any", "none": "none"}.get(str(choice), "auto")}
