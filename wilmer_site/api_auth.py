"""Who may call the API: a signed-in browser, or a program with a token."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja.errors import AuthorizationError
from ninja.security import HttpBearer
from ninja.utils import check_csrf

from wilmer_site.api_tokens import find_token
from wilmer_site.lib.clock import utc_now
from wilmer_site.models import ApiToken

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class SessionOrToken(HttpBearer):
    """`Authorization: Bearer …` decides when it is sent; otherwise the browser's sign-in does.

    A wrong token never falls back to the sign-in. Other schemes are not ours: a proxy may ask for them. A write by
    sign-in needs the CSRF token (`X-CSRFToken`), a write by token needs the scope `write`. With `is_reading` a POST
    changes nothing and counts as a read.
    """

    def __init__(self, *, is_reading: bool = False) -> None:
        super().__init__()
        self._is_reading = is_reading

    def __call__(self, request: HttpRequest) -> Any | None:
        """The user, or None, which becomes 401."""
        # HttpBearer would log the header of any other scheme, with the secret in it, when DEBUG is on.
        scheme, _, secret = request.headers.get("Authorization", "").strip().partition(" ")
        if scheme.lower() == self.openapi_scheme:
            return self.authenticate(request, secret.strip())
        return self._by_session(request)

    def authenticate(self, request: HttpRequest, token: str) -> Any | None:
        """The owner of a valid token."""
        found = find_token(token, now=utc_now())
        if found is None:
            return None
        if found.scope != ApiToken.Scope.WRITE and self._changes(request):
            raise AuthorizationError(403, "This token may only read. Make one with the scope read and write.")
        request.user = found.user
        return found.user

    def _by_session(self, request: HttpRequest) -> Any | None:
        if not request.user.is_authenticated:
            return None
        if self._changes(request) and check_csrf(request):
            raise AuthorizationError(403, "Send the CSRF token of the page as X-CSRFToken, or use an API token.")
        return request.user

    def _changes(self, request: HttpRequest) -> bool:
        return not self._is_reading and request.method not in SAFE_METHODS
