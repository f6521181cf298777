"""Condensation tracker, timestamps and vision cache: one JSON object each (memory.md §4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from memory.stores.contents import Access, Content, mark_damaged, read_content, write_content
from memory.stores.json_files import JsonDamageError, format_json, parse_object
from memory.stores.layouts import Place
from memory.types import FileState, ObjectFile


def read_object_file(place: Place, access: Access) -> ObjectFile:
    """An object file as it is; damage, locks and absence are in its report."""
    content, values = _read(place, access)
    return ObjectFile(content.report, values)


def write_object_file(
    place: Place,
    access: Access,
    values: Mapping[str, Any],
    *,
    expected_etag: str | None = None,
) -> str:
    """Replace an object file and return its new ETag; raises what `write_content` raises."""
    content, _ = _read(place, access)
    return write_content(content, format_json(dict(values)), access, expected_etag=expected_etag)


def _read(place: Place, access: Access) -> tuple[Content, dict[str, Any]]:
    content = read_content(place, access)
    if content.report.state is not FileState.PRESENT:
        return content, {}
    try:
        values = parse_object(content.text)
    except JsonDamageError as error:
        return replace(content, report=mark_damaged(content.report, error)), {}
    if not values:
        content = replace(content, report=replace(content.report, state=FileState.EMPTY))
    return content, values
