"""How a reading operation is put on a router: GET and HEAD, ETag, documented errors."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router
from ninja.decorators import decorate_view

from wilmer_site.api_auth import SessionOrToken
from wilmer_site.api_schemas import ErrorOut
from wilmer_site.lib.etags import ETAG_SLOT, build_body_etag, is_current, mark_private, not_modified

ERRORS = {401: ErrorOut, 403: ErrorOut, 422: ErrorOut, 503: ErrorOut}
"""What every operation may answer: not signed in, refused, bad parameters, busy."""

DISCUSSION_ERRORS = {**ERRORS, 404: ErrorOut, 413: ErrorOut}
"""What an operation on one discussion may answer besides: no such thing, file too large."""

_HEADERS = {
    "ETag": {"description": "Changes with the answer.", "schema": {"type": "string"}},
    "Last-Modified": {
        "description": "When the file was last written, where one file is told of.",
        "schema": {"type": "string"},
    },
}
KEY_PARAMETER = {
    "name": "X-Discussion-Key",
    "in": "header",
    "required": False,
    "description": "The API key of an encrypted discussion. Without it, the keys unlocked during this sign-in count.",
    "schema": {"type": "string"},
}

Operation = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Reading:
    """How one operation is named and documented."""

    url_name: str
    tag: str
    summary: str
    response: Any
    is_keyed: bool = True
    """Whether it is about one discussion, so that a key may be needed and the discussion may be missing."""
    media_type: str = ""
    """Another form besides JSON that the answer may have."""


def reads(router: Router, path: str, reading: Reading) -> Callable[[Operation], Operation]:
    """Register an operation for GET, and for HEAD without listing it twice; answers carry an ETag."""

    def register(operation: Operation) -> Operation:
        decorate_view(conditional)(operation)
        for method, is_listed in (("GET", True), ("HEAD", False)):
            router.api_operation(
                [method],
                path,
                response={200: reading.response, 304: None, **_errors(reading)},
                url_name=reading.url_name,
                operation_id=reading.url_name.replace("-", "_"),
                tags=[reading.tag],
                summary=reading.summary,
                include_in_schema=is_listed,
                openapi_extra=_extra(reading),
            )(operation)
        return operation

    return register


def posts(router: Router, path: str, reading: Reading) -> Callable[[Operation], Operation]:
    """Register a reading operation whose parameters come in the body. A token that may only read is enough."""

    def register(operation: Operation) -> Operation:
        decorate_view(private)(operation)
        return router.api_operation(
            ["POST"],
            path,
            auth=SessionOrToken(is_reading=True),
            response={200: reading.response, 400: ErrorOut, **_errors(reading)},
            url_name=reading.url_name,
            operation_id="post_" + reading.url_name.replace("-", "_"),
            tags=[reading.tag],
            summary=f"{reading.summary} (long queries)",
            openapi_extra=_extra(reading),
        )(operation)

    return register


def private(run: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Keep answers out of shared caches."""

    @functools.wraps(run)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return mark_private(run(request, *args, **kwargs))

    return answer


def conditional(run: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give a success an ETag, of its bytes unless the operation gave one; answer 304 when the client has it."""

    @functools.wraps(run)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = mark_private(run(request, *args, **kwargs))
        if response.status_code == 200:
            response["ETag"] = request.META.get(ETAG_SLOT) or build_body_etag(response.content)
            if is_current(request, response["ETag"]):
                return not_modified(response["ETag"])
        if request.method == "HEAD":
            # The length is what GET would send; not every server in front drops the body itself.
            response["Content-Length"] = str(len(response.content))
            response.content = b""
        return response

    return answer


def _errors(reading: Reading) -> dict[int, Any]:
    return dict(DISCUSSION_ERRORS if reading.is_keyed else ERRORS)


def _extra(reading: Reading) -> dict[str, Any]:
    answer: dict[str, Any] = {"headers": _HEADERS}
    if reading.media_type:
        answer["content"] = {reading.media_type: {"schema": {"type": "string"}}}
    extra: dict[str, Any] = {"responses": {200: answer}}
    if reading.is_keyed:
        extra["parameters"] = [KEY_PARAMETER]
    return extra
