"""Every version of every file of a discussion, and the ways back."""

from __future__ import annotations

import uuid
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Path, Query, Router

from memory.api.pages import page_object
from memory.api.registration import Reading, reads
from memory.api.requests import RefText, find_keys, parse_ref
from memory.api.writing import ANY, Writing, intent_of, require_match, writes
from memory.engine.history import HistoryFilter
from memory.queries import history as queries
from memory.queries.noticing import notice_writes
from memory.schemas.history import (
    BatchSchema,
    BlameSchema,
    CompareQuery,
    ComparisonSchema,
    HistoryPage,
    HistoryQuery,
    RestoreBody,
    RestoredSchema,
    UndoBody,
)
from memory.services.restoring import Version, restore_revision, undo_batch
from memory.types import Artefact

router = Router()

_TAG = "History"
RevisionNumber = Annotated[int, Path(ge=1, le=2**62, description="The number of a revision.")]


@reads(
    router, "/discussions/{ref}/history", Reading("history-list", _TAG, "List the writes to a discussion", HistoryPage)
)
def list_history(request: HttpRequest, ref: RefText, asked: Query[HistoryQuery]) -> Any:
    """Every write, the newest first. What other programs wrote is noticed by asking."""
    discussion = parse_ref(ref)
    notice_writes(discussion, find_keys(request))
    filter, size = HistoryFilter(asked.file, asked.writer), queries.get_size()
    return page_object(
        request,
        queries.list_history(discussion, filter, asked.page_request()),
        writers=queries.count_writers(discussion),
        stored_bytes=size.stored_bytes,
        limit_bytes=size.limit_bytes,
        dropped_contents=size.dropped_contents,
    )


@reads(
    router,
    "/discussions/{ref}/history/{number}",
    Reading("revision", _TAG, "Compare what a write left with another version", ComparisonSchema),
)
def get_revision(request: HttpRequest, ref: RefText, number: RevisionNumber, asked: Query[CompareQuery]) -> Any:
    """With what it replaced, with what is there now, or with any other version of the same file."""
    discussion = parse_ref(ref)
    comparison = queries.get_comparison(discussion, number, find_keys(request), asked.against)
    return ComparisonSchema.build(comparison, queries.get_card(discussion, number))


@writes(
    router,
    "POST",
    "/discussions/{ref}/history/{number}/restore",
    Writing("revision-restore", _TAG, "Put an old version in place", RestoredSchema),
)
def restore(request: HttpRequest, ref: RefText, number: RevisionNumber, body: RestoreBody | None = None) -> Any:
    """Also over a damaged file. If-Match is the ETag of the file as it is now; what is there stays in the history."""
    discussion, keys, intent = parse_ref(ref), find_keys(request), intent_of(request)
    side = (body or RestoreBody()).side
    preview = queries.preview_restore(discussion, number, keys, side=side)
    found = preview.comparison.old.etag
    require_match(request, [found])
    consequences = list(preview.radius.consequences)
    if intent.is_dry_run:
        action = f"Put back the version {side}: {preview.card.action}"
        return {"action": action, "batch": None, "artefacts": [preview.card.artefact], "consequences": consequences}
    expected = None if intent.match is None or ANY in intent.match else found
    version = Version(number, side)
    done = restore_revision(discussion, version, actor=intent.actor, keys=keys, expected_etag=expected)
    return {"action": done.action, "batch": done.batch, "artefacts": done.artefacts, "consequences": consequences}


@reads(
    router,
    "/discussions/{ref}/batches/{batch}",
    Reading("batch", _TAG, "Get a whole action and the way back", BatchSchema),
)
def get_batch(request: HttpRequest, ref: RefText, batch: uuid.UUID) -> Any:
    """What an action wrote, what taking it back would change and cause, and whether somebody wrote since."""
    return BatchSchema.build(queries.get_batch(parse_ref(ref), batch, find_keys(request)))


@writes(
    router,
    "POST",
    "/discussions/{ref}/batches/{batch}/undo",
    Writing("batch-undo", _TAG, "Take back a whole action", RestoredSchema, needs_match=False),
)
def undo(request: HttpRequest, ref: RefText, batch: uuid.UUID, body: UndoBody | None = None) -> Any:
    """All of its writes, in reverse. Whatever somebody wrote since is a clash (409) unless `force`."""
    discussion, keys, intent = parse_ref(ref), find_keys(request), intent_of(request)
    report = queries.get_batch(discussion, batch, keys)
    consequences = list(report.radius.consequences)
    if intent.is_dry_run:
        return {
            "action": f"Took back: {report.action}",
            "batch": None,
            "artefacts": [step.artefact for step in report.steps],
            "is_conflict": report.is_conflict,
            "consequences": consequences,
        }
    done = undo_batch(discussion, batch, actor=intent.actor, keys=keys, force=body is not None and body.force)
    return {"action": done.action, "batch": done.batch, "artefacts": done.artefacts, "consequences": consequences}


@reads(
    router,
    "/discussions/{ref}/origins/{artefact}",
    Reading("origins", _TAG, "Tell where each entry or line of a file came from", BlameSchema),
)
def get_origins(request: HttpRequest, ref: RefText, artefact: Artefact) -> Any:
    """The newest write that each entry of a list, or line of another file, appeared in."""
    discussion, keys = parse_ref(ref), find_keys(request)
    notice_writes(discussion, keys)
    return BlameSchema.build(queries.get_blame(discussion, artefact, keys))
