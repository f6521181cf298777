"""Discussions: lists, headers, findings."""

from __future__ import annotations

from datetime import datetime
from pathlib import PurePath
from typing import Any

from ninja import Schema
from pydantic import Field

from memory.results import DiscussionCard, HealthCheck, HealthLevel, Overview
from memory.schemas.base import PageSchema, Text
from memory.schemas.files import FileSchema
from memory.types import Artefact, DiscussionRef, FileState, Generation


class DiscussionSchema(Schema):
    """A discussion as it was when its files were last looked at."""

    ref: Text = Field(description="What URLs carry, before percent-encoding: `id`, or `keyhash:id`.")
    discussion_id: Text
    key_hash: str | None
    generation: Generation
    is_encrypted: bool
    chunk_count: int | None = Field(description="Null when it cannot be known: locked, damaged, unreadable.")
    memory_count: int | None
    summary_behind: int | None = Field(description="Chunks newer than the summary; null when the link is lost.")
    has_summary: bool
    has_state_document: bool
    size_bytes: int
    last_write: datetime | None
    health: HealthLevel
    problem_count: int
    file_states: dict[Artefact, FileState]

    @staticmethod
    def resolve_ref(obj: DiscussionCard) -> str:
        """As text."""
        return obj.ref.text

    @staticmethod
    def resolve_key_hash(obj: DiscussionCard) -> str | None:
        """The folder of the key."""
        return obj.ref.key_hash


class DiscussionPage(PageSchema):
    """Discussions, and how many each chip would leave."""

    items: list[DiscussionSchema]
    chips: dict[str, int]


class DiscussionHeaderSchema(Schema):
    """A discussion read fresh from disk."""

    discussion: DiscussionSchema = Field(validation_alias="card")
    files: list[FileSchema]
    is_locked: bool
    is_unlocked: bool
    version: str = Field(description="Changes whenever any file of the discussion changes.")


class HealthCheckSchema(Schema):
    """One check of one discussion."""

    code: str
    level: HealthLevel
    title: Text
    evidence: Text
    advice: Text
    count: int
    artefact: Artefact | None


class HealthCheckPage(PageSchema):
    """The checks of one discussion."""

    items: list[HealthCheckSchema]


class ProblemSchema(HealthCheckSchema):
    """A finding, and the discussion it was found in."""

    ref: Text

    @classmethod
    def build(cls, found: tuple[DiscussionRef, HealthCheck]) -> dict[str, Any]:
        """One row of the list of problems."""
        ref, check = found
        return {"ref": ref.text, **{name: getattr(check, name) for name in HealthCheckSchema.model_fields}}


class ProblemPage(PageSchema):
    """Findings in all discussions, worst first."""

    items: list[ProblemSchema]


class OverviewSchema(Schema):
    """The whole folder at a glance."""

    public_folder: Text = Field(description="Its last two names; where it lies on the machine is not told.")
    user: Text
    discussion_count: int
    locked_count: int
    problem_count: int
    chunk_count: int
    memory_count: int
    last_writes: list[DiscussionSchema]
    worst: list[DiscussionSchema]
    config_counts: dict[str, int] = Field(description="Files per kind below the configs folder.")
    notes: list[Text]

    @staticmethod
    def resolve_public_folder(obj: Overview) -> str:
        """Shortened."""
        return "/".join(PurePath(obj.public_folder).parts[-2:])
