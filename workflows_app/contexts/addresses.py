"""Addresses of pages with their state, and of the same things in the REST API."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote, urlencode

from django.urls import reverse

from memory.types import DiscussionRef
from wilmer_site.lib.ids import is_plain_name

Parameters = Iterable[tuple[str, object]]


def page_address(name: str, *args: object, parameters: Parameters = ()) -> str:
    """The URL of a page of this app; parameters without a value are left out."""
    path, query = reverse(f"workflows:{name}", args=args), query_string(parameters)
    return f"{path}?{query}" if query else path


def query_string(parameters: Parameters) -> str:
    """Parameters that have a value, percent-encoded."""
    return urlencode([(name, value) for name, value in parameters if value not in ("", None, False)])


def api_address(*parts: object, parameters: Parameters = ()) -> str:
    """The REST twin: `/api/v1/` and the parts."""
    path = "/api/v1/" + "/".join(quote(str(part)) for part in parts)
    query = query_string(parameters)
    return f"{path}?{query}" if query else path


def find_discussion_address(text: str) -> str:
    """The page of a discussion named by `DiscussionRef.text`; empty for none and for an impossible name."""
    ref = DiscussionRef.parse(text)
    is_usable = all(is_plain_name(name) for name in (ref.discussion_id, ref.key_hash or ref.discussion_id))
    return reverse("memory:discussion-detail", args=[ref]) if is_usable else ""
