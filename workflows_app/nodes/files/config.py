"""Settings of the file nodes; their mistakes are results, not failures (workflows.md §10.9, §10.10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from workflows_app.engine.node import NodeContext

OVERWRITE, APPEND, REPLACE, REMOVE, TRIM = "overwrite", "append", "replace", "remove", "trim"
MODES: Final = (OVERWRITE, APPEND, REPLACE, REMOVE, TRIM)
NO_PATH = "No filepath specified"


class PropertyMistakeError(Exception):
    """What is wrong with the node, as the text that becomes its result."""


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """One `GetCustomFile` node."""

    path: str
    delimiter: str
    return_delimiter: str
    piece_delimiter: str
    head: int | None
    tail: int | None


@dataclass(frozen=True, slots=True)
class SaveSettings:
    """One `SaveCustomFile` node. `content` and `find` are empty where the mode does not use them."""

    path: str
    mode: str
    content: str
    find: str


def read_get_settings(context: NodeContext) -> ReadSettings:
    """Raises PropertyMistakeError."""
    node = context.node
    path = _read_path(context)
    delimiter, returned = node.get("delimiter"), node.get("customReturnDelimiter")
    if delimiter is None:
        delimiter = "\n" if returned is None else returned
    if node.get("headCount") is not None and node.get("tailCount") is not None:
        raise PropertyMistakeError("GetCustomFile: specify only one of 'headCount' or 'tailCount', not both")
    return ReadSettings(
        path=path,
        delimiter=str(delimiter),
        return_delimiter=str(delimiter if returned is None else returned),
        piece_delimiter=str(node.get("chunkDelimiter") or "\n"),
        head=_read_count(context, "headCount"),
        tail=_read_count(context, "tailCount"),
    )


def read_save_settings(context: NodeContext) -> SaveSettings:
    """Raises PropertyMistakeError; TemplateError for a property that is no text."""
    node = context.node
    path = _read_path(context)
    mode = OVERWRITE if node.get("mode") is None else node["mode"]
    if mode not in MODES:
        raise PropertyMistakeError(
            f"SaveCustomFile: 'mode' must be one of 'overwrite', 'append', 'replace', 'remove', or 'trim', got '{mode}'"
        )
    uses_content, uses_find = mode not in (REMOVE, TRIM), mode in (REPLACE, REMOVE)
    if uses_content and node.get("content") is None:
        raise PropertyMistakeError("No content specified")
    if uses_find and node.get("find") is None:
        raise PropertyMistakeError(f"SaveCustomFile: mode '{mode}' requires a 'find' value")
    content = context.text("content") if uses_content else ""
    find = context.text("find") if uses_find else ""
    if uses_find and not find:
        message = f"save_custom_file: mode '{mode}' requires a non-empty 'find' value"
        raise PropertyMistakeError(f"Error saving file: {message}")
    return SaveSettings(path, mode, content, find)


def _read_path(context: NodeContext) -> str:
    if not context.node.get("filepath"):
        raise PropertyMistakeError(NO_PATH)
    return context.text("filepath")


def _read_count(context: NodeContext, key: str) -> int | None:
    value = context.node.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise PropertyMistakeError(f"GetCustomFile: '{key}' must be an integer >= 1")
    return value
