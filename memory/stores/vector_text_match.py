"""Exact-text matching inside SQL, for scripts and signs that the word index cannot find (memory.md W19)."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any


def register_text_match(connection: sqlite3.Connection, *needles: str) -> None:
    """Give the connection `text_match(memory_text, metadata_json)`: how many of the needles occur, ignoring case.

    Values of the metadata are searched, their keys are not. Blank needles are ignored.
    """
    folded = [needle.strip().casefold() for needle in needles if needle.strip()]

    def text_match(text: object, metadata_json: object) -> int:
        body, stored = str(text).casefold(), metadata_json if isinstance(metadata_json, str) else ""
        missing = [needle for needle in folded if needle not in body]
        if not missing or not _may_occur(missing, stored):
            return len(folded) - len(missing)
        values = "\n".join(value.casefold() for value in list_texts(_load(stored)))
        return len(folded) - sum(needle not in values for needle in missing)

    if folded:
        connection.create_function("text_match", 2, text_match, deterministic=True)


def count_occurrences(needle: str, columns: Sequence[tuple[str, str]]) -> dict[str, int]:
    """How often a text occurs in each of the named columns, ignoring case; only where it does."""
    folded = needle.casefold()
    counts = {name: text.casefold().count(folded) for name, text in columns} if folded else {}
    return {name: count for name, count in counts.items() if count}


def list_texts(value: object) -> Iterator[str]:
    """Every text and number inside a JSON value, keys left out."""
    if isinstance(value, dict):
        for item in value.values():
            yield from list_texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from list_texts(item)
    elif isinstance(value, str):
        yield value
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _may_occur(needles: Sequence[str], stored: str) -> bool:
    """A cheap look that spares most rows the parsing: stored metadata are ASCII, other letters are escapes."""
    if "\\" in stored:
        return True
    lowered = stored.casefold()
    return any(needle in lowered for needle in needles)


def _load(stored: str) -> Any:
    try:
        return json.loads(stored)
    except (ValueError, RecursionError):
        return None
