"""Copying, renaming and rolling back a discussion, as the API takes and gives it."""

from __future__ import annotations

import uuid
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import Field

from memory.schemas.base import Text
from memory.schemas.changes import ConsequenceSchema
from memory.services.forking import Copied
from memory.services.rollback import RollbackPlan

NewId = Annotated[str, Field(max_length=500, description="Same key hash as before. See memory ids in the docs.")]
Group = Literal["chunks", "summary", "vector", "state", "rest"]


class RollbackBody(Schema):
    """From where on everything is forgotten: give one of the two."""

    message: int | None = Field(None, ge=1, le=10**9, strict=True, description="The first message to forget.")
    chunk: int | None = Field(None, ge=0, le=10**9, strict=True, description="The last chunk to keep; 0 keeps none.")
    digest: str = Field("", max_length=64, description="Of the plan a dry run told; another state is a clash (409).")


class RollbackSchema(Schema):
    """What rolling back left, or would leave."""

    batch: uuid.UUID | None = Field(description="Takes it back; null in a dry run.")
    digest: str
    chunks_kept: int
    chunks_removed: int
    chunks_restored: int = Field(description="Come back that a later condensation had made one of.")
    memories_removed: int
    log_rows_removed: int
    summary: Literal["none", "stays", "restored", "removed"]
    state_document: Literal["none", "stays", "restored", "unknown"]
    timestamps_removed: int
    compactor_files_removed: int = Field(description="The context compactor then begins anew from the chat.")
    notes: list[Text]
    consequences: list[ConsequenceSchema]

    @staticmethod
    def build(plan: RollbackPlan, batch: uuid.UUID | None) -> dict[str, Any]:
        """The answer."""
        return {
            "batch": batch,
            "digest": plan.digest,
            "chunks_kept": plan.chunks_kept,
            "chunks_removed": plan.chunks_removed,
            "chunks_restored": plan.chunks_restored,
            "memories_removed": len(plan.log.memory_ids),
            "log_rows_removed": len(plan.log.removed),
            "summary": plan.summary,
            "state_document": plan.state,
            "timestamps_removed": plan.timestamps_removed,
            "compactor_files_removed": len(plan.compactor),
            "notes": plan.notes,
            "consequences": list(plan.radius.consequences),
        }


class CopyBody(Schema):
    """What is carried over into a new discussion."""

    new_id: NewId
    groups: list[Group] = Field(["chunks", "summary", "vector", "state", "rest"], min_length=1, max_length=5)
    with_transcript: bool = True
    message: int | None = Field(
        None, ge=1, le=10**9, strict=True, description="Fork: leave out this message and later ones."
    )


class CopiedSchema(Schema):
    """The new discussion."""

    ref: Text
    files: int
    messages: int = Field(description="Of the transcript.")
    left_out: RollbackSchema | None = Field(None, description="Of a fork, in a dry run: what the copy would not hold.")

    @staticmethod
    def build(copied: Copied, left_out: RollbackPlan | None = None) -> dict[str, Any]:
        """The answer."""
        cut = RollbackSchema.build(left_out, None) if left_out else None
        return {"ref": copied.ref.text, "files": copied.files, "messages": copied.messages, "left_out": cut}


class RenameBody(Schema):
    """The new id."""

    new_id: NewId


class RenamedSchema(Schema):
    """Where the discussion is now, or would be."""

    ref: Text
    files: int = Field(description="How many files were renamed, or would be.")
