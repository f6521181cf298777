"""Formats of a few lines each: Agnai, CAI Tools, Risu, and the `chat_messages` of Claude (transcripts.md §1, §4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memory.engine.transcripts import Said
from memory.importers.dates import parse_time
from memory.importers.events import ConversationStart, ImportEvent, ImportProblem
from memory.importers.formats import ChatFormat, SourceFile, dict_of, first_of, list_of, text_of


def _is_agnai(shown: Any) -> bool:
    return "msg" in dict_of(first_of(dict_of(shown).get("messages")))


def _read_agnai(raw: dict[str, Any]) -> Iterator[ImportEvent]:
    yield ConversationStart(text_of(raw.get("name")))
    for item in list_of(raw.get("messages")):
        message = dict_of(item)
        role = "user" if message.get("userId") else "assistant"
        yield _say(role, message.get("msg"), text_of(message.get("handle")), message.get("createdAt"))


def _is_cai(shown: Any) -> bool:
    return isinstance(dict_of(dict_of(shown).get("histories")).get("histories"), list)


def _read_cai(raw: dict[str, Any]) -> Iterator[ImportEvent]:
    for history in list_of(dict_of(raw.get("histories")).get("histories")):
        yield ConversationStart()
        for item in list_of(dict_of(history).get("msgs")):
            message = dict_of(item)
            source = dict_of(message.get("src"))
            role = "user" if source.get("is_human") else "assistant"
            yield _say(role, message.get("text"), text_of(source.get("name")), message.get("created"))


def _is_risu(shown: Any) -> bool:
    return dict_of(shown).get("type") == "risuChat"


def _read_risu(raw: dict[str, Any]) -> Iterator[ImportEvent]:
    data = dict_of(raw.get("data"))
    yield ConversationStart(text_of(data.get("name")))
    for item in list_of(data.get("message")):
        message = dict_of(item)
        role = "user" if message.get("role") == "user" else "assistant"
        yield _say(role, message.get("data"), text_of(message.get("name")), message.get("time"))


def _is_claude(shown: Any) -> bool:
    return isinstance(dict_of(first_of(shown)).get("chat_messages"), list)


def _read_claude(raw: dict[str, Any]) -> Iterator[ImportEvent]:
    yield ConversationStart(text_of(raw.get("name")), parse_time(raw.get("created_at")))
    for item in list_of(raw.get("chat_messages")):
        message = dict_of(item)
        role = "assistant" if message.get("sender") == "assistant" else "user"
        yield _say(role, message.get("text"), "", message.get("created_at"))


def _say(role: str, text: Any, name: str, time: Any) -> ImportEvent:
    if not isinstance(text, str):
        return ImportProblem("A message has no text; left out.")
    return Said(role, text, name, sent_at=parse_time(time))


def _build(name: str, title: str, recognises: Any, read_one: Any) -> ChatFormat:
    def read(file: SourceFile) -> Iterator[ImportEvent]:
        cursor = file.cursor()
        items = cursor.elements(mends=True) if cursor.peek() == "[" else cursor.objects(mends=True)
        for item in items:
            yield from [item] if isinstance(item, ImportProblem) else read_one(dict_of(item.value))

    return ChatFormat(name, title, recognises, read)


FORMATS = (
    _build("risu", "Risu", _is_risu, _read_risu),
    _build("cai-tools", "CAI Tools", _is_cai, _read_cai),
    _build("agnai", "Agnai", _is_agnai, _read_agnai),
    _build("claude", "Claude export", _is_claude, _read_claude),
)
