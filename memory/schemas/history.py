"""The history of a discussion, as the API gives it."""

from __future__ import annotations

import uuid
from dataclasses import asdict
from datetime import datetime
from typing import Any, Literal

from ninja import Schema
from pydantic import Field

from memory.engine.differences import EntryChange, LineChange
from memory.engine.history import BatchReport, Blame, Comparison, RevisionCard
from memory.schemas.asked import AskedText, PageQuery
from memory.schemas.base import JsonObject, PageSchema, Text
from memory.schemas.changes import ConsequenceSchema
from memory.types import Artefact, FileState


class HistoryQuery(PageQuery):
    """Which writes."""

    file: Artefact | None = Field(None, description="Only writes to this file.")
    writer: AskedText = Field("", max_length=300, description="Only writes of this writer.")


class CompareQuery(Schema):
    """What to compare a version with."""

    against: AskedText = Field("before", max_length=20, description="`before`, `now`, or the number of a revision.")


class RevisionSchema(Schema):
    """One write: noted before it is made, and done."""

    id: int
    artefact: Artefact
    at: datetime
    actor: Text
    origin: Literal["edit", "generation", "restore", "repair", "import", "outside"]
    action: Text = Field(description="In words, in the past tense.")
    batch: uuid.UUID = Field(description="Takes back everything the action wrote.")
    batch_size: int
    before_bytes: int | None = Field(description="Null: there was no file.")
    after_bytes: int | None
    is_kept: bool = Field(description="False: a content was dropped to keep the history below WILMER_HISTORY_MB.")
    undone_by: uuid.UUID | None


class HistoryPage(PageSchema):
    """Writes, the newest first."""

    items: list[RevisionSchema]
    writers: JsonObject = Field(description="Writer → how many writes.")
    stored_bytes: int = Field(description="Of the history of all discussions, compressed.")
    limit_bytes: int
    dropped_contents: int


class VersionSchema(Schema):
    """One side of a comparison."""

    label: str
    state: FileState
    size_bytes: int | None
    etag: str = Field(description="Empty for no file.")
    is_dropped: bool
    problem: Text


class ComparisonSchema(Schema):
    """Two versions: entries for ledgers and their like, memories for rows, lines for everything else."""

    revision: RevisionSchema | None = None
    artefact: Artefact
    old: VersionSchema
    new: VersionSchema
    entries: list[JsonObject] | None
    lines: list[JsonObject] | None
    memories: list[JsonObject] | None

    @staticmethod
    def build(comparison: Comparison, card: RevisionCard | None = None) -> dict[str, Any]:
        """The comparison with everything that differs."""
        entries = comparison.entries
        return {
            "revision": card,
            "artefact": comparison.artefact,
            "old": comparison.old,
            "new": comparison.new,
            "entries": [_entry(change) for change in entries.changes] if entries else None,
            "lines": [_line(line) for line in comparison.text.lines] if comparison.text else None,
            "memories": None if comparison.memories is None else [asdict(item) for item in comparison.memories],
        }


class BatchStepSchema(Schema):
    """One file of an action."""

    artefact: Artefact
    is_conflict: bool = Field(description="Somebody wrote since; `since` tells what.")
    back: ComparisonSchema | None
    since: ComparisonSchema | None


class BatchSchema(Schema):
    """A whole action, and what taking it back would do."""

    batch: uuid.UUID
    action: Text
    actor: Text
    at: datetime
    origin: str
    is_conflict: bool
    undone_by: uuid.UUID | None
    problem: Text
    consequences: list[ConsequenceSchema]
    revisions: list[RevisionSchema]
    steps: list[BatchStepSchema]

    @staticmethod
    def build(report: BatchReport) -> dict[str, Any]:
        """The report as plain values."""
        steps = [
            {
                "artefact": step.artefact,
                "is_conflict": step.is_conflict,
                "back": ComparisonSchema.build(step.back) if step.back else None,
                "since": ComparisonSchema.build(step.since) if step.since else None,
            }
            for step in report.steps
        ]
        values = {name: getattr(report, name) for name in _REPORTED}
        return {**values, "steps": steps, "consequences": list(report.radius.consequences)}


class BlameLineSchema(Schema):
    """One entry or line, and the write it came from."""

    number: int
    text: Text
    revision: int | None = Field(description="Null: there before the history began.")


class BlameSchema(Schema):
    """Where every part of a file came from."""

    artefact: Artefact
    state: FileState
    versions: int = Field(description="How many versions were compared.")
    lines: list[BlameLineSchema]

    @staticmethod
    def build(blame: Blame) -> dict[str, Any]:
        """The lines with the numbers of their revisions."""
        lines = [
            {"number": line.number, "text": line.text, "revision": line.revision.id if line.revision else None}
            for line in blame.lines
        ]
        return {"artefact": blame.artefact, "state": blame.state, "versions": blame.versions, "lines": lines}


class UndoBody(Schema):
    """How to take an action back."""

    force: bool = Field(False, description="Also when somebody wrote since; what they wrote stays in the history.")


class RestoreBody(Schema):
    """Which content of a revision to put in place."""

    side: Literal["before", "after"] = "before"


class RestoredSchema(Schema):
    """What was put back, or would be."""

    action: Text
    batch: uuid.UUID | None = Field(description="Takes it back again; null in a dry run.")
    artefacts: list[Artefact]
    is_conflict: bool = False
    consequences: list[ConsequenceSchema] = []


_REPORTED = ("batch", "action", "actor", "at", "origin", "is_conflict", "undone_by", "problem", "revisions")


def _entry(change: EntryChange) -> dict[str, Any]:
    return {
        "change": change.kind.value,
        "old_number": change.old_number,
        "new_number": change.new_number,
        "old": asdict(change.old) if change.old else None,
        "new": asdict(change.new) if change.new else None,
    }


def _line(line: LineChange) -> dict[str, Any]:
    return {
        "change": line.kind.value,
        "old_number": line.old_number,
        "new_number": line.new_number,
        "old": "".join(piece.text for piece in line.old) if line.old_number else None,
        "new": "".join(piece.text for piece in line.new) if line.new_number else None,
    }
