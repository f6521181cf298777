"""Pages of lists as the API gives them."""

from __future__ import annotations

from typing import Any, TypeVar

from django.http import HttpRequest
from django.utils.encoding import escape_uri_path

from wilmer_site.lib.paging import Page

T = TypeVar("T")


def page_object(request: HttpRequest, page: Page[T], **more: Any) -> dict[str, Any]:
    """`items`, `total`, `page`, `size`, `pages`, `next` and `previous`, and whatever else the list tells.

    `next` and `previous` are path and query of the same list; after the end, `previous` is the last page.
    """
    pages = page.count_pages
    return {
        "items": page.items,
        "total": page.total,
        "page": page.number,
        "size": page.size,
        "pages": pages,
        "next": _link(request, page.number + 1) if page.has_next else None,
        "previous": _link(request, min(page.number - 1, pages)) if page.has_previous else None,
        **more,
    }


def whole_list(items: list[T]) -> Page[T]:
    """A short list that is given as one page."""
    return Page(items, len(items), 1, max(1, len(items)))


def _link(request: HttpRequest, number: int) -> str:
    query = request.GET.copy()
    query["page"] = str(number)
    return f"{escape_uri_path(request.path)}?{query.urlencode()}"
