"""Mending what the health checks find."""

from __future__ import annotations

import uuid
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Path, Router, Schema
from pydantic import Field

from memory.api.requests import RefText, find_keys, parse_ref
from memory.api.writing import Writing, intent_of, writes
from memory.schemas.base import Text
from memory.schemas.changes import ConsequenceSchema
from memory.services.repairs import Repairer, plan_repair, repair

router = Router()

CheckCode = Annotated[str, Path(max_length=60, description="`code` of a finding, such as `fts-orphans`.")]


class RepairBody(Schema):
    """What some repairs ask for."""

    chunk: int | None = Field(
        None, ge=0, le=10**9, description="The newest chunk that a lost link shall name; 0 for none."
    )


class RepairedSchema(Schema):
    """A repair that was made, or would be."""

    action: Text
    batch: uuid.UUID | None = Field(description="Takes it back; null in a dry run, and for temp files and rights.")
    steps: list[Text] = Field([], description="What is done to which file, where that can be told.")
    problem: Text = Field("", description="Why it cannot be done; only in a dry run.")
    consequences: list[ConsequenceSchema]


@writes(
    router,
    "POST",
    "/discussions/{ref}/health/{code}/repair",
    Writing("health-repair", "Health", "Mend a finding", RepairedSchema, needs_match=False),
)
def repair_finding(request: HttpRequest, ref: RefText, code: CheckCode, body: RepairBody) -> Any:
    """Only findings with a safe repair: database rows, lost links, rights, damaged files, leftovers. A dry run tells
    what would be done, and what follows.
    """
    intent = intent_of(request)
    repairer = Repairer(parse_ref(ref), intent.actor, find_keys(request), body.chunk)
    plan = plan_repair(repairer, code)
    consequences = list(plan.radius.consequences)
    if intent.is_dry_run:
        facts: dict[str, Any] = {"action": plan.action, "batch": None, "problem": plan.problem}
    else:
        done = repair(repairer, code)
        facts = {"action": done.action, "batch": done.batch}
    return {**facts, "steps": plan.steps, "consequences": consequences}
