"""The rolling summary of one discussion."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from memory.contexts.summaries import SummaryDetailContext
from memory.queries import discussions, summaries
from memory.types import DiscussionRef
from wilmer_site.keyring import keys_of
from wilmer_site.lib.htmx import HtmxHttpRequest, render_page


@require_safe
def summary_detail(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """The summary's text and how far it reaches into the ledger."""
    keys = keys_of(request)
    header = discussions.get_header(ref, keys)
    context = SummaryDetailContext.build(header, summaries.get_summary(ref, keys))
    return render_page(request, "memory/summary_detail.html", "summary", context)
