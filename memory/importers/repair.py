"""JSON that breaks off, closed where the last whole value ends."""

from __future__ import annotations

import json
import re
from typing import Any

MAX_DEPTH = 200
ATTEMPTS = 20

TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*("?)|[{}\[\],]', re.DOTALL)
"""A string, perhaps without its end (then the group is empty), or a mark of structure."""

_CLOSERS = {"{": "}", "[": "]"}


def close_broken(text: str) -> str:
    """The longest beginning of a JSON text that is whole, with its open brackets closed; empty when there is none."""
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
    return text[:end] + closers


def parse_beginning(text: str) -> Any:
    """What the first JSON value of a text shows as far as it can be read; None when that is nothing."""
    for _ in range(ATTEMPTS):
        try:
            return _DECODER.raw_decode(text)[0]
        except RecursionError:
            return None
        except json.JSONDecodeError as error:
            is_end = error.msg.startswith("Unterminated") or error.pos >= len(text)
            text = close_broken(text if is_end else text[: error.pos])
            if not text:
                return None
    return None


_DECODER = json.JSONDecoder(strict=False)
