"""Memories, rolling summary and compactor files: lists of entries (memory.md §4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from memory.stores.contents import Access, Content, mark_damaged, read_content, write_content
from memory.stores.json_files import JsonDamageError, ListForm, ParsedEntries, format_entries, parse_entries
from memory.stores.layouts import Place
from memory.types import Entry, FileState, ListFile
from wilmer_site.lib.files import write_atomic

LINES_ENDING = ".jsonl"


def read_list_file(place: Place, access: Access) -> ListFile:
    """A list file as it is; damage, locks and absence are in its report."""
    content, parsed = _read(place, access)
    return ListFile(content.report, parsed.entries, parsed.skipped)


def write_list_file(
    place: Place,
    access: Access,
    entries: Sequence[Entry],
    *,
    expected_etag: str | None = None,
) -> str:
    """Replace a list file in the form it has, and return its new ETag.

    If elements were left out on reading, the old bytes first go into a `.damaged` copy (W07). Raises what
    `write_content` raises; a damaged, locked or unreadable file is never replaced.
    """
    content, parsed = _read(place, access)
    if parsed.skipped:
        _keep_damaged_copy(place.path.resolve(), content.data)
    text = format_entries(tuple(entries), parsed.form)
    return write_content(content, text, access, expected_etag=expected_etag)


def _read(place: Place, access: Access) -> tuple[Content, ParsedEntries]:
    content = read_content(place, access)
    nothing = ParsedEntries((), (), ListForm.ARRAY)
    if content.report.state is not FileState.PRESENT:
        return content, nothing
    try:
        parsed = parse_entries(content.text, may_be_lines=place.path.name.lower().endswith(LINES_ENDING))
    except JsonDamageError as error:
        return replace(content, report=mark_damaged(content.report, error)), nothing
    if not parsed.entries and not parsed.skipped:
        content = replace(content, report=replace(content.report, state=FileState.EMPTY))
    return content, parsed


def _keep_damaged_copy(path: Path, data: bytes) -> None:
    """Keep what a rewrite would lose, beside earlier copies of other contents."""
    number = 1
    copy = path.with_name(f"{path.name}.damaged")
    while copy.exists():
        if copy.read_bytes() == data:
            return
        number += 1
        copy = path.with_name(f"{path.name}.damaged{number}")
    write_atomic(copy, data, expected_etag="")
