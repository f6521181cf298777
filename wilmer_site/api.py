"""The one API: who may call it, what its errors look like, and which app answers what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError

from wilmer_site.api_auth import SessionOrToken
from wilmer_site.api_docs import ReferencePage
from wilmer_site.lib.errors import WilmerError
from wilmer_site.lib.http import Problem, problem_of, problem_response

VERSION = "1.0.0"

_ROUTERS = (("", "memory.api"), ("", "workflows_app.api"))
"""Prefix and module; a module is mounted when the installation has it."""

_CODES = {401: "unauthenticated", 403: "refused", 404: "not-found", 405: "method-not-allowed", 429: "throttled"}

_auth = SessionOrToken()


def _for_readers(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """The reference and the OpenAPI document, for a browser that is signed in or a program with a token."""

    @wraps(view)
    def guarded(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if _auth(request):
            return view(request, **kwargs)
        if request.path.endswith(".json"):
            return _unauthenticated(request)
        return redirect(f"/sign-in/?next={request.path}")

    return guarded


def _unauthenticated(request: HttpRequest) -> HttpResponse:
    message = "Sign in, or send an API token as Authorization: Bearer … (made on the page Account)."
    response = problem_response(request, Problem(401, "unauthenticated", message))
    response["WWW-Authenticate"] = 'Bearer realm="memory console"'
    return response


api = NinjaAPI(
    title="Memory console",
    version=VERSION,
    description="Everything the pages show and do, for programs. Errors always have the shape ErrorOut.",
    auth=_auth,
    docs=ReferencePage(),
    docs_url="/docs",
    docs_decorator=_for_readers,
    urls_namespace="api",
)


@api.exception_handler(WilmerError)
def _on_wilmer_error(request: HttpRequest, error: WilmerError) -> HttpResponse:
    return problem_response(request, problem_of(error))


@api.exception_handler(ValidationError)
def _on_validation_error(request: HttpRequest, error: ValidationError) -> HttpResponse:
    places = [{"where": _place_of(fault["loc"]), "what": fault["msg"]} for fault in error.errors]
    told = "; ".join(f"{'.'.join(place['where'])}: {place['what']}" for place in places)
    return problem_response(request, Problem(422, "invalid", f"The request is not usable: {told}.", {"places": places}))


def _place_of(parts: Sequence[object]) -> list[str]:
    """Where a fault is for who sends it: without the name that the body or query has among our parameters."""
    place, *path = (str(part) for part in parts)
    is_ours = place in {"body", "query"} and path[:1] in (["body"], ["asked"])
    return [place, *path[is_ours:]]


@api.exception_handler(AuthenticationError)
def _on_unauthenticated(request: HttpRequest, error: AuthenticationError) -> HttpResponse:  # noqa: ARG001
    return _unauthenticated(request)


@api.exception_handler(HttpError)
def _on_http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    code = _CODES.get(error.status_code, "error")
    return problem_response(request, Problem(error.status_code, code, error.message))


@api.exception_handler(Http404)
def _on_missing(request: HttpRequest, error: Http404) -> HttpResponse:
    return problem_response(request, Problem(404, "not-found", str(error) or "There is nothing at this address."))


for _prefix, _module in _ROUTERS:
    if find_spec(_module):
        api.add_router(_prefix, import_module(_module).router)
