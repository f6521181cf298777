"""Answers 304 without reading files when nothing changed in a discussion."""

from __future__ import annotations

import functools
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.http import http_date

from memory.api.requests import find_keys, parse_ref
from memory.queries.discussions import find_version
from memory.types import DiscussionRef, FileReport
from wilmer_site.api_auth import SAFE_METHODS
from wilmer_site.lib.etags import ETAG_SLOT, build_etag, is_current, not_modified

ANSWER_FORM = "1"
"""Part of every ETag: raise it when the same files begin to give another answer."""


def versioned(operation: Callable[..., Any]) -> Callable[..., Any]:
    """Give an operation on one discussion an ETag made of the state of its files, the parameters and the lock.

    The version is asked for before anything is read, so an answer is never newer than its ETag promises: a write in
    between only costs the client one more request. Operations without a discussion pass unchanged. A write is let
    through and finds the ETag that reading its address would have given, for If-Match.
    """

    @functools.wraps(operation)
    def answer(request: HttpRequest, **kwargs: Any) -> Any:
        etag = _find_etag(request, kwargs["ref"]) if "ref" in kwargs else None
        if etag and request.method in SAFE_METHODS and is_current(request, etag):
            return not_modified(etag)
        request.META[ETAG_SLOT] = etag
        return operation(request, **kwargs)

    return answer


def list_versions(request: HttpRequest, ref_text: str) -> tuple[str, ...]:
    """What If-Match may name for a discussion as a whole: its version, and the ETag of its own address.

    Empty for a discussion that is not there.
    """
    ref = parse_ref(ref_text)
    version = find_version(ref)
    if version is None:
        return ()
    root = request.path[: request.path.index("/discussions/")]
    return version, build_etag(ANSWER_FORM, version, _find_lock(request, ref), f"{root}/discussions/{ref_text}", "")


def set_last_modified(response: HttpResponse, written: FileReport | datetime | None) -> None:
    """Tell when a file, or the newest of several, was last written; nothing when that is not known."""
    if isinstance(written, FileReport):
        written = datetime.fromtimestamp(written.stat.modified_ns / 1e9, UTC) if written.stat else None
    if written is not None:
        response["Last-Modified"] = http_date(written.timestamp())


def _find_etag(request: HttpRequest, ref_text: str) -> str | None:
    ref = parse_ref(ref_text)
    version = find_version(ref)
    if version is None:
        return None
    lock = _find_lock(request, ref)
    query = request.META.get("QUERY_STRING", "") if request.method in SAFE_METHODS else ""
    return build_etag(ANSWER_FORM, version, lock, request.path, query)


def _find_lock(request: HttpRequest, ref: DiscussionRef) -> str:
    key = find_keys(request).get(ref.key_hash) if ref.key_hash else None
    return "key" if key else "no key"
