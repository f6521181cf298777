"""The ledger of one discussion."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from memory.contexts.chunks import ChunkDetailContext, ChunkListContext
from memory.forms import parse_list
from memory.queries import chunks, discussions
from memory.queries.coverage import find_coverage
from memory.types import DiscussionRef
from wilmer_site.keyring import keys_of
from wilmer_site.lib.htmx import HtmxHttpRequest, render_page


@require_safe
def chunk_list(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """One page of the ledger, filtered and ordered as the URL says."""
    wanted, keys = parse_list(request.GET), keys_of(request)
    header = discussions.get_header(ref, keys)
    ledger = chunks.get_ledger(ref, keys)
    page = chunks.list_chunks(ref, wanted.page, keys, newest_first=wanted.newest_first, only=wanted.only)
    context = ChunkListContext.build(header, ledger, page, wanted, find_coverage(ref, keys))
    return render_page(request, "memory/chunk_list.html", "chunk-table", context)


@require_safe
def chunk_detail(request: HtmxHttpRequest, ref: DiscussionRef, number: int) -> HttpResponse:
    """One chunk, whole, with the way to its neighbours."""
    keys = keys_of(request)
    header = discussions.get_header(ref, keys)
    chunk = chunks.get_chunk(ref, number, keys)
    context = ChunkDetailContext.build(header, chunks.get_ledger(ref, keys), chunk)
    return render_page(request, "memory/chunk_detail.html", "chunk", context)
