"""The ledger and its chunks."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query, Router

from memory.api.guards import require_readable
from memory.api.pages import page_object
from memory.api.registration import Reading, reads
from memory.api.requests import RefText, find_keys, parse_ref
from memory.api.validators import set_last_modified, versioned
from memory.queries import chunks as queries
from memory.schemas.asked import ChunkQuery
from memory.schemas.memories import ChunkPage, ChunkSchema

router = Router()
router.add_decorator(versioned)

_TAG = "Chunks"
ChunkNumber = Annotated[int, Path(ge=1, le=2**31, description="From 1, the oldest.")]


@reads(router, "/discussions/{ref}/chunks", Reading("chunk-list", _TAG, "List the chunks of a ledger", ChunkPage))
def list_chunks(request: HttpRequest, response: HttpResponse, ref: RefText, asked: Query[ChunkQuery]) -> Any:
    """Chunks in order of the ledger. A ledger that cannot be read is an error, an absent one an empty page."""
    discussion, keys = parse_ref(ref), find_keys(request)
    ledger = queries.get_ledger(discussion, keys)
    require_readable(ledger.report)
    page = queries.list_chunks(
        discussion, asked.page_request(), keys, newest_first=asked.order == "newest", only=asked.only
    )
    set_last_modified(response, ledger.report)
    more = {"state": ledger.report.state, "file": ledger.report, "skipped": ledger.skipped, "counts": ledger.counts}
    return page_object(request, page, **more)


@reads(router, "/discussions/{ref}/chunks/{number}", Reading("chunk", _TAG, "Get one chunk", ChunkSchema))
def get_chunk(request: HttpRequest, response: HttpResponse, ref: RefText, number: ChunkNumber) -> Any:
    """One chunk by its place in the ledger."""
    discussion, keys = parse_ref(ref), find_keys(request)
    ledger = queries.get_ledger(discussion, keys)
    require_readable(ledger.report)
    set_last_modified(response, ledger.report)
    return queries.get_chunk(discussion, number, keys)
