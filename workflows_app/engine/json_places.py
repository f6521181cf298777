"""Where each value of a JSON text stands: a parser that keeps positions, and notices keys that occur twice."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from json.decoder import JSONDecodeError, scanstring  # type: ignore[attr-defined]
from typing import Any, NamedTuple

from wilmer_site.lib.errors import TooLargeError
from workflows_app.errors import ConfigInvalidError

MAX_CHARACTERS = 5 * 1024 * 1024
"""Longer texts are not edited here."""
MAX_DEPTH = 200
MAX_DUPLICATES = 100
BOM = "\ufeff"

Path = tuple[str | int, ...]

_SPACE = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?")
_WORD = re.compile(r"true|false|null|NaN|-?Infinity")
_LINE_END = re.compile(r"\r\n|\r|\n")
_SMALL = 300_000
"""Characters of a text of which a few are remembered taken apart; of larger ones only the last two."""
_MAX_REMEMBERED = 200_000
"""Texts that may have more values than this are taken apart anew each time: their places need too much memory."""


class Member(NamedTuple):
    """A key with its value, or an item of a list; `start` to `end` is what moves when it is moved."""

    key: str | int
    start: int
    key_end: int
    """For an item of a list the same as `start`."""
    value: Place

    @property
    def end(self) -> int:
        """Behind the value."""
        return self.value.end


class Place(NamedTuple):
    """A value: its kind (`object`, `list`, `text`, `number`, `word`) and where it stands in the text."""

    kind: str
    start: int
    end: int
    members: tuple[Member, ...] = ()


class DuplicateKey(NamedTuple):
    """A key that its object has twice; only the last one counts."""

    path: Path
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class JsonText:
    """A text with the places of its values."""

    text: str
    root: Place
    duplicates: tuple[DuplicateKey, ...] = ()

    def find(self, path: Sequence[str | int]) -> Place | None:
        """The value at a path; of keys that occur twice the last."""
        place: Place | None = self.root
        for step in path:
            found = [member.value for member in place.members if _same(member.key, step)] if place else []
            place = found[-1] if found else None
        return place

    def locate(self, path: Sequence[str | int]) -> tuple[int, int]:
        """1-based line and column of the value at a path, or of the nearest thing around it that exists."""
        for length in range(len(path), -1, -1):
            place = self.find(path[:length])
            if place is not None:
                return locate_offset(self.text, place.start)
        return (1, 1)


def parse(text: str) -> JsonText:
    """The places of all values. Raises ConfigInvalidError with `line` and `column`, TooLargeError."""
    if len(text) > MAX_CHARACTERS:
        raise TooLargeError(
            f"This text has {len(text):,} characters; the editor takes at most {MAX_CHARACTERS:,}.",
            size=len(text),
            limit=MAX_CHARACTERS,
        )
    if len(text) <= _SMALL:
        return _parse_small(text)
    return _parse_large(text) if _count_at_most(text) <= _MAX_REMEMBERED else _parse(text)


def find_place(text: str, path: Sequence[str | int]) -> Place | None:
    """The value at a path, or None."""
    return parse(text).find(path)


def get_place(text: str, path: Sequence[str | int]) -> Place:
    """The value at a path. Raises ConfigInvalidError when the path leads nowhere."""
    place = find_place(text, path)
    if place is None:
        raise ConfigInvalidError("There is no such place in this JSON.", path=list(path))
    return place


def read_value(text: str, place: Place) -> Any:
    """The value that stands at a place."""
    return json.loads(text[place.start : place.end])


def locate_offset(text: str, offset: int) -> tuple[int, int]:
    """1-based line and column, counting CRLF, CR and LF as line ends, as editors do."""
    line, start = 1, 0
    for found in _LINE_END.finditer(text, 0, offset):
        line, start = line + 1, found.end()
    return line, offset - start + 1


def _parse(text: str) -> JsonText:
    reader = _Reader(text)
    at = reader.skip(len(BOM) if text.startswith(BOM) else 0)
    root = reader.read(at, (), 0)
    if reader.skip(root.end) != len(text):
        raise reader.error("there is more text behind the end of the JSON", reader.skip(root.end))
    return JsonText(text, root, tuple(reader.duplicates))


_parse_small = lru_cache(maxsize=8)(_parse)
_parse_large = lru_cache(maxsize=2)(_parse)


def _count_at_most(text: str) -> int:
    """No text has more values than this; brackets and commas inside texts count as well."""
    return text.count(",") + text.count("[") + text.count("{") + 1


def _same(key: str | int, step: str | int) -> bool:
    return key == step and type(key) is type(step)


@dataclass(slots=True)
class _Reader:
    """Reads one text from left to right."""

    text: str
    duplicates: list[DuplicateKey] = field(default_factory=list)

    def skip(self, at: int) -> int:
        """Behind white space."""
        found = _SPACE.match(self.text, at)
        return found.end() if found else at

    def error(self, what: str, at: int) -> ConfigInvalidError:
        line, column = locate_offset(self.text, min(at, len(self.text)))
        return ConfigInvalidError(f"This is no JSON: {what}, line {line}, column {column}.", line=line, column=column)

    def read(self, at: int, path: Path, depth: int) -> Place:
        """The value that begins here."""
        if depth > MAX_DEPTH:
            raise self.error(f"more than {MAX_DEPTH} objects and lists inside each other", at)
        first = self.text[at : at + 1]
        if first == "{":
            return self._read_object(at, path, depth)
        if first == "[":
            return self._read_list(at, path, depth)
        if first == '"':
            return Place("text", at, self._read_text(at)[1])
        return self._read_plain(at)

    def _read_plain(self, at: int) -> Place:
        for kind, pattern in (("word", _WORD), ("number", _NUMBER)):
            found = pattern.match(self.text, at)
            if found:
                return Place(kind, at, found.end())
        raise self.error(self._describe_wrong(at), at)

    def _describe_wrong(self, at: int) -> str:
        if at >= len(self.text):
            return "it ends too early" if self.text.strip() else "it is empty"
        if self.text.startswith(("//", "/*", "#"), at):
            return "comments are not allowed; use a key such as `_comment`"
        if self.text[at] == "'":
            return "texts need double quotes"
        return f"a value is missing before {self.text[at]!r}"

    def _read_text(self, at: int) -> tuple[str, int]:
        try:
            value, end = scanstring(self.text, at + 1, True)
        except JSONDecodeError as error:
            raise self.error(_explain(error.msg), error.pos) from None
        return value, end

    def _read_object(self, at: int, path: Path, depth: int) -> Place:
        members: list[Member] = []
        seen: set[str] = set()
        here = self.skip(at + 1)
        while not self._ends(here, "}", bool(members)):
            if not self.text.startswith('"', here):
                raise self.error("a key in double quotes is missing", here)
            key, key_end = self._read_text(here)
            colon = self.skip(key_end)
            if not self.text.startswith(":", colon):
                raise self.error("a colon is missing behind the key", colon)
            value = self.read(self.skip(colon + 1), (*path, key), depth + 1)
            if key in seen and len(self.duplicates) < MAX_DUPLICATES:
                self.duplicates.append(DuplicateKey((*path, key), *locate_offset(self.text, here)))
            seen.add(key)
            members.append(Member(key, here, key_end, value))
            here = self._next(value.end, "}")
        return Place("object", at, here + 1, tuple(members))

    def _read_list(self, at: int, path: Path, depth: int) -> Place:
        members: list[Member] = []
        here = self.skip(at + 1)
        while not self._ends(here, "]", bool(members)):
            value = self.read(here, (*path, len(members)), depth + 1)
            members.append(Member(len(members), here, here, value))
            here = self._next(value.end, "]")
        return Place("list", at, here + 1, tuple(members))

    def _ends(self, at: int, closing: str, has_members: bool) -> bool:
        if not self.text.startswith(closing, at):
            return False
        before = at - 1
        while self.text[before] in " \t\r\n":
            before -= 1
        if has_members and self.text[before] == ",":
            raise self.error("there is a comma too many before the closing bracket", at)
        return True

    def _next(self, at: int, closing: str) -> int:
        """Behind the comma, or at the closing bracket."""
        here = self.skip(at)
        if self.text.startswith(",", here):
            return self.skip(here + 1)
        if not self.text.startswith(closing, here):
            raise self.error("it ends too early" if here >= len(self.text) else "a comma is missing", here)
        return here


def _explain(message: str) -> str:
    """The standard library's words for texts, as the rest of a sentence."""
    return message[:1].lower() + message[1:].removesuffix(" at").removesuffix(" starting at")
