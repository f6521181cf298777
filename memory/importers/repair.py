"""JSON that breaks off, closed where the last whole value ends."""

from __future__ import annotations

import json
import re
from typing import Any

MAX_DEPTH = 200
ATTEMPTS = 20

TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*("?)|[{}\[\],]', re.DOTALL)
"""A string, perhaps without its end (then the group is empty), or a mark of structure."""

_HALF_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{0,3})?$")
_CLOSERS = {"{": "}", "[": "]"}


def close_broken(text: str) -> str:
    """The longest beginning of a JSON text that is whole, with its open brackets closed; empty when there is none."""
    end, closers, _ = _scan(text)
    return text[:end] + closers


def parse_beginning(text: str) -> Any:
    """What the first JSON value of a text shows as far as it can be read; None when that is nothing.

    A text value that breaks off counts with what there is of it.
    """
    for _ in range(ATTEMPTS):
        try:
            return _DECODER.raw_decode(text)[0]
        except RecursionError:
            text = close_broken(text)
        except json.JSONDecodeError as error:
            text = _shorten(text, error)
        if not text:
            return None
    return None


def _shorten(text: str, error: json.JSONDecodeError) -> str:
    if error.msg.startswith("Unterminated"):
        closed = _HALF_ESCAPE.sub("", text) + '"' + _scan(text)[2]
        return closed if _is_json(closed) else close_broken(text)
    return close_broken(text if error.pos >= len(text) else text[: error.pos])


def _scan(text: str) -> tuple[int, str, str]:
    """Where the last whole value ends, what closes the brackets open there, and those open where the scan ended."""
    stack: list[str] = []
    end, closers = 0, ""
    for token in TOKEN.finditer(text):
        mark = token.group()
        if mark[0] == '"':
            if not token.group(1):
                break
            continue
        if mark in _CLOSERS:
            stack.append(_CLOSERS[mark])
        elif mark != "," and (not stack or stack.pop() != mark):
            break
        if len(stack) > MAX_DEPTH:
            break
        end, closers = (token.start() if mark == "," else token.end()), "".join(reversed(stack))
        if not stack:
            break
    return end, closers, "".join(reversed(stack))


def _is_json(text: str) -> bool:
    try:
        _DECODER.raw_decode(text)
    except (json.JSONDecodeError, RecursionError):
        return False
    return True


_DECODER = json.JSONDecoder(strict=False)
