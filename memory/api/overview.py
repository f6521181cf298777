"""The whole folder at a glance."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Router

from memory.api.registration import Reading, reads
from memory.queries import overview as queries
from memory.results import Overview
from memory.schemas.discussions import OverviewSchema

router = Router()


@reads(
    router, "/overview", Reading("overview", "Overview", "Counts of the whole folder", OverviewSchema, is_keyed=False)
)
def get_overview(request: HttpRequest) -> Overview:
    """How many discussions, chunks, memories and problems there are, and what was written last."""
    return queries.get_overview()
