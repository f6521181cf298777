"""Everything that says how far memory has got."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router

from memory.api.guards import require_unlocked
from memory.api.registration import Reading, reads
from memory.api.requests import RefText, find_keys, parse_ref
from memory.api.validators import versioned
from memory.queries import trackers as queries
from memory.schemas.memories import TrackersSchema

router = Router()
router.add_decorator(versioned)


@reads(router, "/discussions/{ref}/trackers", Reading("trackers", "Trackers", "Get the trackers", TrackersSchema))
def get_trackers(request: HttpRequest, ref: RefText) -> Any:
    """Hashes and what they point at. One damaged file hides none of the others: each comes with its own state."""
    trackers = queries.get_trackers(parse_ref(ref), find_keys(request))
    for report in (trackers.condensation_report, trackers.timestamps_report, trackers.vision_report):
        require_unlocked(report)
    return TrackersSchema.build(trackers)
