"""Entity tags: answers that a client already has are not sent again."""

from __future__ import annotations

import hashlib

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags

ETAG_SLOT = "wilmer.etag"
"""Where in `request.META` an operation leaves the ETag of its answer, when it knows one without the bytes."""

VARY_ON = ("Authorization", "Cookie", "X-Discussion-Key")
"""Request headers that decide what may be seen."""


def build_etag(*parts: str) -> str:
    """A strong ETag, quoted, that changes when any part changes.

    Parts keep their borders: `("ab", "c")` and `("a", "bc")` differ.

    >>> build_etag("a") == build_etag("a"), build_etag("ab", "c") == build_etag("a", "bc")
    (True, False)
    """
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return f'"{digest.hexdigest()[:40]}"'


def build_body_etag(body: bytes) -> str:
    """A strong ETag of the bytes of an answer, quoted."""
    return f'"{hashlib.sha256(body).hexdigest()[:40]}"'


def is_current(request: HttpRequest, etag: str) -> bool:
    """Whether the client named this ETag in If-None-Match (RFC 9110 §13.1.2; weak tags compare equal).

    If-Modified-Since is left out on purpose: its seconds are too coarse to notice two writes in one of them.
    """
    given = request.headers.get("If-None-Match", "")
    if not given:
        return False
    tags = parse_etags(given)
    return tags == ["*"] or etag in {tag.removeprefix("W/") for tag in tags}


def not_modified(etag: str) -> HttpResponse:
    """An empty 304 that repeats the ETag."""
    response = HttpResponseNotModified()
    response["ETag"] = etag
    return mark_private(response)


def mark_private(response: HttpResponse) -> HttpResponse:
    """Forbid shared caches to keep an answer, and private ones to use it without asking."""
    response["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, VARY_ON)
    return response
