"""Archives, as the API takes and gives them."""

from __future__ import annotations

from typing import Any

from ninja import Schema
from pydantic import Field

from memory.schemas.base import Text
from memory.services.archive_imports import ImportChoice, Imported, ImportPlan


class ArchiveItemSchema(Schema):
    """One discussion of an archive."""

    number: int
    ref: Text
    files: int
    size_bytes: int
    has_transcript: bool
    revisions: int
    problems: list[Text] = Field(description="What could not be read when the archive was made.")
    obstacle: Text = Field(description="Why it cannot be imported under its own id; empty when it can.")
    exists: bool = Field(description="A discussion of that id could be replaced.")


class ArchiveSchema(Schema):
    """What is in an archive that was brought in."""

    id: str = Field(description="Names it for a day.")
    made_at: Text
    items: list[ArchiveItemSchema]

    @staticmethod
    def build(upload_id: str, plan: ImportPlan) -> dict[str, Any]:
        """The plan as plain values."""
        names = ("number", "files", "size_bytes", "revisions", "problems", "obstacle", "exists")
        items = [
            {**{name: getattr(item, name) for name in names}, "ref": item.ref.text, "has_transcript": item.messages}
            for item in plan.items
        ]
        return {"id": upload_id, "made_at": plan.made_at, "items": items}


class ImportChoiceBody(Schema):
    """What becomes of one discussion."""

    number: int = Field(ge=0, strict=True)
    new_id: str = Field("", max_length=500, description="Empty: under its own id.")
    replace: bool = Field(False, description="Move a discussion of that id to the trash first.")


class ImportBody(Schema):
    """Which discussions to import."""

    choices: list[ImportChoiceBody] = Field(min_length=1, max_length=100_000)

    def list_choices(self) -> list[ImportChoice]:
        """The same as values for services."""
        return [ImportChoice(item.number, item.new_id, item.replace) for item in self.choices]


class RefusedItemSchema(Schema):
    """A discussion that was not imported."""

    id: Text
    reason: Text


class ImportedSchema(Schema):
    """What came of an import, or would come of it."""

    imported: list[Text] = Field(description="Discussions, as `id` or `keyhash:id`.")
    refused: list[RefusedItemSchema]

    @staticmethod
    def build(done: Imported) -> dict[str, Any]:
        """The result as plain values."""
        refused = [{"id": name, "reason": reason} for name, reason in done.refused]
        return {"imported": [ref.text for ref in done.refs], "refused": refused}
