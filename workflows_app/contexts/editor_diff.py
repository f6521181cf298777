"""Differences of two texts, node by node and line by line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from typing import Any

from workflows_app.engine.config_diff import MISSING, ChangeKind, ConfigDiff, FieldChange, NodeChange

MAX_LINES = 2_000
_EXCERPT = 400
_TONES = {
    ChangeKind.ADDED: "ok",
    ChangeKind.REMOVED: "error",
    ChangeKind.MOVED: "info",
    ChangeKind.CHANGED: "stale",
}


@dataclass(frozen=True, slots=True)
class FieldLine:
    """A key with both values."""

    name: str
    before: str
    after: str
    is_new: bool
    is_gone: bool


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """What happened to a node."""

    kind: str
    tone: str
    label: str
    place: str
    fields: tuple[FieldLine, ...]


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of a textual difference."""

    sign: str
    text: str
    tone: str


@dataclass(frozen=True, slots=True)
class DiffView:
    """Both kinds of difference of two texts."""

    rows: tuple[ChangeRow, ...]
    fields: tuple[FieldLine, ...]
    lines: tuple[DiffLine, ...]
    is_cut: bool
    is_plain: bool
    """Whether one of the two could not be taken apart, so that only lines are compared."""

    @classmethod
    def build(cls, diff: ConfigDiff | None, before: str, after: str) -> DiffView:
        """From what differs, and both texts as they may be shown."""
        lines = list(_lines(before, after))
        return cls(
            rows=tuple(build_change(change) for change in diff.nodes) if diff else (),
            fields=tuple(build_field(change) for change in diff.fields) if diff else (),
            lines=tuple(lines[:MAX_LINES]),
            is_cut=len(lines) > MAX_LINES,
            is_plain=diff is None,
        )

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs."""
        return not self.lines


def build_change(change: NodeChange) -> ChangeRow:
    """A node's change in words."""
    return ChangeRow(
        kind=change.kind.value,
        tone=_TONES[change.kind],
        label=change.label,
        place=_place(change),
        fields=tuple(build_field(field) for field in change.fields),
    )


def build_field(change: FieldChange) -> FieldLine:
    """A key's change with both values as text."""
    return FieldLine(
        name=change.name,
        before=show(change.before),
        after=show(change.after),
        is_new=change.before is MISSING,
        is_gone=change.after is MISSING,
    )


def show(value: Any) -> str:
    """A JSON value as a person reads it: texts as they are, everything else as JSON; long ones cut."""
    if value is MISSING:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _EXCERPT else f"{text[:_EXCERPT]}…"


def _place(change: NodeChange) -> str:
    if change.before is not None and change.after is not None and change.before != change.after:
        return f"{change.before + 1} → {change.after + 1}"
    at = change.after if change.after is not None else change.before
    return str((at or 0) + 1)


def _lines(before: str, after: str) -> Iterator[DiffLine]:
    for line in unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=3):
        if line.startswith(("---", "+++")):
            continue
        sign = line[:1]
        tone = {"+": "added", "-": "removed", "@": "place"}.get(sign, "")
        yield DiffLine(sign if sign in "+-" else "", line if sign == "@" else line[1:], tone)
