"""Who may in, and how an error looks to whoever asked."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django_htmx.http import HttpResponseClientRefresh

from wilmer_site.lib.errors import WilmerError
from wilmer_site.lib.htmx import wants_fragment
from wilmer_site.lib.http import Problem, problem_of, problem_response, wants_json

_NEXT = Callable[[HttpRequest], HttpResponseBase]

_BARE = {
    403: ("refused", "You may not do this with your sign-in."),
    404: ("not-found", "There is nothing at this address. It may have been renamed, deleted or moved to the trash."),
}


class SignInRequired(LoginRequiredMiddleware):
    """Pages need a sign-in; the API asks for itself, so that a token is enough and a refusal is JSON."""

    def process_view(
        self, request: HttpRequest, view_func: Callable[..., HttpResponseBase], view_args: object, view_kwargs: object
    ) -> HttpResponseBase | None:
        """Let the API pass and send everybody else who is not signed in to the sign-in page."""
        if wants_json(request):
            return None
        return super().process_view(request, view_func, view_args, view_kwargs)  # type: ignore[arg-type]

    def handle_no_permission(  # type: ignore[override]
        self, request: HttpRequest, view_func: Callable[..., HttpResponseBase]
    ) -> HttpResponseBase:
        """Htmx reloads the page, which leads to the sign-in, instead of swapping that page into a fragment."""
        if wants_fragment(request):
            return HttpResponseClientRefresh()
        return super().handle_no_permission(request, view_func)


class ErrorPages:
    """Our errors, and Django's bare refusals, as page, toast or JSON."""

    def __init__(self, get_response: _NEXT) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Dress an answer that is a status without an explanation."""
        response = self.get_response(request)
        if response.status_code == 405 and not getattr(response, "is_problem", False):
            return _method_refused(request, response)
        if response.status_code in _BARE and isinstance(response, HttpResponse) and not response.content:
            code, message = _BARE[response.status_code]
            return problem_response(request, Problem(response.status_code, code, message))
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer for an error that a person can understand; everything else is Django's."""
        if isinstance(exception, WilmerError):
            return problem_response(request, problem_of(exception))
        return None


def _method_refused(request: HttpRequest, response: HttpResponseBase) -> HttpResponse:
    allowed = response.headers.get("Allow", "")
    message = f"This address does not answer {request.method}; it answers {allowed or 'other methods'}."
    dressed = problem_response(request, Problem(405, "method-not-allowed", message, {"allowed": allowed}))
    dressed["Allow"] = allowed
    return dressed
