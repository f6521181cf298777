"""Discussions: the list, and the header of one."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from memory.api.pages import page_object
from memory.api.registration import Reading, reads
from memory.api.requests import RefText, find_keys, parse_ref
from memory.api.validators import set_last_modified, versioned
from memory.queries import discussions as queries
from memory.schemas.asked import DiscussionQuery
from memory.schemas.discussions import DiscussionHeaderSchema, DiscussionPage

router = Router()
router.add_decorator(versioned)

_TAG = "Discussions"


@reads(router, "/discussions", Reading("discussion-list", _TAG, "List discussions", DiscussionPage, is_keyed=False))
def list_discussions(request: HttpRequest, asked: Query[DiscussionQuery]) -> dict[str, Any]:
    """Discussions of the open folder, filtered and sorted, from the catalogue."""
    wanted = asked.discussion_filter()
    page = queries.list_discussions(wanted, asked.page_request())
    return page_object(request, page, chips=queries.count_chips(wanted))


@reads(router, "/discussions/{ref}", Reading("discussion", _TAG, "Get one discussion", DiscussionHeaderSchema))
def get_discussion(request: HttpRequest, response: HttpResponse, ref: RefText) -> Any:
    """One discussion with its files, read fresh from disk. A locked one is told of, not refused."""
    header = queries.get_header(parse_ref(ref), find_keys(request))
    set_last_modified(response, header.card.last_write)
    return header
