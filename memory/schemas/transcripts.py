"""The chat of a discussion and its import, for programs."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ninja import Schema
from pydantic import Field

from memory.engine.transcript_changes import ImportOutcome
from memory.engine.transcripts import VARIANTS, TranscriptCard
from memory.queries.transcript_matching import VariantMatch
from memory.schemas.asked import AskedText, PageQuery
from memory.schemas.base import PageSchema, Text
from memory.services.transcripts_file import FileImport

_FORMS = ", ".join(f"`{variant.code}`" for variant in VARIANTS)


class TranscriptQuery(PageQuery):
    """Which messages."""

    contains: AskedText = Field("", max_length=1000, description="Only messages with this text, letter case ignored.")


class TranscriptSchema(Schema):
    """What is known of a transcript."""

    title: Text
    format: str
    source_name: Text
    source_digest: str = Field(description="SHA-256 of the newest file.")
    variant: str = Field(description=f"The form in which messages are hashed: {_FORMS}.")
    message_count: int
    created_at: datetime
    updated_at: datetime
    imported_by: Text

    @classmethod
    def build(cls, card: TranscriptCard) -> dict[str, Any]:
        """The answer."""
        names = [name for name in cls.model_fields if name != "variant"]
        return {**{name: getattr(card, name) for name in names}, "variant": card.variant.code}


class TranscriptMessageSchema(Schema):
    """One message of a transcript."""

    number: int = Field(description="From 1, the oldest.")
    role: Text
    name: Text
    text: Text
    sent_at: datetime | None
    hash: str = Field(description="Its identity for memory; empty for system and blank messages.")
    images: list[Text]


class TranscriptMessagePage(PageSchema):
    """Messages, oldest first."""

    items: list[TranscriptMessageSchema]


class VariantMatchSchema(Schema):
    """How well one hash form agrees with what WilmerAI stored."""

    variant: str
    found: int = Field(description="Stored hashes that are hashes of messages, counted once per place.")
    total: int
    percent: int | None = Field(description="Null when nothing is stored.")
    ledger: int
    log: int
    timestamps: int

    @classmethod
    def build(cls, match: VariantMatch) -> dict[str, Any]:
        """The answer."""
        names = [name for name in cls.model_fields if name != "variant"]
        return {**{name: getattr(match, name) for name in names}, "variant": match.variant.code}


class VariantIn(Schema):
    """Another hash form."""

    variant: str = Field(max_length=60, description=f"One of {_FORMS}.")


class VariantOut(Schema):
    """A transcript that was hashed anew."""

    variant: str
    messages: int


class ImportProblemSchema(Schema):
    """Something that was left out or mended."""

    text: Text
    line: int | None
    column: int | None
    file: Text


class ImportSchema(Schema):
    """What an import did, or would do."""

    outcome: ImportOutcome
    format: str
    conversation: int
    title: Text
    discussion_id: Text = Field(description="What a `[DiscussionId]` tag of the chat names; empty for none.")
    kept: int = Field(description="Messages from the beginning on that were there already.")
    added: int
    removed: int
    total: int = Field(description="Messages of the transcript afterwards.")
    variant: str
    matches: list[VariantMatchSchema] = Field(description="The best first.")
    problems: list[ImportProblemSchema]
    problem_count: int
    is_dry_run: bool

    @classmethod
    def build(cls, done: FileImport) -> dict[str, Any]:
        """The answer."""
        change, contents = done.change, done.contents
        return {
            "outcome": change.outcome,
            "format": contents.format,
            "conversation": done.conversation.number,
            "title": done.conversation.title,
            "discussion_id": done.conversation.discussion_id,
            "kept": change.count_kept,
            "added": change.count_coming,
            "removed": change.count_going,
            "total": change.count_after,
            "variant": done.variant.code,
            "matches": [VariantMatchSchema.build(match) for match in done.matches],
            "problems": contents.problems,
            "problem_count": contents.problem_count,
            "is_dry_run": done.result is None,
        }


class TranscriptRemovedSchema(Schema):
    """How many messages are gone from the console, or would be."""

    messages: int
