"""The vector memories of one discussion. Their database is never encrypted (memory.md W33), so no key is needed."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from memory.contexts.vector_memories import VectorMemoryDetailContext, VectorMemoryListContext
from memory.forms import parse_list
from memory.queries import discussions, vector_memories
from memory.types import DiscussionRef
from wilmer_site.keyring import keys_of
from wilmer_site.lib.htmx import HtmxHttpRequest, render_page


@require_safe
def vector_memory_list(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """One page of the memories, those that contain a text when the URL names one."""
    wanted = parse_list(request.GET)
    header = discussions.get_header(ref, keys_of(request))
    store = vector_memories.get_vector_store(ref)
    page = vector_memories.list_vector_memories(
        ref, wanted.page, contains=wanted.contains, newest_first=wanted.newest_first
    )
    context = VectorMemoryListContext.build(header, store, page, wanted)
    return render_page(request, "memory/vector_memory_list.html", "vector-memory-table", context)


@require_safe
def vector_memory_detail(request: HtmxHttpRequest, ref: DiscussionRef, memory_id: int) -> HttpResponse:
    """One memory with all its metadata."""
    header = discussions.get_header(ref, keys_of(request))
    context = VectorMemoryDetailContext.build(header, vector_memories.get_vector_memory(ref, memory_id))
    return render_page(request, "memory/vector_memory_detail.html", "vector-memory", context)
