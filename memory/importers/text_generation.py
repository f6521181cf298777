"""Histories of text-generation-webui: pairs of what was asked and answered (transcripts.md §6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memory.engine.transcripts import Said
from memory.importers.dates import parse_time
from memory.importers.events import ConversationStart, ImportEvent, ImportProblem
from memory.importers.formats import ChatFormat, SourceFile, dict_of, text_of
from memory.importers.json_stream import JsonDamageError

GREETING = "<|BEGIN-VISIBLE-CHAT|>"
"""Stands on the user's side of the row that holds the greeting."""

_ROWS = ("internal", "data")
"""What was sent; `visible` is changed for showing."""


def recognises(shown: Any) -> bool:
    """`internal` and `visible` rows, or the older `data` and `data_visible`."""
    first = dict_of(shown)
    return isinstance(first.get("internal"), list) or {"data", "data_visible"} <= first.keys()


def read(file: SourceFile) -> Iterator[ImportEvent]:
    """One conversation. The file is gone through twice: the times stand behind the rows."""
    times = _read_times(file)
    yield ConversationStart()
    cursor = file.cursor()
    try:
        for key in cursor.walk_object():
            if key in _ROWS and cursor.peek() == "[":
                row = -1
                for element in cursor.elements():
                    row += 1
                    if isinstance(element, ImportProblem):
                        yield element
                    elif (said := _read_row(element.value, row, times)) is None:
                        yield ImportProblem("This row is no pair of texts; left out.", element.line, element.column)
                    else:
                        yield from said
    except JsonDamageError as damage:
        yield damage.problem


FORMAT = ChatFormat("text-generation-webui", "text-generation-webui", recognises, read)


def _read_times(file: SourceFile) -> dict[str, Any]:
    cursor = file.cursor()
    try:
        for key in cursor.walk_object():
            if key == "metadata":
                return dict_of(cursor.read())
    except JsonDamageError:
        # What is wrong is told when the rows are read.
        return {}
    return {}


def _read_row(row: Any, number: int, times: dict[str, Any]) -> list[Said] | None:
    """Both sides of a row; an empty one was not said."""
    if not isinstance(row, list) or len(row) != 2 or not all(isinstance(side, str | None) for side in row):
        return None
    sides = zip(("user", "assistant"), row, strict=True)
    return [
        Said(role, text, sent_at=parse_time(text_of(dict_of(times.get(f"{role}_{number}")).get("timestamp"))))
        for role, text in sides
        if text and not (role == "user" and text == GREETING)
    ]
