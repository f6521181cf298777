"""The first page."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from memory.contexts.home import HomeContext
from memory.queries.jobs import list_open_jobs
from memory.queries.overview import get_overview
from memory.services.pending_imports import list_pending
from wilmer_site.lib.htmx import HtmxHttpRequest, render_page

SHOWN_JOBS = 5


@require_safe
def home(request: HtmxHttpRequest) -> HttpResponse:
    """The folder in use, what is in it, what was written last and what needs a look."""
    context = HomeContext.build(get_overview(), list_open_jobs(SHOWN_JOBS), list_pending()[:SHOWN_JOBS])
    return render_page(request, "memory/home.html", "overview", context)
