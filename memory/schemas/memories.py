"""What is remembered in files: chunks, rolling summary, state document, trackers."""

from __future__ import annotations

import dataclasses
from typing import Any

from ninja import Schema
from pydantic import Field

from memory.engine.versions import chunk_version
from memory.results import Chunk, HashMeaning, Summary, SummaryLink, Trackers
from memory.schemas.base import PageSchema, Text
from memory.schemas.files import FileCountSchema, FileSchema, FileTextSchema
from memory.types import Entry, FileState, ProgressHash


class ChunkSchema(Schema):
    """One entry of the ledger."""

    number: int = Field(description="From 1, the oldest.")
    text: Text
    hash: Text = Field(description="SHA-256 of the last chat message that the chunk covers; not of its text.")
    token_estimate: int
    is_condensed: bool
    is_in_summary: bool
    same_hash_as: list[int]
    version: str = Field(description="Changes with text or hash; for If-Match.")

    @staticmethod
    def resolve_version(obj: Chunk) -> str:
        """What a change compares."""
        return chunk_version(Entry(obj.text, obj.hash))


class ChunkPage(PageSchema):
    """Chunks, and how the ledger stands on disk."""

    items: list[ChunkSchema]
    state: FileState = Field(description="`absent` and `empty` differ: an absent ledger changes when memory runs.")
    file: FileSchema
    skipped: list[Text] = Field(description="One sentence for each element that is not an entry.")
    counts: dict[str, int] = Field(description="Chunks per value of `only`.")


class SummarySchema(Schema):
    """The rolling summary and its place in the ledger."""

    file: FileSchema = Field(validation_alias="report")
    text: Text
    hash: Text
    link: SummaryLink
    token_estimate: int
    covered_chunks: int
    total_chunks: int
    behind: int | None
    ledger_state: FileState = Field(description="Unless present, the counts say nothing about the ledger.")

    @classmethod
    def build(cls, summary: Summary, ledger_state: FileState) -> dict[str, Any]:
        """The answer."""
        facts = {field.name: getattr(summary, field.name) for field in dataclasses.fields(summary)}
        return {**facts, "ledger_state": ledger_state}


class StateDocumentSchema(Schema):
    """The state document and its backup, raw Markdown."""

    file: FileSchema = Field(validation_alias="report")
    text: Text
    token_estimate: int
    backup_file: FileSchema = Field(validation_alias="backup_report")
    backup_text: Text


class HashSchema(Schema):
    """A stored hash and what it points at."""

    hash: Text
    chunk_numbers: list[int]
    timestamp: Text | None = Field(description="The time of the same message, as stored.")


class ProgressSchema(HashSchema):
    """One hash that says how far vector memory has got."""

    logged_at: Text = Field(description="As stored.")
    row_id: int | None = Field(description="Null for the first-generation tracker.")

    @classmethod
    def build(cls, row: ProgressHash, meaning: HashMeaning) -> dict[str, Any]:
        """A row of the log with what its hash points at."""
        return {
            "hash": row.message_hash,
            "chunk_numbers": meaning.chunk_numbers,
            "timestamp": meaning.timestamp,
            "logged_at": row.timestamp,
            "row_id": row.row_id,
        }


class TrackersSchema(Schema):
    """Everything that says how far memory has got."""

    condensation: HashSchema | None
    condensation_file: FileSchema
    progress: list[ProgressSchema]
    progress_total: int
    timestamps: FileCountSchema
    has_pending_timestamp: bool
    log_version: str = Field(description="Changes with the hash log; for If-Match.")
    compactor: list[FileTextSchema]
    vision: FileCountSchema

    @classmethod
    def build(cls, trackers: Trackers) -> dict[str, Any]:
        """The answer, with a count only where the file could be read."""
        return {
            "condensation": trackers.condensation,
            "condensation_file": trackers.condensation_report,
            "progress": [ProgressSchema.build(row, meaning) for row, meaning in trackers.progress],
            "progress_total": trackers.progress_total,
            "timestamps": FileCountSchema.build(trackers.timestamps_report, trackers.timestamp_count),
            "has_pending_timestamp": trackers.has_pending_timestamp,
            "log_version": trackers.log_version,
            "compactor": [{"file": report, "text": text} for report, text in trackers.compactor],
            "vision": FileCountSchema.build(trackers.vision_report, trackers.vision_count),
        }
