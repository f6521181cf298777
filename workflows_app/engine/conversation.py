"""Slices of the conversation as text, the way workflow variables show them (workflows.md §6.7)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from memory.engine.tokens import estimate_tokens
from workflows_app.engine.dated_messages import DatedMessages
from workflows_app.types import ChatMessage, JsonObject

_TAGS = {"user": "User: ", "assistant": "Assistant: ", "system": "System: ", "tool": "Tool Result: "}
_MARKERS = ("[Beg_Sys]", "[Beg_User]", "[Beg_Assistant]", "[Beg_SysMes]")
_MARKER_START = "[Beg_"
_MAX_ARGUMENT_CHARACTERS = 200


def text_of(message: ChatMessage) -> str:
    """The content of a message as text; null counts as empty."""
    content = message.get("content")
    return "" if content is None else str(content)


def is_system(message: ChatMessage) -> bool:
    """Whether a message carries instructions rather than conversation."""
    return str(message.get("role", "")).lower() == "system"


def drop_system(messages: Sequence[ChatMessage]) -> Sequence[ChatMessage]:
    """The messages that are no system messages."""
    if isinstance(messages, DatedMessages):
        return messages.where(lambda message: not is_system(message))
    return [message for message in messages if not is_system(message)]


def drop_leading_system(messages: Sequence[ChatMessage]) -> Sequence[ChatMessage]:
    """The messages from the first that is no system message; if all are, all of them stay."""
    for position, message in enumerate(messages):
        if not is_system(message):
            return messages[position:]
    return messages


def leading_system(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """The system messages before the first other one."""
    found: list[ChatMessage] = []
    for message in messages:
        if not is_system(message):
            break
        found.append(message)
    return found


def last_within_tokens(messages: Sequence[ChatMessage], *, limit: int, at_least: int) -> list[ChatMessage]:
    """The newest messages whose estimates stay within `limit` tokens, but never fewer than `at_least`."""
    total = 0
    start = len(messages)
    while start > 0:
        total += estimate_tokens(text_of(messages[start - 1]))
        if total > limit and len(messages) - start >= at_least:
            break
        start -= 1
    return list(messages[start:])


def tag_roles(messages: Sequence[ChatMessage]) -> list[str]:
    """The contents, each with its role in front."""
    return [_TAGS.get(str(message.get("role")), "") + text_of(message) for message in messages]


def wrap_in_template(messages: Sequence[ChatMessage], template: JsonObject) -> str:
    """The messages as one prompt; the last one stays open at its end if it is the assistant's."""
    pieces: list[str] = []
    for position, message in enumerate(messages):
        role = str(message.get("role", "")).capitalize()
        is_open = position == len(messages) - 1 and message.get("role") == "assistant"
        suffix = "" if is_open else _part(template, role, "Suffix")
        pieces.append(f"{_part(template, role, 'Prefix')}{text_of(message)}{suffix}")
    return remove_markers("".join(pieces))


def remove_markers(text: str) -> str:
    """The text without the role markers of WilmerAI's own prompt form."""
    if _MARKER_START not in text:
        return text
    for marker in _MARKERS:
        text = text.replace(marker, "")
    return text


def describe_tool_calls(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """The messages with tool calls and their results written out as text."""
    calls = {call.get("id"): call for message in messages for call in message.get("tool_calls") or []}
    return [_described(message, calls) for message in messages]


def _part(template: JsonObject, role: str, end: str) -> str:
    return str(template.get(f"promptTemplate{role}{end}") or "")


def _described(message: ChatMessage, calls: dict[Any, JsonObject]) -> ChatMessage:
    if message.get("role") == "tool":
        return {**message, "content": _describe_result(message, calls)}
    lines = [_describe_call(call) for call in message.get("tool_calls") or []]
    if not lines:
        return message
    return {**message, "content": "\n".join([part for part in (text_of(message),) if part] + lines)}


def _describe_call(call: JsonObject) -> str:
    return f"[Tool Call: {_call_name(call)}] {_first_argument(call)}".rstrip()


def _describe_result(message: ChatMessage, calls: dict[Any, JsonObject]) -> str:
    call = calls.get(message.get("tool_call_id"))
    name = _call_name(call) if call else message.get("name") or "unknown_tool"
    label = f"{name} {_first_argument(call)}".rstrip() if call else str(name)
    return f"[Tool Result: {label}] {text_of(message)}"


def _call_name(call: JsonObject) -> str:
    function = call.get("function") or {}
    return str(function.get("name") or "unknown_tool")


def _first_argument(call: JsonObject) -> str:
    raw = (call.get("function") or {}).get("arguments") or ""
    arguments = _parsed(raw)
    texts = (value for value in arguments.values() if isinstance(value, str)) if isinstance(arguments, dict) else ()
    fallback = raw if isinstance(raw, str) else json.dumps(raw)
    return next(iter(texts), fallback)[:_MAX_ARGUMENT_CHARACTERS]


def _parsed(arguments: Any) -> Any:
    if not isinstance(arguments, str):
        return arguments
    try:
        return json.loads(arguments)
    except ValueError:
        return None
