"""What `SaveCustomFile` makes of a text (workflows.md §10.10)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from workflows_app.nodes.files.config import REMOVE, REPLACE, TRIM, SaveSettings

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_DONE = {
    REPLACE: "File successfully updated: replaced {count} occurrence(s) in {path}",
    REMOVE: "File successfully updated: removed {count} line(s) from {path}",
    TRIM: "File successfully tidied: removed {count} blank line(s) from {path}",
}
_UNCHANGED = {
    REPLACE: "File unchanged: no occurrence of the target text found in {path}",
    REMOVE: "File unchanged: no line matching the target text found in {path}",
    TRIM: "File unchanged: no blank lines to remove in {path}",
}


@dataclass(frozen=True, slots=True)
class Edit:
    """A changed text and how many places were changed."""

    text: str
    count: int


def edit_text(text: str, settings: SaveSettings) -> Edit:
    """The text after replacing, removing or trimming."""
    if settings.mode == REPLACE:
        return Edit(text.replace(settings.find, settings.content), text.count(settings.find))
    lines = _LINE.findall(text)
    kept = [line for line in lines if not _goes(line, settings)]
    return Edit("".join(kept), len(lines) - len(kept))


def describe_edit(edit: Edit, settings: SaveSettings) -> str:
    """What was done, as the node's result; the path as the node gave it."""
    words = _DONE if edit.count else _UNCHANGED
    return words[settings.mode].format(count=edit.count, path=settings.path)


def _goes(line: str, settings: SaveSettings) -> bool:
    return not line.strip() if settings.mode == TRIM else settings.find in line
