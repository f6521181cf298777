"""Taking a field, a tag or some pieces out of a text (workflows.md §10.6-§10.8)."""

from __future__ import annotations

import json
import re
from typing import Any

_FENCE = re.compile(r"\s*```(?:json|JSON)?\s*\n?(.*?)\n?\s*```\s*", re.DOTALL)


def extract_json_field(text: str, field: str) -> str:
    """The value of a top-level key as text; empty when there is no such key or no JSON object."""
    match = _FENCE.fullmatch(text)
    try:
        value = json.loads((match.group(1) if match else text).strip())
    except (ValueError, RecursionError):
        return ""
    if not isinstance(value, dict) or value.get(field) is None:
        return ""
    return _json_value_text(value[field])


def extract_tag(text: str, tag: str, default: str = "") -> str:
    """The stripped inside of the first `<tag>…</tag>`, or the default when there is nothing in it."""
    name = re.escape(tag)
    match = re.search(f"<{name}>(.*?)</{name}>", text, re.DOTALL)
    inside = match.group(1).strip() if match else ""
    return inside or default


def keep_pieces(text: str, delimiter: str, *, mode: str, count: int) -> str:
    """The first (`head`) or last (`tail`) pieces, joined again."""
    pieces = text.split(delimiter)
    kept = pieces[:count] if mode == "head" else pieces[-count:]
    return delimiter.join(kept)


def _json_value_text(value: Any) -> str:
    if isinstance(value, dict | list):
        return json.dumps(value)
    return str(value)
