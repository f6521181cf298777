"""Files of a discussion."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ninja import Schema
from pydantic import Field

from memory.results import RawFile
from memory.schemas.base import JsonObject, PageSchema, Text
from memory.types import Artefact, FileReport, FileState, Generation

_KEY_HASH = re.compile(r"[0-9a-f]{16}")
READABLE = {FileState.PRESENT, FileState.EMPTY, FileState.ABSENT}
"""A count of what such a file holds is true."""


def shown_path(path: Path, generation: Generation) -> str:
    """Where a file lies without telling where the public folder is: from the folder of discussions on.

    >>> shown_path(Path("/home/ann/Public/DiscussionIds/trip/memories.json"), Generation.NESTED)
    'DiscussionIds/trip/memories.json'
    """
    if generation is Generation.LEGACY_PUBLIC:
        return path.name
    parts = path.relative_to(path.anchor).parts
    depth = 3 if generation in {Generation.NESTED, Generation.GUIDE_NESTED} else 2
    if len(parts) > depth and _KEY_HASH.fullmatch(parts[-depth]):
        depth += 1
    return "/".join(parts[-depth:])


class FileSchema(Schema):
    """One file of a discussion as it is now."""

    artefact: Artefact
    path: Text = Field(description="Below the public folder.")
    generation: Generation
    state: FileState
    size_bytes: int | None
    modified: datetime | None
    etag: str | None = Field(description="SHA-256 of the bytes; what a write has to name.")
    is_encrypted: bool
    problem: Text | None
    problem_line: int | None
    problem_column: int | None

    @staticmethod
    def resolve_path(obj: FileReport) -> str:
        """Shortened."""
        return shown_path(obj.path, obj.generation)

    @staticmethod
    def resolve_size_bytes(obj: FileReport) -> int | None:
        """Null when the file is not there."""
        return obj.stat.size_bytes if obj.stat else None

    @staticmethod
    def resolve_modified(obj: FileReport) -> datetime | None:
        """Null when the file is not there."""
        return datetime.fromtimestamp(obj.stat.modified_ns / 1e9, UTC) if obj.stat else None


class FilePage(PageSchema):
    """The files of a discussion."""

    items: list[FileSchema]


class RawFileSchema(Schema):
    """A file as text, undecodable bytes replaced, cut at a limit."""

    file: FileSchema
    text: Text
    is_cut: bool
    details: JsonObject

    @staticmethod
    def resolve_file(obj: RawFile) -> FileReport:
        """The report."""
        return obj.report


class FileCountSchema(Schema):
    """A file and how many values it holds."""

    file: FileSchema
    count: int | None = Field(description="Null when the file cannot be read.")

    @classmethod
    def build(cls, report: FileReport, count: int) -> dict[str, Any]:
        """A count that is only told when it is one."""
        return {"file": report, "count": count if report.state in READABLE else None}


class FileTextSchema(Schema):
    """A file and its text."""

    file: FileSchema
    text: Text
