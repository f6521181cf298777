"""Everything that says how far memory has got."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router

from memory.api.editing import editor_of, match_version, written
from memory.api.guards import require_unlocked
from memory.api.registration import Reading, reads
from memory.api.requests import RefText, find_keys, parse_ref
from memory.api.validators import versioned
from memory.api.writing import Writing, writes
from memory.queries import trackers as queries
from memory.schemas.changes import BoundaryBody, CondensationBody, WrittenSchema
from memory.schemas.memories import TrackersSchema
from memory.services import trackers_editing
from wilmer_site.lib.errors import InvalidError

router = Router()
router.add_decorator(versioned)


@reads(router, "/discussions/{ref}/trackers", Reading("trackers", "Trackers", "Get the trackers", TrackersSchema))
def get_trackers(request: HttpRequest, ref: RefText) -> Any:
    """Hashes and what they point at. One damaged file hides none of the others: each comes with its own state."""
    trackers = queries.get_trackers(parse_ref(ref), find_keys(request))
    for report in (trackers.condensation_report, trackers.timestamps_report, trackers.vision_report):
        require_unlocked(report)
    return TrackersSchema.build(trackers)


@writes(
    router,
    "PUT",
    "/discussions/{ref}/trackers/vector",
    Writing("tracker-vector-edit", "Trackers", "Move the boundary of vector memory", WrittenSchema),
)
def move_vector_boundary(request: HttpRequest, ref: RefText, body: BoundaryBody) -> Any:
    """To a message, or back to so many log rows. If-Match is `log_version` of the trackers."""
    discussion = parse_ref(ref)
    trackers = queries.get_trackers(discussion, find_keys(request))
    version = match_version(request, trackers.log_version)
    editor = editor_of(request, discussion)
    if sum(given is not None for given in (body.hash, body.message, body.keep)) != 1:
        raise InvalidError("Give exactly one of hash, message and keep.")
    if body.keep is not None:
        return written(trackers_editing.cut_log(editor, body.keep, version=version))
    if body.message is not None:
        return written(trackers_editing.move_vector_boundary_to(editor, body.message, version=version))
    return written(trackers_editing.move_vector_boundary(editor, body.hash or "", version=version))


@writes(
    router,
    "PUT",
    "/discussions/{ref}/trackers/condensation",
    Writing("tracker-condensation-edit", "Trackers", "Move the condensation tracker", WrittenSchema),
)
def move_condensation(request: HttpRequest, ref: RefText, body: CondensationBody) -> Any:
    """Condensation goes on behind this chunk. If-Match is the hash that the tracker holds, or `*`."""
    discussion = parse_ref(ref)
    trackers = queries.get_trackers(discussion, find_keys(request))
    match_version(request, trackers.condensation.hash if trackers.condensation else "")
    return written(trackers_editing.set_condensation(editor_of(request, discussion), body.chunk))


@writes(
    router,
    "DELETE",
    "/discussions/{ref}/trackers/condensation",
    Writing("tracker-condensation-delete", "Trackers", "Remove the condensation tracker", WrittenSchema),
)
def delete_condensation(request: HttpRequest, ref: RefText) -> Any:
    """Every chunk counts as not condensed yet."""
    discussion = parse_ref(ref)
    trackers = queries.get_trackers(discussion, find_keys(request))
    match_version(request, trackers.condensation.hash if trackers.condensation else "")
    return written(trackers_editing.set_condensation(editor_of(request, discussion), None))


@writes(
    router,
    "DELETE",
    "/discussions/{ref}/trackers/pending-timestamp",
    Writing("pending-timestamp-delete", "Trackers", "Delete the pending timestamp", WrittenSchema, needs_match=False),
)
def delete_pending_timestamp(request: HttpRequest, ref: RefText) -> Any:
    """The time that waits for the message it belongs to."""
    return written(trackers_editing.delete_pending_timestamp(editor_of(request, parse_ref(ref))))
