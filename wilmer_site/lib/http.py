"""From an error to an answer: the status, the one JSON shape, the page and the toast."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from wilmer_site.lib import errors
from wilmer_site.lib.htmx import wants_fragment

API_PREFIXES = ("/api/", "/v1/")
"""Below these every error is JSON, whoever asks."""

RETRY_SECONDS = 2
"""What a busy answer suggests to wait."""

_FAMILIES: dict[type[errors.WilmerError], int] = {
    errors.NotFoundError: 404,
    errors.InvalidError: 422,
    errors.TooLargeError: 413,
    errors.RefusedError: 403,
    errors.ConflictError: 409,
    errors.BusyError: 503,
    errors.UpstreamError: 502,
    errors.PreconditionFailedError: 412,
    errors.PreconditionRequiredError: 428,
    errors.StorageError: 507,
}

_TITLES = {
    400: "This request cannot be understood",
    401: "Please sign in",
    403: "Not allowed",
    404: "Not found",
    405: "Not possible this way",
    409: "Somebody else was faster",
    412: "Somebody else was faster",
    413: "Too large",
    422: "This cannot be used as it is",
    428: "Say what you saw",
    429: "Too many attempts",
    500: "Something broke in the console",
    502: "Another server failed",
    503: "Busy at the moment",
    507: "The disk is full",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """An error on its way to a reader, whichever code path raised it."""

    status: int
    code: str
    message: str
    """What went wrong, where, and how to mend it."""
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """A headline for people."""
        return _TITLES.get(self.status, "Something went wrong")


def status_of(error: errors.WilmerError) -> int:
    """The HTTP status of an error, looked up along the bases of its class; 500 outside the families."""
    return next((_FAMILIES[base] for base in type(error).__mro__ if base in _FAMILIES), 500)


def error_body(error: errors.WilmerError) -> dict[str, Any]:
    """The JSON of an error: `{"error": {"code", "message", "status", "details"}}`."""
    return problem_body(problem_of(error))


def problem_of(error: errors.WilmerError) -> Problem:
    """The same facts, ready to be shown."""
    return Problem(status_of(error), error.code, error.message, dict(error.extra))


def problem_body(problem: Problem) -> dict[str, Any]:
    """The one JSON shape of every error."""
    return {
        "error": {
            "code": problem.code,
            "message": problem.message,
            "status": problem.status,
            "details": dict(problem.details),
        }
    }


def problem_response(request: HttpRequest, problem: Problem) -> HttpResponse:
    """A problem as JSON below the API, as a toast for htmx, as a page for everybody else."""
    if wants_json(request):
        response: HttpResponse = JsonResponse(
            problem_body(problem), status=problem.status, json_dumps_params={"default": str}
        )
    elif wants_fragment(request):
        response = render(request, "error.html#error-toast", {"page": problem}, status=problem.status)
        # The reader keeps the page: the answer goes to the messages, not into what was asked for.
        response["HX-Retarget"] = "#messages"
        response["HX-Reswap"] = "beforeend"
    else:
        response = render(request, "error.html", {"page": problem}, status=problem.status)
    if problem.status == 503:
        response["Retry-After"] = str(RETRY_SECONDS)
    # Marks the answer as complete, so that the middleware does not dress it a second time.
    response.is_problem = True  # type: ignore[attr-defined]
    return response


def wants_json(request: HttpRequest) -> bool:
    """Whether the reader is a program."""
    return request.path.startswith(API_PREFIXES)
