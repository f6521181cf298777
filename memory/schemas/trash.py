"""Deleted discussions, as the API gives them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ninja import Schema
from pydantic import Field

from memory.schemas.base import PageSchema, Text
from memory.services.trash import TrashEntry


class TrashEntrySchema(Schema):
    """One deleted discussion."""

    name: str = Field(description="Names it in the trash.")
    ref: Text | None = Field(description="Null when its list of files cannot be read.")
    deleted_at: datetime | None
    actor: Text
    files: int
    size_bytes: int
    problem: Text

    @staticmethod
    def build(entry: TrashEntry) -> dict[str, Any]:
        """The entry as plain values."""
        return {
            "name": entry.name,
            "ref": entry.ref.text if entry.ref else None,
            "deleted_at": entry.deleted_at,
            "actor": entry.actor,
            "files": entry.file_count,
            "size_bytes": entry.size_bytes,
            "problem": entry.problem,
        }


class TrashPage(PageSchema):
    """Everything in the trash, what went last first."""

    items: list[TrashEntrySchema]


class TrashingSchema(Schema):
    """A discussion that was deleted, or would be."""

    entry: TrashEntrySchema | None = Field(description="Null in a dry run.")
    files: list[Text]
    size_bytes: int
    stays: list[Text] = Field(description="Names in its folder that are no files of a discussion.")
    problem: Text = Field(description="Why it cannot be deleted; only in a dry run.")


class PurgedSchema(Schema):
    """What went for ever, or would go."""

    count: int
    files: int
    size_bytes: int
