"""Copying, forking, renaming and rolling back a whole discussion."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router

from memory.api.requests import RefText, find_keys, parse_ref
from memory.api.writing import Writing, intent_of, writes
from memory.engine.rollback import RollbackPoint
from memory.schemas.moving import (
    CopiedSchema,
    CopyBody,
    RenameBody,
    RenamedSchema,
    RollbackBody,
    RollbackSchema,
)
from memory.services.forking import CopyOrder, copy_discussion, plan_copy
from memory.services.renaming import plan_rename, rename_discussion
from memory.services.rollback import plan_rollback, roll_back

router = Router()

_TAG = "Discussions"


@writes(
    router,
    "POST",
    "/discussions/{ref}/copy",
    Writing(
        "discussion-copy",
        _TAG,
        "Copy or fork a discussion",
        CopiedSchema,
        needs_match=False,
        takes_match=True,
        status=201,
    ),
)
def copy(request: HttpRequest, ref: RefText, body: CopyBody) -> Any:
    """A new discussion with what this one remembers, whole, in part, or up to a message; this one is only read."""
    discussion, keys, intent = parse_ref(ref), find_keys(request), intent_of(request)
    point = RollbackPoint(message=body.message) if body.message else None
    order = CopyOrder(body.new_id, tuple(body.groups), body.with_transcript, point)
    if intent.is_dry_run:
        return CopiedSchema.build(*plan_copy(discussion, order, keys=keys))
    return CopiedSchema.build(copy_discussion(discussion, order, actor=intent.actor, keys=keys))


@writes(
    router,
    "POST",
    "/discussions/{ref}/rename",
    Writing("discussion-rename", _TAG, "Rename a discussion", RenamedSchema, needs_match=False, takes_match=True),
)
def rename(request: HttpRequest, ref: RefText, body: RenameBody) -> Any:
    """Files of every generation, database rows, history and transcript. Unsafe ids and ids that exist are refused."""
    discussion, intent = parse_ref(ref), intent_of(request)
    target, files = plan_rename(discussion, body.new_id)
    if not intent.is_dry_run:
        rename_discussion(discussion, body.new_id, actor=intent.actor)
    return {"ref": target.text, "files": files}


@writes(
    router,
    "POST",
    "/discussions/{ref}/rollback",
    Writing("discussion-rollback", _TAG, "Roll a discussion back", RollbackSchema, needs_match=False, takes_match=True),
)
def rollback(request: HttpRequest, ref: RefText, body: RollbackBody) -> Any:
    """Every layer at once, as one change. A dry run tells the numbers; send its digest so that nothing else is cut."""
    discussion, keys, intent = parse_ref(ref), find_keys(request), intent_of(request)
    point = RollbackPoint(body.message, body.chunk)
    if intent.is_dry_run:
        return RollbackSchema.build(plan_rollback(discussion, point, keys), None)
    rolled = roll_back(discussion, point, actor=intent.actor, keys=keys, digest=body.digest)
    return RollbackSchema.build(rolled.plan, rolled.batch)
