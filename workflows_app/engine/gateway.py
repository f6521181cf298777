"""Messages of a chat request on their way in (workflows.md §12.1, §13.3)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memory.engine.braces import to_sentinels
from memory.engine.discussion_ids import find_discussion_id, remove_tags
from memory.engine.messages import ASSISTANT_LABEL, USER_LABEL, parse_message
from memory.types import DiscussionId
from workflows_app.engine.conversation import text_of
from workflows_app.engine.message_times import as_memory_message
from workflows_app.types import ChatMessage, JsonObject

LIVENESS_PREFIX = "wilmer_liveness_"
"""Ids of tool calls that a server made up to keep a front end going begin like this."""
_KEPT = ("tool_calls", "tool_call_id", "name")
_LABELS = {"user": USER_LABEL, "assistant": ASSISTANT_LABEL}
_FOLDED_FROM = 3
"""So many equal tool exchanges in a row become one."""


@dataclass(frozen=True, slots=True)
class IncomingRequest:
    """A request ready to be run."""

    messages: list[ChatMessage]
    """Braces escaped, tags removed, empty messages dropped."""
    discussion_id: DiscussionId | None


def prepare_messages(raw: Sequence[Mapping[str, Any]], user: JsonObject) -> IncomingRequest:
    """The messages as workflows see and hash them, and the discussion they name. Raises InvalidError."""
    messages = [_labelled(_plain(message), user) for message in raw]
    if user.get("livenessToolCall"):
        messages = fold_repeats(drop_liveness(messages))
    if user.get("chatCompletionAddMissingAssistantGenerator"):
        messages = _with_generator(messages, user)
    discussion_id = find_discussion_id([as_memory_message(message) for message in messages])
    return IncomingRequest(clean_messages(messages), discussion_id)


def clean_messages(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Messages with braces escaped and tags removed, without those that say nothing."""
    cleaned = [{**message, "content": remove_tags(to_sentinels(text_of(message)))} for message in messages]
    return [message for message in cleaned if _says(message)]


def drop_liveness(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """The history without tool calls that the server itself made up, and without their results."""
    kept: list[ChatMessage] = []
    for message in messages:
        if str(message.get("tool_call_id") or "").startswith(LIVENESS_PREFIX):
            continue
        calls = [call for call in message.get("tool_calls") or [] if not _is_liveness(call)]
        if calls or not message.get("tool_calls"):
            kept.append({**message, "tool_calls": calls} if calls else message)
        elif text_of(message).strip():
            kept.append({key: value for key, value in message.items() if key != "tool_calls"})
    return kept


def fold_repeats(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Three or more equal tool exchanges in a row become one with a note."""
    folded: list[ChatMessage] = []
    position = 0
    while position < len(messages):
        exchange = _exchange_at(messages, position)
        count = _count_repeats(messages, position, exchange)
        if count >= _FOLDED_FROM:
            folded += _noted(exchange, count)
        else:
            folded += messages[position : position + len(exchange) * count]
        position += len(exchange) * count
    return folded


def _plain(raw: Mapping[str, Any]) -> ChatMessage:
    message = parse_message(raw)
    plain: ChatMessage = {"role": message.role, "content": message.text}
    if message.images:
        plain["images"] = list(message.images)
    return plain | {key: raw[key] for key in _KEPT if raw.get(key) is not None}


def _labelled(message: ChatMessage, user: JsonObject) -> ChatMessage:
    label = _LABELS.get(str(message.get("role")))
    if not label or not user.get("chatCompleteAddUserAssistant"):
        return message
    return {**message, "content": label + text_of(message)}


def _with_generator(messages: list[ChatMessage], user: JsonObject) -> list[ChatMessage]:
    if not messages or messages[-1].get("role") == "assistant":
        return messages
    text = ASSISTANT_LABEL.strip() if user.get("chatCompleteAddUserAssistant") else ""
    return [*messages, {"role": "assistant", "content": text}]


def _says(message: ChatMessage) -> bool:
    return bool(
        text_of(message).strip() or message.get("images") or message.get("tool_calls") or message.get("tool_call_id")
    )


def _is_liveness(call: Any) -> bool:
    return isinstance(call, dict) and str(call.get("id") or "").startswith(LIVENESS_PREFIX)


def _exchange_at(messages: Sequence[ChatMessage], position: int) -> list[ChatMessage]:
    """The tool calls at a position with their results; any other message alone."""
    end = position + 1
    if messages[position].get("tool_calls"):
        while end < len(messages) and messages[end].get("role") == "tool":
            end += 1
    return list(messages[position:end])


def _count_repeats(messages: Sequence[ChatMessage], position: int, exchange: list[ChatMessage]) -> int:
    if len(exchange) == 1:
        return 1
    wanted, count = _fingerprint(exchange), 1
    while True:
        start = position + count * len(exchange)
        if start >= len(messages) or _fingerprint(_exchange_at(messages, start)) != wanted:
            return count
        count += 1


def _fingerprint(exchange: Sequence[ChatMessage]) -> str:
    """What an exchange says, whatever ids its calls have."""
    said = [(m.get("role"), text_of(m), [call.get("function") for call in m.get("tool_calls") or []]) for m in exchange]
    return json.dumps(said, sort_keys=True, default=str)


def _noted(exchange: list[ChatMessage], count: int) -> list[ChatMessage]:
    note = f"\n[The same tool call was made {count} times in a row with the same result.]"
    return [*exchange[:-1], {**exchange[-1], "content": text_of(exchange[-1]) + note}]
