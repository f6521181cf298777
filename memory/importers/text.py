"""The text of an open file, read in blocks, however large the file is."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import BinaryIO

from memory.importers.events import ImportProblem

BLOCK_BYTES = 256 * 1024

MAX_RECORD_CHARACTERS = 128 * 1024 * 1024
"""What may be waiting to be understood; a longer record is left out."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class RecordTooLongError(Exception):
    """A record does not fit into memory."""


class TextSource:
    """What was read and not used yet is `text` from `at` on; `fill` reads more, `drop` forgets what was used.

    Bytes that are no text become U+FFFD and are told of once in `problems`.
    """

    def __init__(self, stream: BinaryIO, *, limit: int = MAX_RECORD_CHARACTERS) -> None:
        self.text = ""
        self.at = 0
        self.problems: list[ImportProblem] = []
        self._stream = stream
        self._limit = limit
        self._is_over = False
        self._lines = 1
        self._columns = 1
        """Where `text` begins."""
        self._begin()

    def fill(self) -> bool:
        """Read more, as much again as is waiting; False at the end. Raises RecordTooLongError."""
        if self._is_over:
            return False
        self.drop()
        if len(self.text) > self._limit:
            raise RecordTooLongError
        data = self._stream.read(max(BLOCK_BYTES, len(self.text)))
        self._is_over = not data
        more = self._decode(data)
        self.text += more
        return bool(more) or self.fill()

    def drop(self) -> None:
        """Forget what was used."""
        used = self.text[: self.at]
        breaks = used.count("\n")
        self._lines += breaks
        self._columns = len(used) - used.rfind("\n") if breaks else self._columns + len(used)
        self.text = self.text[self.at :]
        self.at = 0

    def place(self, at: int | None = None) -> tuple[int, int]:
        """The line and column of a position of `text`, from 1."""
        position = self.at if at is None else at
        breaks = self.text.count("\n", 0, position)
        if breaks:
            return self._lines + breaks, position - self.text.rfind("\n", 0, position)
        return self._lines, self._columns + position

    def lines(self) -> Iterator[tuple[int, str | None]]:
        """Every line that is not blank, with its number; None for one that is too long."""
        number = self.place()[0]
        while True:
            line = self._line()
            if line is None or line.strip():
                yield number, line
            number += 1
            if self.is_at_end:
                return

    @property
    def is_at_end(self) -> bool:
        """Whether everything was used."""
        return self.at >= len(self.text) and not self.fill()

    def _line(self) -> str | None:
        """The next line; None for one that is too long, which is passed over."""
        searched = self.at
        while (end := self.text.find("\n", searched)) < 0:
            waiting = len(self.text) - self.at
            try:
                if not self.fill():
                    break
            except RecordTooLongError:
                self._pass_line()
                return None
            searched = waiting
        end = len(self.text) if end < 0 else end
        line, self.at = self.text[self.at : end].rstrip("\r"), end + 1
        self.at = min(self.at, len(self.text))
        return line

    def _pass_line(self) -> None:
        while True:
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end + 1
            if end >= 0 or not self.fill():
                return

    def _begin(self) -> None:
        head = self._stream.read(4)
        encoding, mark = next(((name, mark) for mark, name in _MARKS if head.startswith(mark)), ("", b""))
        if not encoding and len(head) >= 2 and 0 in head[:2] and head[:2] != b"\0\0":
            encoding = "utf-16-be" if head[0] == 0 else "utf-16-le"
        self._strict = codecs.getincrementaldecoder(encoding or "utf-8")("strict")
        self._lenient = codecs.getincrementaldecoder(encoding or "utf-8")("replace")
        self.text = self._decode(head[len(mark) :], final=False)

    def _decode(self, data: bytes, *, final: bool | None = None) -> str:
        is_last = not data if final is None else final
        state = self._strict.getstate()
        try:
            return self._strict.decode(data, is_last)
        except UnicodeDecodeError:
            self._note_undecodable()
            self._lenient.setstate(state)
            text = self._lenient.decode(data, is_last)
            self._strict.reset()
            self._strict.setstate(self._lenient.getstate())
            return text

    def _note_undecodable(self) -> None:
        if not self.problems:
            line, _ = self.place(len(self.text))
            told = "Some bytes are no text; U+FFFD stands in their place, so these messages match no stored hash."
            self.problems.append(ImportProblem(told, line))
