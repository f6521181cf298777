"""The answers when something goes wrong outside of our own errors."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string

from wilmer_site.lib.http import Problem, problem_body, problem_response, wants_json


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400: what the browser sent makes no sense, most often a host name that is not allowed; 413: it is too large."""
    if isinstance(exception, RequestDataTooBig):
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 1024**2
        message = f"The request is larger than {limit:,} MB (WILMER_MAX_FILE_MB), so it was not read."
        return problem_response(request, Problem(413, "too-large", message))
    message = (
        "The request could not be read. If you reached the console under another host name, add that name to "
        "WILMER_ALLOWED_HOSTS and start again."
    )
    return problem_response(request, Problem(400, "bad-request", message))


def refused(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403: signed in, but not for this."""
    return problem_response(request, Problem(403, "refused", str(exception) or "You may not do this."))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404: no page at this address, or nothing that it names."""
    told = str(exception) if isinstance(exception.args[0] if exception.args else None, str) else ""
    message = told or f"There is no page at {request.path}. Start from the home page, or search."
    return problem_response(request, Problem(404, "not-found", message))


def broken(request: HttpRequest) -> HttpResponse:
    """500: a mistake of ours. The page asks nothing of the database, which may be what is broken."""
    message = (
        "This is a mistake in the console, not in your data; nothing was half-written. What happened is in its log. "
        "Try again; if it happens again, restart the console."
    )
    problem = Problem(500, "internal", message)
    if wants_json(request):
        return JsonResponse(problem_body(problem), status=500)
    return HttpResponse(render_to_string("wilmer_site/broken.html", {"page": problem}), status=500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    """403: a form that did not come from a page of ours, or from one that is too old."""
    message = (
        "The form you sent has expired or came from another site. Go back, reload the page and send it again. "
        "If this keeps happening, allow cookies for this address."
    )
    return problem_response(request, Problem(403, "csrf", message))


def locked_out(request: HttpRequest, *_: Any) -> HttpResponse:
    """429: too many wrong passwords."""
    minutes = round(settings.AXES_COOLOFF_TIME * 60)
    message = f"Too many wrong passwords for this name. Wait {minutes} minutes, or make a sign-in link on the machine."
    return problem_response(request, Problem(429, "locked-out", message))
