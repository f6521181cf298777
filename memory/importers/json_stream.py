"""JSON read piece by piece: the elements of an array, the keys of an object, and a way on after damage."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from memory.importers.events import ImportProblem
from memory.importers.repair import TOKEN, close_broken
from memory.importers.text import BLOCK_BYTES, RecordTooLongError, TextSource

_DECODER = json.JSONDecoder(strict=False)
_BLANKS = re.compile(r"[ \t\r\n\0]*")
_NEXT_ELEMENT = re.compile(r",\s*(?=[{\[])")
_NEXT_OBJECT = re.compile(r"\n\s*(?=\{)")
_AFTER_ELEMENT = re.compile(r"\s*(?:[,\]{]|$)")
_CLOSERS = {"{": "}", "[": "]"}
_EDGE = 16
"""An error so near the end of what was read may come from what was not read yet."""

_LOOK_AHEAD = 8 * BLOCK_BYTES
"""How far the end of a damaged element is looked for."""


class JsonDamageError(Exception):
    """A value cannot be read."""

    def __init__(self, problem: ImportProblem, *, offset: int = 0, is_broken_off: bool = False) -> None:
        super().__init__(problem.text)
        self.problem = problem
        self.offset = offset
        """How far behind the beginning of the value it was noticed."""
        self.is_broken_off = is_broken_off
        """Whether the file ends inside the value."""


@dataclass(frozen=True, slots=True)
class Element:
    """One element and where it begins."""

    value: Any
    line: int
    column: int


class JsonCursor:
    """Goes once through a text. A value is read by `read`, `elements` or `walk_object`, or passed over by `skip`."""

    def __init__(self, source: TextSource) -> None:
        self._source = source

    def peek(self) -> str:
        """The next character that is not blank; empty at the end."""
        source = self._source
        while True:
            match = _BLANKS.match(source.text, source.at)
            source.at = match.end() if match else source.at
            if source.at < len(source.text):
                return source.text[source.at]
            if not source.fill():
                return ""

    def take(self, mark: str) -> bool:
        """Whether the next character is this one; it is used up then."""
        if self.peek() != mark:
            return False
        self._source.at += 1
        return True

    def place(self) -> tuple[int, int]:
        """Line and column of the next character."""
        return self._source.place()

    def read(self) -> Any:
        """The next value, whole. Raises JsonDamageError and stays where it was."""
        self.peek()
        source = self._source
        while True:
            try:
                value, end = _DECODER.raw_decode(source.text, source.at)
            except json.JSONDecodeError as error:
                if not self._fill_for(error):
                    raise self._damage(error) from None
            except RecursionError:
                raise self._too_deep() from None
            else:
                # A number may go on in what was not read yet.
                if end < len(source.text) or not self._fill_or_fail():
                    source.at = end
                    return value

    def skip(self) -> None:
        """Pass over the next value without building it. Raises JsonDamageError when the text ends in it."""
        if self.peek() not in ("{", "["):
            self.read()
            return
        depth = 0
        while True:
            depth, is_done = self._skip_buffered(depth)
            if is_done:
                return
            if not self._fill_or_fail():
                raise JsonDamageError(self._problem("The file ends in the middle of a record."), is_broken_off=True)

    def elements(self, *, mends: bool = False) -> Iterator[Element | ImportProblem]:
        """The elements of an array; of a damaged one what is wrong with it, and then those behind it.

        With `mends`, the whole parts of a last element that the file breaks off in are given too.
        """
        if not self.take("["):
            yield self._problem("Here a list was expected.")
            return
        while (mark := self.peek()) not in ("]", ""):
            if mark == ",":
                self._source.at += 1
                continue
            line, column = self.place()
            try:
                yield Element(self.read(), line, column)
            except JsonDamageError as damage:
                yield from self._after(damage, line, column, mends=mends)
                self._go_on(_NEXT_ELEMENT, damage.offset)
                continue
            if self.peek() not in (",", "]", ""):
                yield self._problem("A comma is missing between two records.")
                self._pass_junk()
        if not self.take("]"):
            yield self._problem("The file breaks off: the end of the list is missing.")

    def walk_object(self) -> Iterator[str]:
        """The keys of an object; whoever is given one may read its value, otherwise it is passed over.

        Raises JsonDamageError.
        """
        if not self.take("{"):
            raise JsonDamageError(self._problem("Here an object was expected."))
        while not self.take("}"):
            if self.take(","):
                continue
            key = self.read()
            if not isinstance(key, str) or not self.take(":"):
                raise JsonDamageError(self._problem("Here a key and a colon were expected."))
            self.peek()
            before = self.place()
            yield key
            if self.place() == before:
                self.skip()

    def objects(self, *, mends: bool = False) -> Iterator[Element | ImportProblem]:
        """Values that stand one behind the other, as in JSON Lines; of a damaged one what is wrong with it."""
        while self.peek():
            line, column = self.place()
            try:
                yield Element(self.read(), line, column)
            except JsonDamageError as damage:
                yield from self._after(damage, line, column, mends=mends)
                self._go_on(_NEXT_OBJECT, 0)
            self.take(",")

    def leave_damaged(self) -> None:
        """Go on behind a damaged object of JSON Lines."""
        self._go_on(_NEXT_OBJECT, 0)

    def _fill_for(self, error: json.JSONDecodeError) -> bool:
        """Read more if the error may come from the end of what was read."""
        is_cut = error.msg.startswith("Unterminated") or error.pos >= len(self._source.text) - _EDGE
        return is_cut and self._fill_or_fail()

    def _fill_or_fail(self) -> bool:
        try:
            return self._source.fill()
        except RecordTooLongError:
            raise JsonDamageError(self._problem("This record is larger than the console reads; left out.")) from None

    def _damage(self, error: json.JSONDecodeError) -> JsonDamageError:
        text = self._source.text
        is_end = error.msg.startswith("Unterminated") or not text[error.pos :].strip()
        told = "The file ends in the middle of a record" if is_end else f"Not JSON: {error.msg}"
        offset = error.pos - self._source.at
        return JsonDamageError(self._problem(f"{told}.", error.pos), offset=offset, is_broken_off=is_end)

    def _too_deep(self) -> JsonDamageError:
        return JsonDamageError(self._problem("This record is nested too deeply; left out."))

    def _problem(self, text: str, at: int | None = None) -> ImportProblem:
        return ImportProblem(text, *self._source.place(at))

    def _skip_buffered(self, depth: int) -> tuple[int, bool]:
        """Use up marks of structure; the new depth, and whether the value is over."""
        source = self._source
        for token in TOKEN.finditer(source.text, source.at):
            mark = token.group()
            if mark[0] == '"' and not token.group(1):
                source.at = token.start()
                return depth, False
            source.at = token.end()
            depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(mark, 0)
            if not depth:
                return depth, True
        source.at = len(source.text)
        return depth, False

    def _after(
        self, damage: JsonDamageError, line: int, column: int, *, mends: bool
    ) -> Iterator[Element | ImportProblem]:
        yield damage.problem
        if mends and damage.is_broken_off and (part := self._mended()) is not None:
            yield Element(part, line, column)

    def _mended(self) -> Any:
        try:
            return _DECODER.decode(close_broken(self._source.text[self._source.at :]))
        except (json.JSONDecodeError, RecursionError):
            return None

    def _go_on(self, pattern: re.Pattern[str], offset: int) -> None:
        """Leave a damaged element: behind its closing bracket if that is found, else where another seems to begin."""
        source = self._source
        end = self._find_end()
        if end is not None and _AFTER_ELEMENT.match(source.text, end):
            source.at = end
            return
        # The comma in front of the next element may stand just before the place where the damage shows.
        source.at = min(source.at + max(0, offset - _EDGE), len(source.text))
        self._search(pattern)

    def _find_end(self) -> int | None:
        """The position behind the bracket that closes the element at hand; None when its brackets do not agree."""
        source = self._source
        while len(source.text) - source.at < _LOOK_AHEAD and self._may_fill():
            pass
        if source.text[source.at : source.at + 1] not in _CLOSERS:
            return None
        waiting: list[str] = []
        for token in TOKEN.finditer(source.text, source.at, source.at + _LOOK_AHEAD):
            mark = token.group()
            if mark in _CLOSERS:
                waiting.append(_CLOSERS[mark])
            elif mark in "}]" and (not waiting or waiting.pop() != mark):
                return None
            if not waiting:
                return token.end()
        return None

    def _may_fill(self) -> bool:
        try:
            return self._source.fill()
        except RecordTooLongError:
            return False

    def _search(self, pattern: re.Pattern[str]) -> None:
        source = self._source
        while True:
            match = pattern.search(source.text, source.at)
            if match:
                source.at = match.end()
                return
            # A few characters stay, so that a boundary across two blocks is seen.
            source.at = max(source.at, len(source.text) - _EDGE)
            if not self._may_fill():
                source.at = len(source.text)
                return

    def _pass_junk(self) -> None:
        """To the next comma or bracket."""
        source = self._source
        if source.text[source.at] in "{[":
            return
        match = re.compile(r"[,\]{\[]").search(source.text, source.at)
        source.at = match.start() if match else len(source.text)
