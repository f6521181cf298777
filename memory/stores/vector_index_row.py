"""What a memory is indexed under: the five search columns made from its text and metadata (memory.md §13.1, §13.2)."""

from __future__ import annotations

import json
from collections.abc import Mapping

from wilmer_site.lib.errors import InvalidError

Cell = str | int | float | None
"""What an index column can hold."""

IndexRow = tuple[Cell, Cell, Cell, Cell, Cell]
"""title, summary, entities, key_phrases, memory_text_unweighted."""

INDEX_INSERT_SQL = (
    "INSERT INTO memories_fts (rowid, title, summary, entities, key_phrases, memory_text_unweighted)"
    " VALUES (?, ?, ?, ?, ?, ?)"
)


class UnstorableMemoryError(InvalidError):
    """A memory that WilmerAI's store refuses; nothing of it is kept."""

    code = "unstorable-memory"


def build_index_row(text: object, metadata: object, *, index_topics: bool) -> IndexRow:
    """The index columns of one memory.

    `index_topics` is the setting `vectorMemoryIndexTopics`. Raises UnstorableMemoryError where WilmerAI's insertion
    fails: metadata that are no object, a null text, lists or objects where a text belongs.
    """
    if not isinstance(metadata, Mapping):
        raise UnstorableMemoryError("The metadata of a memory must be an object.")
    memory_text = build_memory_text(text)
    key_phrases = _list_cell("key_phrases", metadata.get("key_phrases", []))
    if index_topics:
        key_phrases = _with_topics(key_phrases, _list_cell("topics", metadata.get("topics", [])))
    return (
        _cell("title", metadata.get("title", "")),
        _cell("summary", metadata.get("summary", "")),
        _list_cell("entities", metadata.get("entities", [])),
        key_phrases,
        memory_text,
    )


def build_memory_text(text: object) -> Cell:
    """The value to store as `memory_text`; numbers become text there through the column's affinity."""
    if text is None or text != text:  # SQLite stores NaN as null
        raise UnstorableMemoryError("The text of a memory (its summary) must not be null.")
    return _cell("memory_text", text)


def format_metadata(metadata: object) -> str:
    """A metadata object as it is stored: JSON with ASCII escapes and default separators (memory.md §6)."""
    try:
        return json.dumps(metadata)
    except (TypeError, ValueError, RecursionError) as error:
        raise UnstorableMemoryError(f"The metadata cannot be written as JSON: {error}.") from None


def _cell(name: str, value: object) -> Cell:
    """What SQLite can bind: texts, numbers, null; true and false as 1 and 0."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str):
        return _bindable(name, value)
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise UnstorableMemoryError(f"The number in {name} is too large to be stored.")
    if value is None or isinstance(value, int | float):
        return value
    raise UnstorableMemoryError(f"{name} must be a text, not a {type(value).__name__}.")


def _list_cell(name: str, value: object) -> Cell:
    """A list joined by blanks in Python notation, a text as it is, nothing as empty text."""
    if isinstance(value, list | tuple):
        try:
            return _bindable(name, " ".join(str(item).replace('"', "") for item in value))
        except RecursionError:
            raise UnstorableMemoryError(f"{name} is nested too deeply to be stored.") from None
    if not value:
        return ""
    return _cell(name, value)


def _with_topics(key_phrases: Cell, topics: Cell) -> Cell:
    if topics in ("", None):
        return key_phrases
    return f"{key_phrases} {topics}".strip()


def _bindable(name: str, text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise UnstorableMemoryError(f"{name} contains half of a surrogate pair, which is no character.") from None
    return text
