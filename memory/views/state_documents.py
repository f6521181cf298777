"""The state document of one discussion."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from memory.contexts.state_documents import StateDocumentDetailContext
from memory.queries import discussions, state_documents
from memory.types import DiscussionRef
from wilmer_site.keyring import keys_of
from wilmer_site.lib.htmx import HtmxHttpRequest, render_page


@require_safe
def state_document_detail(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """The document rendered, raw, and compared with its backup."""
    keys = keys_of(request)
    header = discussions.get_header(ref, keys)
    context = StateDocumentDetailContext.build(header, state_documents.get_state_document(ref, keys))
    return render_page(request, "memory/state_document_detail.html", "state-document", context)
