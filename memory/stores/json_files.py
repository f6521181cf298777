"""JSON text as WilmerAI writes it, read with a precise word about damage (memory.md §3.7)."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from memory.types import Entry

_KINDS = {dict: "an object", list: "a list", str: "a text", bool: "true or false", int: "a number", float: "a number"}
_DECODER = json.JSONDecoder()


class JsonDamageError(ValueError):
    """Text that cannot be used. The message says what is wrong; line and column count from 1 when known."""

    def __init__(self, problem: str, line: int | None = None, column: int | None = None) -> None:
        place = f" at line {line}, column {column}" if line is not None and column is not None else ""
        # Python says "Unterminated string starting at", and the place follows.
        super().__init__(f"{problem.removesuffix(' starting at') if place else problem}{place}.")
        self.line = line
        self.column = column


class ListForm(StrEnum):
    """How the entries of a list file are laid out; a rewrite keeps the form it found."""

    ARRAY = "array"
    LINES = "lines"


@dataclass(frozen=True, slots=True)
class ParsedEntries:
    """The entries of a list file, what was left out (W07), and the form."""

    entries: tuple[Entry, ...]
    skipped: tuple[str, ...]
    form: ListForm


def decode_text(data: bytes) -> str:
    """The text of a file: UTF-8, a byte order mark skipped (W26). Raises JsonDamageError with the byte position."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise JsonDamageError("it is UTF-16 text, not UTF-8 (byte 0)")
    body = data.removeprefix(codecs.BOM_UTF8)
    skipped = len(data) - len(body)
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        before = body[: error.start]
        line_start = before.rfind(b"\n") + 1
        column = len(before[line_start:].decode("utf-8", "replace")) + 1
        position = error.start + skipped
        raise JsonDamageError(f"byte {position} is not UTF-8", before.count(b"\n") + 1, column) from None


def parse_json(text: str) -> Any:
    """The value of a JSON text; whatever is wrong with it raises JsonDamageError."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise _damage(error, text) from None
    except RecursionError:
        raise JsonDamageError("its values are nested too deeply") from None
    except ValueError:
        # Python refuses integers of more than some thousand digits, and so does WilmerAI.
        raise JsonDamageError("it holds a number with too many digits") from None


def parse_object(text: str) -> dict[str, Any]:
    """The object of a JSON file; blank text is an empty one (W07). Raises JsonDamageError."""
    if not text.strip():
        return {}
    value = parse_json(text)
    if not isinstance(value, dict):
        raise JsonDamageError(f"it must hold an object, but holds {name_kind(value)}")
    return value


def parse_entries(text: str, *, may_be_lines: bool) -> ParsedEntries:
    """The entries of a list file; blank text is an empty list (W07).

    With `may_be_lines` (files named `.jsonl`) the text may be an array, an array followed by lines, or lines.
    Elements that are no entries are left out and described. Raises JsonDamageError.
    """
    if not text.strip():
        return ParsedEntries((), (), ListForm.ARRAY)
    if may_be_lines and not text.lstrip().startswith("["):
        return _sort_out(list(_parse_lines(text, first_line=1)), ListForm.LINES)
    if may_be_lines:
        return _sort_out(_parse_array_then_lines(text), ListForm.ARRAY)
    value = parse_json(text)
    if not isinstance(value, list):
        raise JsonDamageError(f"it must hold a list, but holds {name_kind(value)}")
    return _sort_out(value, ListForm.ARRAY)


def format_json(value: Any) -> str:
    """The text WilmerAI would write: four blanks, ASCII only, no line feed at the end."""
    return json.dumps(value, indent=4)


def format_entries(entries: tuple[Entry, ...], form: ListForm) -> str:
    """The text of a list file in the form that was found."""
    objects = [_to_object(entry) for entry in entries]
    if form is ListForm.ARRAY:
        return format_json(objects)
    return "".join(f"{json.dumps(item)}\n" for item in objects)


def name_kind(value: Any) -> str:
    """What a JSON value is, in words: `an object`, `null`."""
    return "null" if value is None else _KINDS.get(type(value), "something else")


def _parse_array_then_lines(text: str) -> list[Any]:
    start = len(text) - len(text.lstrip())
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise _damage(error, text) from None
    except (RecursionError, ValueError):
        parse_json(text)
        raise
    rest_of_line, _, rest = text[end:].partition("\n")
    first_line = text.count("\n", 0, end) + 1
    items = [*value, *_parse_lines(rest_of_line, first_line=first_line)]
    items.extend(_parse_lines(rest, first_line=first_line + 1))
    return items


def _parse_lines(text: str, *, first_line: int) -> Iterator[Any]:
    # Not splitlines: U+2028 and its kin may stand inside a JSON text.
    for number, line in enumerate(text.split("\n"), start=first_line):
        if line.strip():
            yield _parse_line(line.strip("\r"), number)


def _parse_line(line: str, number: int) -> Any:
    try:
        return parse_json(line)
    except JsonDamageError as error:
        problem = str(error).split(" at line ")[0].rstrip(".")
        raise JsonDamageError(problem, number, error.column or 1) from None


def _sort_out(items: list[Any], form: ListForm) -> ParsedEntries:
    entries: list[Entry] = []
    skipped: list[str] = []
    for number, item in enumerate(items, start=1):
        problem = _find_problem(item)
        if problem:
            skipped.append(f"Element {number} {problem} and is left out.")
        else:
            value = item.get("hash")
            entries.append(Entry(item["text_block"], value if isinstance(value, str) else ""))
    return ParsedEntries(tuple(entries), tuple(skipped), form)


def _find_problem(item: Any) -> str | None:
    if not isinstance(item, Mapping):
        return f"is {name_kind(item)} instead of an object"
    if "text_block" not in item:
        return "has no text_block"
    if not isinstance(item["text_block"], str):
        return f"has {name_kind(item['text_block'])} instead of a text as text_block"
    return None


def _to_object(entry: Entry) -> dict[str, str]:
    return {"text_block": entry.text, "hash": entry.hash}


def _damage(error: json.JSONDecodeError, text: str) -> JsonDamageError:
    problem = error.msg[:1].lower() + error.msg[1:]
    if error.msg == "Extra data" and text[: error.pos].strip().endswith("}"):
        problem = "a second value follows the first, as in JSON lines"
    return JsonDamageError(f"it is not valid JSON: {problem}", error.lineno, error.colno)
