"""Edits of a JSON text that touch nothing but what is edited.

People keep these files by hand, with their own indentation, order and escapes. Every function takes a whole text and
gives a whole text back in which only the named value differs: line ends, a byte order mark, a missing last line feed
and the way numbers and characters are written stay as they are. A path is a tuple of keys and 0-based positions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from workflows_app.engine.json_places import (
    JsonText,
    Member,
    Path,
    Place,
    find_place,
    get_place,
    parse,
    read_value,
)
from workflows_app.errors import ConfigInvalidError

__all__ = [
    "JsonText",
    "Path",
    "Place",
    "duplicate_item",
    "find_place",
    "get_place",
    "insert_item",
    "move_item",
    "parse",
    "read_value",
    "remove",
    "rename_key",
    "set_value",
    "write_like",
]

DEFAULT_INDENT = "    "
INLINE_LENGTH = 100

_INDENT = re.compile(r"(?:\r\n|\r|\n)([ \t]+)\S")
_ESCAPED = re.compile(r"\\u(?!00[0-7])[0-9a-fA-F]{4}")
_LINE_END = re.compile(r"\r\n|\r|\n")
_OURS = {ord("\ufeff"): None, ord("•"): None}
"""What says nothing about how a text writes its letters: the byte order mark, and masks of secrets."""


def set_value(text: str, path: Sequence[str | int], value: Any) -> str:
    """Replace the value at a path, or add the last key of the path to its object, at the end.

    A value that is already there is left as it is written. Raises ConfigInvalidError for text that is no JSON and
    for a path that leads nowhere.
    """
    place = find_place(text, path)
    if place is None:
        return _add_key(text, path, value)
    if write_plain(read_value(text, place)) == write_plain(value):
        return text
    return text[: place.start] + _write(text, place, value) + text[place.end :]


def remove(text: str, path: Sequence[str | int]) -> str:
    """Take a key or an item away, with its comma and the white space that belonged to it."""
    parent, index = _get_member(text, path)
    members = parent.members
    if len(members) == 1:
        return text[: parent.start + 1] + text[parent.end - 1 :]
    if index == len(members) - 1:
        return text[: members[index - 1].end] + text[members[index].end :]
    return text[: members[index].start] + text[members[index + 1].start :]


def insert_item(text: str, path: Sequence[str | int], index: int, value: Any) -> str:
    """Put a new item into the list at `path`, before the item that has this position now."""
    place = get_place(text, path)
    if place.kind != "list":
        raise ConfigInvalidError("Only a list takes items.", path=list(path))
    return _insert(text, place, index, _write_member(text, place, value))


def duplicate_item(text: str, path: Sequence[str | int]) -> str:
    """Put a copy of an item behind it, written as the item is."""
    parent, index = _get_member(text, path)
    if parent.kind != "list":
        raise ConfigInvalidError("Only an item of a list can be doubled.", path=list(path))
    member = parent.members[index]
    return _insert(text, parent, index + 1, text[member.start : member.end])


def move_item(text: str, path: Sequence[str | int], to: int) -> str:
    """Move an item (or a key) to another position; the places between items stay as they are."""
    parent, index = _get_member(text, path)
    order = list(range(len(parent.members)))
    order.insert(min(max(to, 0), len(order) - 1), order.pop(index))
    pieces, at = [], 0
    for member, source in zip(parent.members, order, strict=True):
        moved = parent.members[source]
        pieces += [text[at : member.start], text[moved.start : moved.end]]
        at = member.end
    return "".join(pieces) + text[at:]


def rename_key(text: str, path: Sequence[str | int], key: str) -> str:
    """Give a key another name in its place. Raises ConfigInvalidError when the object has that name already."""
    parent, index = _get_member(text, path)
    if parent.kind != "object":
        raise ConfigInvalidError("Items of a list have no name.", path=list(path))
    member = parent.members[index]
    if member.key == key:
        return text
    if any(other.key == key for other in parent.members):
        raise ConfigInvalidError(f"There is a key {key!r} already.", key=key)
    return text[: member.start] + _dump(text, key) + text[member.key_end :]


def write_plain(value: Any) -> str:
    """A value as one line, for comparing: `1`, `1.0` and `true` differ."""
    return json.dumps(value, ensure_ascii=False)


def write_like(text: str, value: Any, *, indent: str = "") -> str:
    """A value as JSON in the manner of a text: its indentation, its escapes and its line ends."""
    lines = json.dumps(value, indent=find_indent(text), ensure_ascii=_is_escaped(text)).split("\n")
    return (find_line_end(text) + indent).join(lines)


def find_indent(text: str) -> str:
    """One step of indentation; four spaces where the text shows none."""
    found = _INDENT.search(text)
    return found.group(1) if found else DEFAULT_INDENT


def find_line_end(text: str) -> str:
    """The first line end; a line feed where there is none."""
    found = _LINE_END.search(text)
    return found.group() if found else "\n"


def _add_key(text: str, path: Sequence[str | int], value: Any) -> str:
    parent = get_place(text, path[:-1]) if path else None
    if parent is None or parent.kind != "object" or not isinstance(path[-1], str):
        raise ConfigInvalidError("There is no such place in this JSON.", path=list(path))
    written = f"{_dump(text, path[-1])}: {_write_member(text, parent, value)}"
    return _insert(text, parent, len(parent.members), written)


def _get_member(text: str, path: Sequence[str | int]) -> tuple[Place, int]:
    """The object or list that holds the last step of the path, and which of its members that is."""
    if not path:
        raise ConfigInvalidError("The whole document cannot be moved or removed.")
    parent = get_place(text, path[:-1])
    found = [number for number, member in enumerate(parent.members) if member.key == path[-1]]
    if not found:
        raise ConfigInvalidError("There is no such place in this JSON.", path=list(path))
    return parent, found[-1]


def _insert(text: str, parent: Place, index: int, written: str) -> str:
    members = parent.members
    if not members:
        return text[: parent.start + 1] + _fill(text, parent, written) + text[parent.end - 1 :]
    index = min(max(index, 0), len(members))
    gap = _gap(text, parent, members[max(0, index - 1)])
    if index == 0:
        at = members[0].start
        return text[:at] + written + "," + (gap or " ") + text[at:]
    at = members[index - 1].end
    return text[:at] + "," + (gap or " ") + written + text[at:]


def _fill(text: str, parent: Place, written: str) -> str:
    """What stands between the brackets of an object or list that was empty."""
    if not _LINE_END.search(text) and len(text) > 2:
        return written
    outer = _indent_at(text, parent.start)
    end = find_line_end(text)
    return f"{end}{outer}{find_indent(text)}{written}{end}{outer}"


def _gap(text: str, parent: Place, member: Member) -> str:
    """The white space before a member."""
    start = member.start
    while start > parent.start + 1 and text[start - 1] in " \t\r\n":
        start -= 1
    return text[start : member.start]


def _write_member(text: str, parent: Place, value: Any) -> str:
    """A new value as it looks inside `parent`."""
    if parent.members:
        if not _LINE_END.search(text[parent.start : parent.end]):
            return _dump(text, value)
        return write_like(text, value, indent=_indent_at(text, parent.members[-1].start))
    if not _LINE_END.search(text) and len(text) > 2:
        return _dump(text, value)
    return write_like(text, value, indent=_indent_at(text, parent.start) + find_indent(text))


def _write(text: str, place: Place, value: Any) -> str:
    """A value in the place of another: on one line if that one was, and is not too long for it."""
    old = text[place.start : place.end]
    line = _dump(text, value)
    was_inline = bool(place.members) and not _LINE_END.search(old) and len(line) <= max(INLINE_LENGTH, len(old))
    if was_inline or not isinstance(value, dict | list) or not value:
        return line
    return write_like(text, value, indent=_indent_at(text, place.start))


def _dump(text: str, value: Any) -> str:
    return json.dumps(value, ensure_ascii=_is_escaped(text))


def _indent_at(text: str, offset: int) -> str:
    """The white space that the line of this offset begins with."""
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    end = start
    while end < offset and text[end] in " \t":
        end += 1
    return text[start:end]


def _is_escaped(text: str) -> bool:
    """Whether the text writes other letters than ASCII as escapes."""
    return text.translate(_OURS).isascii() and _ESCAPED.search(text) is not None
