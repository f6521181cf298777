"""Search in the vector memories of one discussion, or of all of them."""

from __future__ import annotations

from dataclasses import replace

from memory.catalogue.refresh import refresh_catalogue
from memory.catalogue.selection import select_entries
from memory.results import DiscussionFilter, SearchRequest, SearchResult
from memory.stores.vector_search import merge_results, search
from memory.types import DiscussionRef
from memory.wiring import get_discussion_folders, open_vector_database
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.errors import WilmerError


def search_discussion(ref: DiscussionRef, request: SearchRequest) -> SearchResult:
    """What WilmerAI would find, and why; without hits, `state` tells which kind of nothing.

    Raises DiscussionNotFoundError.
    """
    return search(open_vector_database(ref), request, now=utc_now(), discussion=ref)


def search_all(request: SearchRequest, filter: DiscussionFilter | None = None) -> SearchResult:
    """Hits of every discussion that the filter leaves, in one list; what could not be searched is in `problems`."""
    refresh_catalogue()
    entries = select_entries(filter or DiscussionFilter()).filter(has_vector=True).order_by("pk")
    folders, now = get_discussion_folders(), utc_now()
    results, problems = [], []
    for text in entries.values_list("ref", flat=True):
        ref = DiscussionRef.parse(text)
        try:
            results.append(search(open_vector_database(ref, folders=folders), request, now=now, discussion=ref))
        except WilmerError as error:
            problems.append((ref, error.message))
    merged = merge_results(request, results)
    return replace(merged, problems=(*merged.problems, *problems))
