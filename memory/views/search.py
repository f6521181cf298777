"""Search that explains itself, in one discussion or in all."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from memory.contexts.search import SearchContext
from memory.forms import SearchForm
from memory.queries.search import search_all, search_discussion
from memory.results import SearchResult
from wilmer_site.lib.htmx import HtmxHttpRequest, render_page


@require_safe
def search(request: HtmxHttpRequest) -> HttpResponse:
    """The form and, once the URL carries keywords, the answer; bad input keeps the form as typed."""
    form = SearchForm.from_url(request.GET)
    result = _find(form) if form.is_valid() else None
    status = 422 if form.errors else 200
    return render_page(request, "memory/search.html", "search-panel", SearchContext.build(form, result), status=status)


def _find(form: SearchForm) -> SearchResult:
    ref, wanted = form.ref(), form.search_request()
    return search_discussion(ref, wanted) if ref else search_all(wanted)
