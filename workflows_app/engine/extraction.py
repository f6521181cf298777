"""Taking a field, a tag or some pieces out of a text (workflows.md §10.6-§10.8)."""

from __future__ import annotations

import json
from typing import Any

_FENCE = "```"


def extract_json_field(text: str, field: str) -> str:
    """The value of a top-level key as text; empty when there is no such key or no JSON object."""
    try:
        value = json.loads(_without_fence(text.strip()))
    except (ValueError, RecursionError):
        return ""
    if not isinstance(value, dict) or value.get(field) is None:
        return ""
    return _json_value_text(value[field])


def extract_tag(text: str, tag: str, default: str = "") -> str:
    """The stripped inside of the first `<tag>…</tag>`, or the default when there is nothing in it."""
    # Searching for the two ends, one after the other, stays fast where a pattern would begin anew at every `<tag>`.
    _, opening, rest = text.partition(f"<{tag}>")
    inside, closing, _ = rest.partition(f"</{tag}>")
    return (inside.strip() if opening and closing else "") or default


def keep_pieces(text: str, delimiter: str, *, mode: str, count: int) -> str:
    """The first (`head`) or last (`tail`) pieces, joined again."""
    pieces = text.split(delimiter)
    kept = pieces[:count] if mode == "head" else pieces[-count:]
    return delimiter.join(kept)


def _without_fence(text: str) -> str:
    """The inside of a text that is one Markdown block as a whole, else the text."""
    if len(text) < 2 * len(_FENCE) or not (text.startswith(_FENCE) and text.endswith(_FENCE)):
        return text
    inside = text[len(_FENCE) : -len(_FENCE)]
    return inside.removeprefix("json" if inside.startswith("json") else "JSON").strip()


def _json_value_text(value: Any) -> str:
    if isinstance(value, dict | list):
        return json.dumps(value)
    return str(value)
