"""The export of ChatGPT: `conversations.json`, a tree of messages for each conversation (transcripts.md §4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from memory.engine.transcripts import Said
from memory.importers.dates import parse_time
from memory.importers.events import ConversationStart, ImportEvent, ImportProblem
from memory.importers.formats import ChatFormat, SourceFile, dict_of, first_of, list_of, text_of
from memory.importers.json_stream import Element
from memory.importers.tree import choose_newest, list_active_line, list_leaves

TEXT_TYPES = frozenset({"text", "multimodal_text", "code"})
KEPT_ROLES = frozenset({"user", "assistant"})
HIDDEN = "is_visually_hidden_from_conversation"


def recognises(shown: Any) -> bool:
    """A conversation with a `mapping`."""
    return isinstance(dict_of(first_of(shown)).get("mapping"), dict)


def read(file: SourceFile) -> Iterator[ImportEvent]:
    """Every conversation, each along its active line; thoughts, tools and hidden messages left out."""
    cursor = file.cursor()
    items = cursor.elements(mends=True) if cursor.peek() == "[" else cursor.objects(mends=True)
    for item in items:
        yield from [item] if isinstance(item, ImportProblem) else _read_conversation(item)


FORMAT = ChatFormat("chatgpt", "ChatGPT export", recognises, read)


def _read_conversation(element: Element) -> Iterator[ImportEvent]:
    raw = dict_of(element.value)
    mapping = raw.get("mapping")
    if not isinstance(mapping, dict):
        yield ImportProblem("This is no conversation: it has no `mapping`.", element.line, element.column)
        return
    yield ConversationStart(text_of(raw.get("title")), parse_time(raw.get("create_time")))
    time = parse_time(raw.get("create_time"))
    for node in _list_line(raw, mapping):
        message = dict_of(dict_of(mapping[node]).get("message"))
        time = parse_time(message.get("create_time")) or time
        if _is_kept(message) and (said := _build_said(message)):
            yield Said(said.role, said.content, said.name, said.images, time)


def _list_line(raw: Mapping[str, Any], mapping: Mapping[str, Any]) -> list[str]:
    parents = {node: _parent_of(facts) for node, facts in mapping.items() if isinstance(facts, dict)}
    current = raw.get("current_node")
    if current not in parents:
        times = {node: _number(dict_of(mapping[node].get("message")).get("create_time")) for node in parents}
        current = choose_newest(list_leaves(parents), times)
    return list_active_line(parents, current)


def _parent_of(facts: Mapping[str, Any]) -> str | None:
    parent = facts.get("parent")
    return parent if isinstance(parent, str) else None


def _is_kept(message: Mapping[str, Any]) -> bool:
    role = dict_of(message.get("author")).get("role")
    kind = dict_of(message.get("content")).get("content_type", "text")
    is_shown = not dict_of(message.get("metadata")).get(HIDDEN)
    return role in KEPT_ROLES and kind in TEXT_TYPES and is_shown and message.get("recipient", "all") in ("all", None)


def _build_said(message: Mapping[str, Any]) -> Said | None:
    """None for a message without text and pictures, such as a reply that was stopped at once."""
    author, content = dict_of(message.get("author")), dict_of(message.get("content"))
    parts = list_of(content.get("parts"))
    texts = [text_of(content.get("text")), *(_text_of_part(part) for part in parts)]
    images = tuple(image for part in parts if (image := text_of(dict_of(part).get("asset_pointer"))))
    text = "\n".join(text for text in texts if text)
    return Said(author["role"], text, text_of(author.get("name")), images) if text or images else None


def _text_of_part(part: Any) -> str:
    return part if isinstance(part, str) else text_of(dict_of(part).get("text"))


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0
