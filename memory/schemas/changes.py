"""What writes are asked for, and what they answer. Answers hold no conversation text: they may be kept for a day."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated, Any

from ninja import Schema
from pydantic import Field

from memory.engine.blast_radius import Weight
from memory.schemas.base import PageSchema, Text
from memory.services.chunks_editing import Remainder
from memory.services.editing import Edited

MAX_TEXT = 5_000_000
"""Characters that one text may have."""

TextIn = Annotated[str, Field(max_length=MAX_TEXT)]
Number = Annotated[int, Field(ge=1, le=2**31)]
MemoryKey = Annotated[int, Field(ge=-(2**63), le=2**63 - 1)]


class ConsequenceSchema(Schema):
    """One thing that follows from a change."""

    code: str = Field(description="Stable, kebab case.")
    text: str = Field(description="For people.")
    weight: Weight
    numbers: dict[str, int] = Field(description="Such as messages_again, chunks_fed, messages_lost.")


class WrittenSchema(Schema):
    """A change that was made, or would be made in a dry run."""

    action: str
    is_changed: bool = Field(description="False for a dry run, and when everything was so already.")
    batch: uuid.UUID | None = Field(description="Takes the change back; null when nothing was written.")
    number: int | None = Field(description="Where the chunk or memory stands now.")
    version: str = Field(description="Of the thing as it is now, for If-Match; empty when it is gone.")
    is_exact: bool = Field(description="Whether messages were counted in a transcript.")
    consequences: list[ConsequenceSchema]

    @classmethod
    def build(cls, edited: Edited) -> dict[str, Any]:
        """The answer."""
        return {
            "action": edited.action,
            "is_changed": edited.is_changed,
            "batch": edited.batch,
            "number": edited.number,
            "version": edited.version,
            "is_exact": edited.radius.is_exact,
            "consequences": list(edited.radius.consequences),
        }


class TextBody(Schema):
    """A text to be stored."""

    text: TextIn


class MergeBody(Schema):
    """The text of merged chunks; null joins both texts by a line feed."""

    text: TextIn | None = None


class SplitBody(Schema):
    """Where a chunk is cut."""

    position: int = Field(ge=1, description="The first character of the second part, counted from 0.")
    first_hash: str | None = Field(
        None,
        max_length=64,
        description="Hash of the message that the first part ends with; the chunk's own hash is shared by both parts. "
        "Null takes the nearest message of the transcript.",
    )


class MoveBody(Schema):
    """How far a chunk is moved."""

    by: int = Field(ge=-(2**31), le=2**31, description="Places; negative towards the oldest.")


class ChunkRemovalBody(Schema):
    """Which chunks go."""

    numbers: list[Number] = Field(default_factory=list, max_length=100_000)
    all: bool = Field(False, description="Every chunk, instead of numbers.")
    count: int = Field(description="How many chunks are to go, as a check.")
    keep_links: bool = Field(True, description="Move links that name a chunk that goes to the entry before.")
    remainder: Remainder | None = Field(None, description="What the ledger shall be when no chunk is left.")


class SummaryBody(Schema):
    """What the rolling summary shall be."""

    text: TextIn
    covers: int | None = Field(
        None, ge=0, le=2**31, description="The chunk it is linked to, 0 for none; null keeps the link."
    )


class MemoryBody(Schema):
    """What a vector memory shall be."""

    text: TextIn
    metadata: dict[str, Any] = Field(
        default_factory=dict, description="Laid over what is stored; null removes a key, others stay."
    )


class MemoryRemovalBody(Schema):
    """Which vector memories go."""

    ids: list[MemoryKey] = Field(min_length=1, max_length=10_000)
    count: int = Field(description="How many memories are to go, as a check.")
    cut_log: bool = Field(False, description="Cut the hash log back, so that their messages are processed again.")


class BoundaryBody(Schema):
    """How far vector memory shall have got: a message hash, a message of the transcript, or log rows that stay."""

    hash: str | None = Field(None, max_length=64)
    message: Number | None = None
    keep: int | None = Field(None, ge=0, le=2**31, description="How many of the oldest log rows stay.")


class CondensationBody(Schema):
    """How far condensation shall have got."""

    chunk: Number


class LostEditSchema(Schema):
    """A text that a person wrote and that another program wrote over."""

    number: int | None = Field(description="The chunk that has the hash now; null when it is gone.")
    hash: Text
    text: Text = Field(description="What was written; PATCH the chunk with it to apply it again.")
    text_now: Text
    actor: Text
    at: datetime
    revision_id: int


class LostEditBody(Schema):
    """Which lost edit is meant, by what the list says of it."""

    revision_id: int
    hash: str


class LostEditPage(PageSchema):
    """All of them, newest first."""

    items: list[LostEditSchema]
