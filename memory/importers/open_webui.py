"""The export of Open WebUI: rows with a `chat`, each a tree of messages (transcripts.md §2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from memory.engine.discussion_ids import find_discussion_id
from memory.engine.transcripts import Said
from memory.importers.dates import parse_time
from memory.importers.events import ConversationStart, ImportEvent, ImportProblem
from memory.importers.formats import ChatFormat, SourceFile, dict_of, first_of, list_of, text_of
from memory.importers.json_stream import Element
from memory.importers.openai_parts import parse_message
from memory.importers.tree import list_active_line, list_leaves
from memory.types import Message

_DETAILS = re.compile(
    r'<details\s[^>]*type="(?:reasoning|tool_calls|code_interpreter)"[^>]*>.*?</details>\s*', re.DOTALL
)
"""What the program shows of thinking and tools; it is not sent back to a model."""


def recognises(shown: Any) -> bool:
    """A row with a `chat`, or a chat itself with a `history` of messages."""
    first = dict_of(first_of(shown))
    return _is_chat(dict_of(first.get("chat"))) or isinstance(dict_of(first.get("history")).get("messages"), dict)


def read(file: SourceFile) -> Iterator[ImportEvent]:
    """Every chat along its active line; other replies to the same message are left out."""
    cursor = file.cursor()
    items = cursor.elements(mends=True) if cursor.peek() == "[" else cursor.objects(mends=True)
    for item in items:
        yield from [item] if isinstance(item, ImportProblem) else _read_row(item)


FORMAT = ChatFormat("open-webui", "Open WebUI", recognises, read)


def _is_chat(chat: Mapping[str, Any]) -> bool:
    return isinstance(chat.get("history"), dict) or isinstance(chat.get("messages"), list)


def _read_row(element: Element) -> Iterator[ImportEvent]:
    row = dict_of(element.value)
    chat = dict_of(row.get("chat")) or row
    if not _is_chat(chat):
        yield ImportProblem("This is no chat: it has no messages.", element.line, element.column)
        return
    yield _begin(row, chat)
    for raw in _list_line(chat):
        said = parse_message(raw, parse_time(raw.get("timestamp")))
        if said is None:
            yield ImportProblem("A message of this chat has no role; left out.", element.line, element.column)
        else:
            yield _clean(said, raw)


def _begin(row: Mapping[str, Any], chat: Mapping[str, Any]) -> ConversationStart:
    title = text_of(row.get("title")) or text_of(chat.get("title"))
    system = text_of(dict_of(chat.get("params")).get("system")) or text_of(chat.get("system"))
    tag = find_discussion_id([Message("system", system)])
    created = parse_time(row.get("created_at")) or parse_time(chat.get("timestamp"))
    return ConversationStart(title, created, tag or "")


def _list_line(chat: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The active line; a chat without a usable tree has its messages in order."""
    history = dict_of(chat.get("history"))
    messages = {node: raw for node, raw in dict_of(history.get("messages")).items() if isinstance(raw, dict)}
    flat = [raw for raw in list_of(chat.get("messages")) if isinstance(raw, dict)]
    if not messages:
        return flat
    parents = {node: _parent_of(raw) for node, raw in messages.items()}
    line = list_active_line(parents, _find_current(chat, history, flat, messages))
    if not any(text_of(messages[node].get("role")) for node in line):
        line += list_active_line(parents, _find_last_spoken(messages, parents))
    return [messages[node] for node in line]


def _find_current(
    chat: Mapping[str, Any], history: Mapping[str, Any], flat: list[dict[str, Any]], messages: Mapping[str, Any]
) -> str | None:
    """The message that is shown last, in the order in which the program itself looks for it."""
    last = next((raw.get("id") for raw in reversed(flat) if raw.get("id")), None)
    named = (history.get("currentId"), chat.get("currentId"), chat.get("branchPointMessageId"), last)
    return next((node for node in named if isinstance(node, str) and node in messages), None)


def _find_last_spoken(messages: Mapping[str, dict[str, Any]], parents: Mapping[str, str | None]) -> str | None:
    """The end of the newest line of messages with a role, for a file whose last node is only a leftover."""
    leaves = list_leaves({node: parent for node, parent in parents.items() if text_of(messages[node].get("role"))})
    return leaves[-1] if leaves else None


def _parent_of(raw: Mapping[str, Any]) -> str | None:
    parent = raw.get("parentId")
    return parent if isinstance(parent, str) else None


def _clean(said: Said, raw: Mapping[str, Any]) -> Said:
    files = [dict_of(file) for file in list_of(raw.get("files"))]
    images = tuple(text_of(file.get("url")) for file in files if file.get("type") == "image")
    return replace(
        said,
        content=_DETAILS.sub("", said.content) if said.role == "assistant" else said.content,
        images=said.images + tuple(image for image in images if image),
    )
