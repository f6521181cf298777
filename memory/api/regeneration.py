"""Making memory anew."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router

from memory import jobs
from memory.api.requests import RefText, find_keys, parse_ref
from memory.api.writing import Writing, intent_of, writes
from memory.schemas.jobs import PlanSchema, RegenerationBody, RegenerationStarted
from memory.services.permission import require_administrator
from memory.services.regeneration import plan_regeneration

router = Router()


@writes(
    router,
    "POST",
    "/discussions/{ref}/regenerations",
    Writing(
        "regeneration-start",
        "Jobs",
        "Make memory anew",
        RegenerationStarted,
        needs_match=False,
        status=201,
    ),
)
def start_regeneration(request: HttpRequest, ref: RefText, body: RegenerationBody) -> Any:
    """Note down a job that makes drafts; nothing is stored until they are accepted.

    With `dry_run=true` the answer is the plan with every prompt, and no model is asked. The start itself is for
    administrators: 403 for others.
    """
    discussion, keys, intent = parse_ref(ref), find_keys(request), intent_of(request)
    asked = body.as_request()
    if intent.is_dry_run:
        return {"plan": PlanSchema.build(plan_regeneration(discussion, asked, keys))}
    require_administrator(request.user)
    return {"job": jobs.start_job(discussion, asked, keys, actor=intent.actor)}
