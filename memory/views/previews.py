"""The texts that memory nodes would give to a workflow now."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from memory.contexts.previews import PreviewListContext
from memory.forms import PreviewForm
from memory.queries import discussions, previews
from memory.types import DiscussionRef
from wilmer_site.keyring import keys_of
from wilmer_site.lib.htmx import HtmxHttpRequest, render_page


@require_safe
def preview_list(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """One card for each node that reads memory, with its text and its length."""
    keys, form = keys_of(request), PreviewForm.from_url(request.GET)
    header = discussions.get_header(ref, keys)
    found = previews.list_previews(ref, keys, form.preview_request())
    context = PreviewListContext.build(header, found, form)
    return render_page(request, "memory/preview_list.html", "previews", context, status=200 if form.is_valid() else 422)
