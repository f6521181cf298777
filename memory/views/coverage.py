"""The X-ray of a discussion: its chat beside its memory."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from memory.contexts.coverage import CoverageContext, CoveredMessagesContext, MemoryOriginContext
from memory.forms import parse_page, parse_trouble
from memory.queries import coverage as queries
from memory.queries import discussions
from memory.queries.origins import find_origin
from memory.queries.transcripts import list_messages
from memory.types import DiscussionRef
from wilmer_site.keyring import keys_of
from wilmer_site.lib.htmx import HtmxHttpRequest, render_page


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
    context = CoveredMessagesContext.build(header, number, covered, page, lines)
    return render_page(request, "memory/covered_messages.html", "covered-messages", context)


@require_safe
def memory_origin(request: HtmxHttpRequest, ref: DiscussionRef, memory_id: int) -> HttpResponse:
    """Which messages one vector memory probably came from."""
    keys = keys_of(request)
    header = discussions.get_header(ref, keys)
    context = MemoryOriginContext.build(header, memory_id, find_origin(ref, memory_id, keys))
    return render_page(request, "memory/memory_origin.html", "memory-origin", context)
