"""Addresses of pages with their state, and of the same things in the REST API."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote, urlencode

from django.urls import reverse

from memory.types import DiscussionRef
from wilmer_site.lib.paging import Page, PageRequest

Parameters = Iterable[tuple[str, object]]


def page_address(name: str, *args: object, parameters: Parameters = ()) -> str:
    """The URL of a page of the memory app; parameters without a value are left out."""
    return with_parameters(reverse(f"memory:{name}", args=args), parameters)


def with_parameters(path: str, parameters: Parameters) -> str:
    """A path and its query; empty texts, None and False are left out, so that plain pages have plain URLs."""
    query = query_string(parameters)
    return f"{path}?{query}" if query else path


def query_string(parameters: Parameters) -> str:
    """The same parameters alone, percent-encoded."""
    given = [(name, value) for name, value in parameters if value != "" and value is not None and value is not False]
    return urlencode([(name, "1" if value is True else value) for name, value in given])


def size_parameter(page: Page[Any]) -> tuple[str, object]:
    """How many items a page has, when it is not the usual number."""
    return "size", "" if page.size == PageRequest().size else page.size


def api_address(*parts: str, parameters: Parameters = ()) -> str:
    """The REST twin: `/api/v1/` and the parts, each percent-encoded."""
    return with_parameters("/api/v1/" + "/".join(quote(part, safe="") for part in parts), parameters)


def discussion_api_address(ref: DiscussionRef, *parts: str, parameters: Parameters = ()) -> str:
    """The REST twin of something inside a discussion."""
    return api_address("discussions", ref.text, *parts, parameters=parameters)
