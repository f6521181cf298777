"""A JSON text as a value, with the place of every key (for messages that name line and column)."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from workflows_app.errors import ConfigInvalidError

Pointer = tuple[str | int, ...]
"""Keys and indexes from the top of the document."""

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_TEXT: Final = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_ESCAPE: Final = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
_SCALAR: Final = re.compile(r"[^\s,\]}]+")


@dataclass(frozen=True, slots=True)
class Span:
    """Where a value stands in the text: the offset of its key (of itself in lists), and of itself."""

    key: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SourceMap:
    """Where everything in a JSON text stands. Of a duplicate key the last one counts, as in the value."""

    spans: Mapping[Pointer, Span]
    duplicates: tuple[tuple[Pointer, int], ...] = ()
    """Keys that come again in the same object, with the offset of the later one."""


@dataclass
class JsonSource:
    """A JSON text that could be parsed. The places are worked out when somebody asks for one."""

    text: str
    value: Any
    has_duplicates: bool = False

    @cached_property
    def places(self) -> SourceMap:
        """Where every key and value stands."""
        return map_source(self.text)

    def locate(self, pointer: Pointer) -> tuple[int, int]:
        """Line and column, both from 1, of a key; of its nearest parent for what is not there."""
        while pointer and pointer not in self.places.spans:
            pointer = pointer[:-1]
        span = self.places.spans.get(pointer)
        return self.position(span.key if span else 0)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of an offset in the text."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]


def parse_source(text: str) -> JsonSource:
    """The text as a value. Raises ConfigInvalidError with `line`, `column` and `reason` when it is no JSON."""
    duplicated: list[str] = []

    def collect(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            duplicated.append("")
        return found

    try:
        value = json.loads(replace_halves(text).removeprefix("\ufeff"), object_pairs_hook=collect)
    except json.JSONDecodeError as error:
        raise ConfigInvalidError(
            f"Line {error.lineno}, column {error.colno}: {error.msg}.",
            line=error.lineno,
            column=error.colno,
            reason=error.msg,
        ) from None
    except RecursionError:
        raise ConfigInvalidError(
            "The JSON is nested too deeply.", line=1, column=1, reason="Nested too deeply"
        ) from None
    except ValueError as error:
        raise ConfigInvalidError(f"{error}.", line=1, column=1, reason=str(error)) from None
    return JsonSource(text, value, bool(duplicated))


def replace_halves(text: str) -> str:
    """The JSON with every escape of half a character made one of U+FFFD, so that its texts can be shown.

    No place in the text moves.
    """
    if "\\ud" not in text and "\\uD" not in text:
        return text
    return _ESCAPE.sub(lambda match: "\\ufffd" if match["half"] else match.group(), text)


def format_pointer(pointer: Pointer) -> str:
    """As a JSON Pointer (RFC 6901); empty for the whole document."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in pointer)


def parse_pointer(text: str) -> Pointer:
    """The parts of a JSON Pointer; digits become indexes."""
    parts = text.split("/")[1:]
    return tuple(int(part) if part.isdecimal() else part.replace("~1", "/").replace("~0", "~") for part in parts)


def map_source(text: str) -> SourceMap:
    """Where every key and value of a text that is JSON stands; one pass, without recursion."""
    spans: dict[Pointer, Span] = {}
    duplicates: list[tuple[Pointer, int]] = []
    for pointer, span in _walk(text):
        if pointer in spans and pointer and isinstance(pointer[-1], str):
            duplicates.append((pointer, span.key))
        spans[pointer] = span
    return SourceMap(spans, tuple(duplicates))


@dataclass
class _Open:
    """An object or list whose end has not come yet."""

    pointer: Pointer
    key: int
    start: int
    is_object: bool
    count: int = 0


def _walk(text: str) -> Iterator[tuple[Pointer, Span]]:
    offset = _skip(text, 1 if text.startswith("\ufeff") else 0)
    stack: list[_Open] = []
    pointer: Pointer = ()
    key = offset
    while offset < len(text):
        character = text[offset]
        if character in "{[":
            stack.append(_Open(pointer, key, offset, character == "{"))
            offset = _skip(text, offset + 1)
        elif character not in "}]":
            end = _scalar_end(text, offset)
            yield pointer, Span(key, offset, end)
            offset = _skip(text, end)
        # Close what ends here, then find the next key or item.
        while stack and offset < len(text) and text[offset] in "}]":
            done = stack.pop()
            offset += 1
            yield done.pointer, Span(done.key, done.start, offset)
            offset = _skip(text, offset)
        if not stack:
            return
        if text[offset : offset + 1] == ",":
            offset = _skip(text, offset + 1)
        top = stack[-1]
        key = offset
        if top.is_object:
            match = _TEXT.match(text, offset)
            if match is None:
                return
            pointer = (*top.pointer, json.loads(replace_halves(match.group()), strict=False))
            offset = _skip(text, _skip(text, match.end()) + 1)
        else:
            pointer = (*top.pointer, top.count)
            top.count += 1


def _skip(text: str, offset: int) -> int:
    match = _SPACE.match(text, offset)
    return match.end() if match else offset


def _scalar_end(text: str, offset: int) -> int:
    match = (_TEXT if text[offset] == '"' else _SCALAR).match(text, offset)
    return match.end() if match else offset + 1
