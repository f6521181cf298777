"""Messages as they are sent to a model: a list, a whole request, or JSON Lines (transcripts.md §3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from memory.importers.dates import parse_time
from memory.importers.events import ConversationStart, ImportEvent, ImportProblem
from memory.importers.formats import ChatFormat, SourceFile, dict_of, first_of, list_of, text_of
from memory.importers.json_stream import Element, JsonCursor, JsonDamageError
from memory.importers.openai_parts import MAX_ROLE_CHARACTERS, parse_message


def recognises(shown: Any) -> bool:
    """Messages with `role`, or something that holds a list of such as `messages`; an empty list counts."""
    if shown == []:
        return True
    first = first_of(shown)
    inner = first_of(first) if isinstance(first, list) else first
    if "role" in dict_of(inner):
        return True
    messages = dict_of(first).get("messages")
    return isinstance(messages, list) and (not messages or "role" in dict_of(first_of(messages)))


def read(file: SourceFile) -> Iterator[ImportEvent]:
    """One conversation, or several where the file holds several lists of messages."""
    cursor = file.cursor()
    if cursor.peek() == "[":
        yield from _read_elements(cursor.elements())
        return
    is_begun = False
    while cursor.peek():
        place = cursor.place()
        try:
            for event in _read_object(cursor, place):
                # Lines that are single messages make up one conversation.
                if not (is_begun and event is _LOOSE):
                    yield event
                is_begun = is_begun or event is _LOOSE
        except JsonDamageError as damage:
            yield damage.problem
            cursor.leave_damaged()
        cursor.take(",")


FORMAT = ChatFormat("openai", "OpenAI messages", recognises, read)

_LOOSE = ConversationStart()
"""Begins the conversation of messages that stand alone."""


def _read_elements(elements: Iterable[Element | ImportProblem]) -> Iterator[ImportEvent]:
    is_begun = False
    for element in elements:
        if isinstance(element, ImportProblem):
            yield element
            continue
        inner = element.value if isinstance(element.value, list) else dict_of(element.value).get("messages")
        if isinstance(inner, list):
            yield ConversationStart(title_of(dict_of(element.value)))
            yield from _read_list(inner, element)
            continue
        if not is_begun:
            is_begun = True
            yield _LOOSE
        yield _parse(element.value, element)


def _read_object(cursor: JsonCursor, place: tuple[int, int]) -> Iterator[ImportEvent]:
    """A message, or an object with messages, whose list is read one by one: it may be large."""
    facts: dict[str, Any] = {}
    is_list = False
    for key in cursor.walk_object():
        if key == "messages" and cursor.peek() == "[":
            is_list = True
            yield ConversationStart(title_of(facts))
            for element in cursor.elements():
                yield element if isinstance(element, ImportProblem) else _parse(element.value, element)
        elif key in _READ_KEYS:
            facts[key] = cursor.read()
    if not is_list:
        yield _LOOSE
        yield _parse(facts, Element(facts, *place))


_READ_KEYS = ("role", "content", "name", "images", "title", "created_at", "timestamp", "tool_calls", "tool_call_id")


def title_of(facts: dict[str, Any]) -> str:
    """The title that some programs add."""
    return text_of(facts.get("title")) or text_of(facts.get("name"))


def _read_list(items: list[Any], place: Element) -> Iterator[ImportEvent]:
    for item in list_of(items):
        yield _parse(item, place)


def _parse(raw: Any, place: Element) -> ImportEvent:
    facts = dict_of(raw)
    said = parse_message(facts, parse_time(facts.get("timestamp") or facts.get("created_at")))
    if said is None:
        return ImportProblem("This is no message: it has no role.", place.line, place.column)
    if len(said.role) > MAX_ROLE_CHARACTERS:
        return ImportProblem("The role of this message is no role; left out.", place.line, place.column)
    return said
