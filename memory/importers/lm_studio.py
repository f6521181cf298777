"""Conversations of LM Studio: messages with versions, one of which is selected (transcripts.md §7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from memory.engine.transcripts import Said
from memory.importers.dates import parse_time
from memory.importers.events import ConversationStart, ImportEvent, ImportProblem
from memory.importers.formats import ChatFormat, SourceFile, dict_of, first_of, list_of, text_of
from memory.importers.json_stream import Element, JsonDamageError

THINKING = "thinking"


def recognises(shown: Any) -> bool:
    """Messages with `versions`."""
    return "versions" in dict_of(first_of(dict_of(shown).get("messages")))


def read(file: SourceFile) -> Iterator[ImportEvent]:
    """One conversation: the selected version of each message, without what the model thought."""
    yield _begin(file)
    cursor = file.cursor()
    try:
        for key in cursor.walk_object():
            if key == "messages" and cursor.peek() == "[":
                for element in cursor.elements():
                    yield element if isinstance(element, ImportProblem) else _read_message(element)
    except JsonDamageError as damage:
        yield damage.problem


FORMAT = ChatFormat("lm-studio", "LM Studio", recognises, read)


def _begin(file: SourceFile) -> ConversationStart:
    facts: dict[str, Any] = {}
    cursor = file.cursor()
    try:
        for key in cursor.walk_object():
            if key in ("name", "createdAt"):
                facts[key] = cursor.read()
    except JsonDamageError:
        # What is wrong is told when the messages are read.
        pass
    return ConversationStart(text_of(facts.get("name")), parse_time(facts.get("createdAt")))


def _read_message(element: Element) -> ImportEvent:
    raw = dict_of(element.value)
    versions = [version for version in list_of(raw.get("versions")) if isinstance(version, dict)]
    if not versions:
        return ImportProblem("This message has no version; left out.", element.line, element.column)
    chosen = raw.get("currentlySelected")
    version = versions[chosen if isinstance(chosen, int) and 0 <= chosen < len(versions) else -1]
    role = text_of(version.get("role"))
    if role not in ("user", "assistant", "system"):
        return ImportProblem("This message has no role; left out.", element.line, element.column)
    return Said(role, "\n".join(_list_texts(version)))


def _list_texts(version: Mapping[str, Any]) -> Iterator[str]:
    blocks = [version, *(dict_of(step) for step in list_of(version.get("steps")))]
    for block in blocks:
        if text_of(dict_of(block.get("style")).get("type")) == THINKING:
            continue
        for part in list_of(block.get("content")):
            if dict_of(part).get("type") == "text":
                yield text_of(dict_of(part).get("text"))
