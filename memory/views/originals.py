"""Putting back the chunks that condensation made one of."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from memory.contexts.originals import OriginalsContext
from memory.queries import chunks, discussions
from memory.services.editing import Editor
from memory.services.uncondensing import find_outlook, require_uncondensed
from memory.types import DiscussionRef
from wilmer_site.keyring import keys_of
from wilmer_site.lib.htmx import HtmxHttpRequest, done, render_page


@require_http_methods(["GET", "HEAD", "POST"])
def chunk_originals(request: HtmxHttpRequest, ref: DiscussionRef, number: int) -> HttpResponse:
    """Show what a chunk was condensed from, and put it back."""
    keys = keys_of(request)
    header = discussions.get_header(ref, keys)
    chunks.get_chunk(ref, number, keys)
    editor = Editor(ref, request.user.get_username(), keys)
    if request.method == "POST":
        edited = require_uncondensed(editor, number, version=request.POST.get("version"))
        return done(request, "memory:chunk-detail", ref, number, message=f"{edited.action}.")
    originals, radius, problem = find_outlook(editor, number)
    context = OriginalsContext.build(header, number, originals, (radius, problem))
    return render_page(request, "memory/chunk_originals.html", "originals", context)
