"""The rolling summary and the state document."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router

from memory.api.guards import require_readable
from memory.api.registration import Reading, reads
from memory.api.requests import RefText, find_keys, parse_ref
from memory.api.validators import set_last_modified, versioned
from memory.queries import chunks, state_documents, summaries
from memory.schemas.memories import StateDocumentSchema, SummarySchema

router = Router()
router.add_decorator(versioned)


@reads(router, "/discussions/{ref}/summary", Reading("summary", "Summary", "Get the rolling summary", SummarySchema))
def get_summary(request: HttpRequest, response: HttpResponse, ref: RefText) -> Any:
    """The rolling summary and how many chunks it covers. Without a summary the text is empty and the link says so."""
    discussion, keys = parse_ref(ref), find_keys(request)
    summary = summaries.get_summary(discussion, keys)
    require_readable(summary.report)
    set_last_modified(response, summary.report)
    return SummarySchema.build(summary, chunks.get_ledger(discussion, keys).report.state)


@reads(
    router,
    "/discussions/{ref}/state-document",
    Reading("state-document", "State document", "Get the state document", StateDocumentSchema),
)
def get_state_document(request: HttpRequest, response: HttpResponse, ref: RefText) -> Any:
    """The state document and the version before the last, as Markdown. An absent one is empty and its file says so."""
    document = state_documents.get_state_document(parse_ref(ref), find_keys(request))
    require_readable(document.report)
    set_last_modified(response, document.report)
    return document
