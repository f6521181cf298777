"""After a change: where the reader goes, and the offer to take the change back."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from wilmer_site.lib.htmx import HtmxHttpRequest, done
from workflows_app.configs.kinds import ConfigKind
from workflows_app.contexts.addresses import page_address
from workflows_app.contexts.configs import config_address
from workflows_app.queries.configs import get_kind
from workflows_app.services.config_files import ConfigChange

_KEY = "config-undo"


def find_undo(request: HttpRequest, path: str = "") -> dict[str, str]:
    """The last change of this reader, if it is about this file (or, without a path, about one that is gone)."""
    kept = request.session.get(_KEY) or {}
    return dict(kept) if kept.get("path", None) == path else {}


def forget_undo(request: HttpRequest) -> None:
    """Offer nothing any more."""
    request.session.pop(_KEY, None)


def keep_undo(request: HttpRequest, path: str, change: ConfigChange, words: str) -> None:
    """Offer to take the change back on the page of this file; without a path on the page of all configs."""
    request.session[_KEY] = {"path": path, "token": change.token, "words": words}


def say_saved(request: HtmxHttpRequest, path: str, *, is_changed: bool) -> HttpResponse:
    """Back to the form, saying whether anything was written."""
    forget_undo(request)
    message = "Saved." if is_changed else "Nothing was changed, so nothing was written."
    return done(request, config_address(path), message=message)


def go_on(request: HtmxHttpRequest, change: ConfigChange, words: str, *, is_gone: bool = False) -> HttpResponse:
    """To the file, or to the list when it is gone, with the offer to undo."""
    has_page = not is_gone and get_kind(change.path) is not ConfigKind.WORKFLOW
    keep_undo(request, change.path if has_page else "", change, words)
    return done(request, page_address("config-list") if is_gone else config_address(change.path))
