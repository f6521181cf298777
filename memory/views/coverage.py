"""The X-ray of a discussion: its chat beside its memory."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from memory.contexts.coverage import CoverageContext, CoveredMessagesContext
from memory.contexts.memory_origins import FoundOrigin, MemoryOriginContext
from memory.forms import parse_page, parse_trouble
from memory.queries import coverage as queries
from memory.queries import discussions
from memory.queries.chunks import get_chunk
from memory.queries.origins import find_origin_evidence
from memory.queries.transcripts import has_transcript, list_messages
from memory.queries.vector_memories import get_vector_memory
from memory.types import DiscussionRef
from wilmer_site.keyring import keys_of
from wilmer_site.lib.htmx import HtmxHttpRequest, render_page
from wilmer_site.lib.paging import slice_page


@require_safe
def coverage_detail(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """How far each layer reaches, what no longer fits, and every chunk with its messages."""
    only, wanted, keys = parse_trouble(request.GET), parse_page(request.GET), keys_of(request)
    header = discussions.get_header(ref, keys)
    coverage = queries.find_coverage(ref, keys)
    page = queries.list_covered(coverage, wanted, only=only) if coverage else None
    context = CoverageContext.build(header, coverage, page, only)
    return render_page(request, "memory/coverage_detail.html", "coverage", context)


@require_safe
def covered_messages(request: HtmxHttpRequest, ref: DiscussionRef, number: int) -> HttpResponse:
    """The messages that one chunk was made from."""
    wanted, keys = parse_page(request.GET), keys_of(request)
    header = discussions.get_header(ref, keys)
    covered = queries.find_covered(ref, number, keys)
    page = queries.page_covered_messages(covered, wanted) if covered else None
    lines = list_messages(ref, page.items[0], page.items[-1] + 1) if page and page.items else ()
    context = CoveredMessagesContext.build(header, get_chunk(ref, number, keys), covered, page, lines)
    return render_page(request, "memory/covered_messages.html", "covered-messages", context)


@require_safe
def memory_origin(request: HtmxHttpRequest, ref: DiscussionRef, memory_id: int) -> HttpResponse:
    """Which messages one vector memory probably came from."""
    keys = keys_of(request)
    header = discussions.get_header(ref, keys)
    found = find_origin_evidence(ref, memory_id, keys)
    memory = get_vector_memory(ref, memory_id)
    shown = None
    if found is not None:
        pages = slice_page(list(range(found.origin.first, found.origin.last + 1)), parse_page(request.GET))
        lines = list_messages(ref, pages.items[0], pages.items[-1] + 1) if pages.items else ()
        shown = FoundOrigin(found.origin, found.evidence, lines, pages)
    context = MemoryOriginContext.build(header, memory, shown, has_chat=has_transcript(ref))
    return render_page(request, "memory/memory_origin.html", "memory-origin", context)
