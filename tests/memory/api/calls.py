"""Addresses of the API, and what an error looks like."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from django.http import HttpResponse

from memory.types import DiscussionRef

ROOT = "/api/v1"


def url(ref: DiscussionRef | str, *parts: object) -> str:
    text = ref.text if isinstance(ref, DiscussionRef) else ref
    return "/".join([ROOT, "discussions", quote(text, safe=""), *(str(part) for part in parts)])


def error_of(response: HttpResponse) -> dict[str, Any]:
    """The facts of an error, after checking that it has the one shape."""
    body = response.json()
    assert set(body) == {"error"}
    assert set(body["error"]) == {"code", "message", "status", "details"}
    assert body["error"]["status"] == response.status_code
    return dict(body["error"])
