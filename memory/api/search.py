"""Search in one discussion, or in all of them."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router

from memory.api.guards import require_database, require_index
from memory.api.hits_csv import hits_as_csv
from memory.api.registration import Reading, posts, reads
from memory.api.requests import RefText, parse_ref
from memory.queries import search as queries
from memory.queries.vector_memories import get_vector_store
from memory.results import SearchMode, SearchResult
from memory.schemas.asked import FormatQuery, SearchAllQuery, SearchQuery
from memory.schemas.vectors import SearchSchema
from memory.types import DiscussionRef

router = Router()

_ONE = Reading("search-discussion", "Search", "Search one discussion", SearchSchema, media_type="text/csv")
_ALL = Reading("search", "Search", "Search all discussions", SearchSchema, is_keyed=False, media_type="text/csv")


@reads(router, "/discussions/{ref}/search", _ONE)
def search_discussion(request: HttpRequest, ref: RefText, asked: Query[SearchQuery], form: Query[FormatQuery]) -> Any:
    """Search the vector memories of one discussion as WilmerAI does, and say why each hit was found."""
    return _answer(_search_one(parse_ref(ref), asked), form)


@posts(router, "/discussions/{ref}/search", _ONE)
def post_search_discussion(request: HttpRequest, ref: RefText, asked: SearchQuery, form: Query[FormatQuery]) -> Any:
    """The same for queries too long for a URL; changes nothing."""
    return _answer(_search_one(parse_ref(ref), asked), form)


@reads(router, "/search", _ALL)
def search_all(request: HttpRequest, asked: Query[SearchAllQuery], form: Query[FormatQuery]) -> Any:
    """Search the vector memories of all discussions that pass the filter; those that cannot be read are listed."""
    return _answer(queries.search_all(asked.search_request(), asked.discussion_filter()), form)


@posts(router, "/search", _ALL)
def post_search_all(request: HttpRequest, asked: SearchAllQuery, form: Query[FormatQuery]) -> Any:
    """The same for queries too long for a URL; changes nothing."""
    return _answer(queries.search_all(asked.search_request(), asked.discussion_filter()), form)


def _search_one(ref: DiscussionRef, asked: SearchQuery) -> SearchResult:
    store = get_vector_store(ref)
    if asked.mode is SearchMode.KEYWORD:
        require_index(store)
    require_database(store)
    return queries.search_discussion(ref, asked.search_request())


def _answer(result: SearchResult, form: FormatQuery) -> Any:
    return hits_as_csv(result) if form.format == "csv" else result
