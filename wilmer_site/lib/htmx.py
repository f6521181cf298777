"""Answers that suit both a plain browser and htmx."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.contrib.messages.storage.base import Message
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render, resolve_url
from django.utils.cache import patch_vary_headers
from django_htmx.http import HttpResponseClientRedirect, HttpResponseClientRefresh
from django_htmx.middleware import HtmxDetails


class HtmxHttpRequest(HttpRequest):
    """A request that went through HtmxMiddleware."""

    htmx: HtmxDetails


def render_page(
    request: HtmxHttpRequest, template: str, partial: str, context: object, *, status: int = 200
) -> HttpResponse:
    """The whole page, or only its partial when htmx asks for a piece of it.

    `context` is given to the template as `page`. A boosted request and one that restores history get the whole
    page, because htmx replaces the whole body with it. The choice of the partial is the view's, never the client's.
    """
    name = f"{template}#{partial}" if partial and wants_fragment(request) else template
    response = render(request, name, {"page": context}, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


@dataclass(frozen=True, slots=True)
class ToastAction:
    """A button in a toast: a POST to an address of ours, such as Undo."""

    label: str
    url: str


def done(
    request: HtmxHttpRequest,
    to: str,
    *args: object,
    event: str = "",
    message: str = "",
    action: ToastAction | None = None,
) -> HttpResponse:
    """The answer to a write that succeeded: 204 and events for htmx, a redirect for a plain browser.

    `to` is a URL name (with `args`) or a path. `event` fires on the body, so that regions refresh themselves;
    `message` becomes a toast either way, with a button for `action`.
    """
    if wants_fragment(request):
        events: dict[str, Any] = {event: None} if event else {}
        if message:
            offered = {"action": {"label": action.label, "url": action.url}} if action else {}
            events["show-toast"] = {"text": message, "level": "success", **offered}
        return trigger(HttpResponse(status=204), events)
    if message:
        _keep_message(request, message, action)
    return HttpResponseRedirect(resolve_url(to, *args))


def leave(request: HtmxHttpRequest, url: str, *, message: str, action: ToastAction | None = None) -> HttpResponse:
    """The answer to a write after which the page is shown anew: the message waits there as a toast.

    Htmx is sent along too, and loads the page again when it is the one that is open.
    """
    _keep_message(request, message, action)
    if not wants_fragment(request):
        return HttpResponseRedirect(url)
    is_open = url.partition("#")[0] == (request.htmx.current_url_abs_path or "").partition("#")[0]
    return HttpResponseClientRefresh() if is_open else HttpResponseClientRedirect(url)


def find_action(message: Message) -> ToastAction | None:
    """The button that a waiting message carries."""
    try:
        label, url = json.loads(message.extra_tags or "")
    except ValueError:
        return None
    return ToastAction(label, url)


def _keep_message(request: HttpRequest, message: str, action: ToastAction | None) -> None:
    messages.success(request, message, extra_tags=json.dumps([action.label, action.url]) if action else "")


def find_referrer(request: HttpRequest) -> str:
    """Path and query of the page of ours that a form was sent from; empty when the browser does not tell."""
    parts = urlsplit(request.headers.get("Referer", ""))
    if parts.netloc != request.get_host():
        return ""
    path = f"{parts.path}?{parts.query}" if parts.query else parts.path
    return path if path.startswith("/") and not path.startswith("//") else ""


def go(request: HttpRequest, to: str, *args: object) -> HttpResponse:
    """Send the reader to another page, also when htmx asked."""
    url = resolve_url(to, *args)
    return HttpResponseClientRedirect(url) if wants_fragment(request) else HttpResponseRedirect(url)


def wants_fragment(request: HttpRequest) -> bool:
    """Whether htmx asks for a piece of a page, rather than for a page."""
    htmx: HtmxDetails | None = getattr(request, "htmx", None)
    return htmx is not None and bool(htmx) and not htmx.boosted and not htmx.history_restore_request


def trigger(response: HttpResponse, events: Mapping[str, Any]) -> HttpResponse:
    """The same response, telling htmx to fire events; ASCII, as headers must be."""
    if events:
        response["HX-Trigger"] = json.dumps(events)
    return response
