"""Jobs, drafts and plans of regenerations."""

from __future__ import annotations

import dataclasses
from datetime import datetime
from typing import Annotated, Any

from ninja import Schema
from pydantic import Field, model_validator

from memory.engine.regeneration import Kind, Plan, RegenerationRequest
from memory.queries.jobs import DraftCard, DraftDetail, JobCard, JobDetail
from memory.schemas.base import JsonObject, PageSchema, Text
from memory.services.drafts import Accepted


class RegenerationBody(Schema):
    """What shall be made anew."""

    kind: Kind = Field(description="`first` and `last` count chunks, messages of the transcript, or memory ids.")
    first: int | None = Field(default=None, ge=1, le=2**31)
    last: int | None = Field(default=None, ge=1, le=2**31, description="Without it only `first`.")
    replaces: bool = Field(default=False, description="`embed`: also memories that have a vector of the model.")
    picked: list[Annotated[int, Field(ge=1, le=2**31)]] = Field(
        default_factory=list, max_length=10_000, description="`chunks`: single ones, in the place of a range."
    )

    def as_request(self) -> RegenerationRequest:
        """The same as a value."""
        return RegenerationRequest(self.kind, self.first, self.last, self.replaces, tuple(sorted(set(self.picked))))

    @model_validator(mode="after")
    def check_picked(self) -> RegenerationBody:
        """Only chunks can be picked."""
        if self.picked and self.kind is not Kind.CHUNKS:
            raise ValueError("`picked` names chunks, so it goes with the kind `chunks` alone")
        return self


class PromptSchema(Schema):
    """One model call as it would be sent."""

    title: Text
    endpoint: Text
    preset: Text
    max_tokens: int | None
    token_estimate: int
    system_prompt: Text
    prompt: Text


class CallSchema(Schema):
    """One call of a plan."""

    title: Text
    workflow: Text
    is_provisional: bool = Field(description="It holds what an earlier call of the job will answer.")
    prompts: list[PromptSchema]


class PlanSchema(Schema):
    """What starting would do."""

    call_count: int
    model_calls: int
    token_estimate: int
    endpoints: list[Text]
    drafts: list[Text]
    notes: list[Text]
    calls: list[CallSchema] = Field(description="The first twenty, whole.")
    digest: str

    @classmethod
    def build(cls, plan: Plan) -> dict[str, Any]:
        """The answer."""
        facts = {field.name: getattr(plan, field.name) for field in dataclasses.fields(plan)}
        return {**facts, "drafts": [spec.title for spec in plan.specs]}


class RegenerationStarted(Schema):
    """The job that was noted down, or with dry_run the plan."""

    job: int | None = None
    plan: PlanSchema | None = None


class JobSchema(Schema):
    """One job."""

    id: int
    kind: Kind
    first: int | None
    last: int | None
    discussion: Text
    layer: str
    state: str
    done: int
    total: int
    step: Text
    attempts: int
    requested_by: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    error_code: str
    error: Text
    draft_counts: dict[str, int]

    @classmethod
    def build(cls, card: JobCard) -> dict[str, Any]:
        """The answer."""
        facts = {field.name: getattr(card, field.name) for field in dataclasses.fields(card)}
        request = {"kind": card.request.kind, "first": card.request.first, "last": card.request.last}
        return {**facts, **request, "discussion": card.ref.text, "state": card.state.value}


class LogLineSchema(Schema):
    """One line of a job's log."""

    at: datetime
    text: Text


class JobDetailSchema(JobSchema):
    """One job with its log."""

    log: list[LogLineSchema]
    batches: list[str] = Field(description="What accepting wrote, for undoing; the newest last.")

    @classmethod
    def build_detail(cls, job: JobDetail) -> dict[str, Any]:
        """The answer."""
        return {**cls.build(job.card), "log": job.log, "batches": job.batches}


class JobPage(PageSchema):
    """Jobs, the newest first."""

    items: list[JobSchema]


class DraftSchema(Schema):
    """One draft."""

    position: int
    title: Text
    state: str
    old_text: Text
    new_text: Text = Field(description="What accepting stores: the edited text, else the model's.")
    is_edited: bool
    error: Text
    notes: list[Text] = Field(description="What to look at before it is accepted.")

    @classmethod
    def build(cls, card: DraftCard) -> dict[str, Any]:
        """The answer."""
        facts = {field.name: getattr(card, field.name) for field in dataclasses.fields(card)}
        return {**facts, "state": card.state.value}


class DraftDetailSchema(DraftSchema):
    """One draft with what was sent for it."""

    seen: str = Field(description="What it was made from and would replace; send it back when accepting.")
    model_text: Text
    raw_reply: Text
    prompts: list[JsonObject]

    @classmethod
    def build_detail(cls, draft: DraftDetail) -> dict[str, Any]:
        """The answer."""
        more = ("seen", "model_text", "raw_reply", "prompts")
        return {**cls.build(draft.card), **{name: getattr(draft, name) for name in more}}


class DraftPage(PageSchema):
    """Drafts in the order of their job."""

    items: list[DraftSchema]


class DecisionBody(Schema):
    """What is stored."""

    text: str | None = Field(default=None, max_length=1_000_000, description="Without it the draft as it is.")
    seen: str | None = Field(default=None, max_length=100, description="The state the decision was made in.")


class KeptTextBody(Schema):
    """An edited text that is kept with the draft."""

    text: str = Field(max_length=1_000_000)


class DecidedSchema(Schema):
    """What came of a decision."""

    job: int
    state: str
    batch: str | None = Field(default=None, description="For undoing what was written.")
    accepted: list[int] = Field(default_factory=list)
    stale: list[int] = Field(default_factory=list, description="Left, because something changed.")
    rejected: int = 0

    @classmethod
    def build(cls, job: JobCard, accepted: Accepted | None = None, rejected: int = 0) -> dict[str, Any]:
        """The answer."""
        made = accepted or Accepted(None)
        return {
            "job": job.id,
            "state": job.state.value,
            "batch": str(made.batch) if made.batch else None,
            "accepted": list(made.positions),
            "stale": list(made.stale),
            "rejected": rejected,
        }
