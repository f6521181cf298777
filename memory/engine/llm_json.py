"""Reading memories out of a model's answer (memory.md §12.2, W06; traps M1, M2).

`value` is what the reference reads. Only where that gives no usable memory, the answer is searched again, more
patiently; memories found that way are marked as recovered.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

REQUIRED_KEYS = ("title", "summary", "entities", "key_phrases")

_FENCE = "```"
_JSON_FENCE = "```json"
_ANY_FENCE = re.compile(r"```[^\n`]*\n(?P<inside>.*?)```", re.DOTALL)
_OPENING = re.compile(r"[{\[]")
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|$)|[{}\[\]]', re.DOTALL)
_BEGINS_LIKE_JSON = re.compile(r'\{\s{0,200}"(?:[^"\\]|\\.){0,200}+"\s{0,200}:|\[\s{0,200}\{', re.DOTALL)
_NOT_JSON = object()
_MAX_DROPPED = 100
"""How many parts that are left out are named."""

_MAX_FAILURES = 5000
_MAX_SCANNED = 2_000_000
"""How many opening brackets may be none, and characters be read in vain, before an answer is given up."""


class ReplyKind(StrEnum):
    """What kind of answer it was."""

    MEMORIES = "memories"
    NOTHING_TO_STORE = "nothing-to-store"
    """Readable, and deliberately empty: `[]` or `{}`."""
    EMPTY = "empty"
    UNREADABLE = "unreadable"
    INCOMPLETE = "incomplete"
    """Readable, but nothing in it has all four keys."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """One part of an answer that is not taken, and why."""

    reason: str
    excerpt: str


@dataclass(frozen=True, slots=True)
class LlmReply:
    """What was read out of one answer."""

    value: Any
    """The JSON value as the reference reads it; None when there is none."""
    memories: tuple[Mapping[str, Any], ...]
    dropped: tuple[Dropped, ...]
    kind: ReplyKind
    is_recovered: bool = False
    """The memories were found by the second, more patient search."""


def parse_reply(output: str | None) -> LlmReply:
    """The value, the usable memories and what was left out, with reasons. Never raises."""
    if not output or not output.strip():
        return LlmReply(None, (), (), ReplyKind.EMPTY)
    value = parse_json(output)
    memories, dropped = _usable(value)
    if memories:
        return LlmReply(value, memories, dropped, ReplyKind.MEMORIES)
    for candidate in _patient_candidates(output):
        found, left_out = _usable(candidate)
        if found:
            return LlmReply(value, found, left_out, ReplyKind.MEMORIES, is_recovered=True)
    return LlmReply(value, (), dropped, _kind_without_memories(output, value, dropped))


def parse_json(output: str | None) -> Any:
    """The leftmost JSON fence, object or list of an answer as value; None when there is none or it is invalid.

    A fence with nothing inside is passed over, so that what follows it is read.
    """
    inside = _find_candidate(output or "")
    value = _NOT_JSON if inside is None else _load(inside)
    return None if value is _NOT_JSON else value


def is_usable(item: Any) -> bool:
    """Whether an element is an object that has all four keys, whatever their values."""
    return isinstance(item, dict) and all(key in item for key in REQUIRED_KEYS)


def _find_candidate(text: str) -> str | None:
    """The inside of the leftmost fence that is not blank, or the leftmost object or list up to its last bracket."""
    bracketed = _find_bracketed(text)
    position = 0
    # Brackets are looked for once: a blank fence holds none, so going past it changes nothing about them.
    while (fence := text.find(_JSON_FENCE, position)) >= 0 and (bracketed is None or fence < bracketed[0]):
        start = fence + len(_JSON_FENCE)
        end = text.find(_FENCE, start)
        if end < 0:
            break
        if not text[start:end].isspace() and end > start:
            return text[start:end].strip()
        position = end + len(_FENCE)
    return text[slice(*bracketed)] if bracketed else None


def _find_bracketed(text: str) -> tuple[int, int] | None:
    """From the first opening bracket of either kind to the last closing one of its kind."""
    spans = [(text.find(opening), text.rfind(closing) + 1) for opening, closing in ("{}", "[]")]
    return min((span for span in spans if 0 <= span[0] < span[1]), default=None)


def _usable(value: Any) -> tuple[tuple[Mapping[str, Any], ...], tuple[Dropped, ...]]:
    if not isinstance(value, dict | list):
        return (), () if value is None else (Dropped("is neither an object nor a list", _excerpt(value)),)
    items = [value] if isinstance(value, dict) else value
    memories = tuple(item for item in items if is_usable(item))
    left_out = (item for item in items if item and not is_usable(item))
    dropped = tuple(Dropped(_why_unusable(item), _excerpt(item)) for item in itertools.islice(left_out, _MAX_DROPPED))
    return memories, dropped


def _why_unusable(item: Any) -> str:
    if not isinstance(item, dict):
        return f"is not an object but {_NAMES.get(type(item), 'something else')}"
    missing = ", ".join(key for key in REQUIRED_KEYS if key not in item)
    return f"lacks {missing}"


_NAMES = {str: "text", int: "a number", float: "a number", bool: "true or false", list: "a list"}


def _excerpt(value: Any) -> str:
    try:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    except RecursionError:
        text = "(nested too deeply to be shown)"
    return text if len(text) <= 200 else text[:200] + "…"


def _kind_without_memories(output: str, value: Any, dropped: tuple[Dropped, ...]) -> ReplyKind:
    if value is not None and not dropped:
        return ReplyKind.NOTHING_TO_STORE
    # A list cut out of a truncated object says nothing about the object (M1).
    is_inner_list = isinstance(value, list) and "{" in output[: output.find("[")]
    return ReplyKind.UNREADABLE if value is None or is_inner_list else ReplyKind.INCOMPLETE


def _patient_candidates(output: str) -> Iterator[Any]:
    """Every fence in turn, then the values that stand in the text one after the other, wrapper objects opened."""
    for fence in _ANY_FENCE.finditer(output):
        value = _load(fence.group("inside").strip())
        if value is not _NOT_JSON:
            yield value
            yield from _unwrapped(value)
    values = list(_values_in(output))
    yield [item for value in values for item in (value if isinstance(value, list) else [value])]
    for value in values:
        yield from _unwrapped(value)


def _unwrapped(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        lists = [inner for inner in value.values() if isinstance(inner, list)]
        if len(lists) == 1:
            yield lists[0]


def _values_in(output: str) -> Iterator[Any]:
    """Complete objects and lists in order, each taken whole, so that nothing inside an object is taken for one.

    An opening bracket that starts nothing valid is passed over only where it is prose: a broken object that runs to
    the end of the answer ends the search, and its inner values are not taken (M1).
    """
    decoder = json.JSONDecoder()
    position = scanned = failures = 0
    while (match := _OPENING.search(output, position)) and scanned <= _MAX_SCANNED and failures < _MAX_FAILURES:
        try:
            value, position = decoder.raw_decode(output, match.start())
        except (ValueError, RecursionError) as error:
            failures += 1
            scanned += getattr(error, "pos", len(output)) - match.start()
            if _BEGINS_LIKE_JSON.match(output, match.start()):
                end = _find_end(output, match.start())
                if end is None:
                    return
                scanned += end - match.start()
            position = match.end()
        else:
            yield value


def _find_end(output: str, start: int) -> int | None:
    """Where the bracket that opens here is closed; None when the answer was cut off before."""
    depth = 0
    for mark in _STRING_OR_BRACKET.finditer(output, start):
        if mark.group() in ("{", "["):
            depth += 1
        elif mark.group() in ("}", "]"):
            depth -= 1
            if depth == 0:
                return mark.end()
    return None


def _load(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _NOT_JSON
