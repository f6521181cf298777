"""Answers that suit both a plain browser and htmx."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render, resolve_url
from django.utils.cache import patch_vary_headers
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


def done(request: HtmxHttpRequest, to: str, *args: object, event: str = "", message: str = "") -> HttpResponse:
    """The answer to a write that succeeded: 204 and events for htmx, a redirect for a plain browser.

    `to` is a URL name (with `args`) or a path. `event` fires on the body, so that regions refresh themselves;
    `message` becomes a toast either way.
    """
    if wants_fragment(request):
        events: dict[str, Any] = {event: None} if event else {}
        if message:
            events["show-toast"] = {"text": message, "level": "success"}
        return trigger(HttpResponse(status=204), events)
    if message:
        messages.success(request, message)
    return HttpResponseRedirect(resolve_url(to, *args))


def wants_fragment(request: HttpRequest) -> bool:
    """Whether htmx asks for a piece of a page, rather than for a page."""
    htmx: HtmxDetails | None = getattr(request, "htmx", None)
    return htmx is not None and bool(htmx) and not htmx.boosted and not htmx.history_restore_request


def trigger(response: HttpResponse, events: Mapping[str, Any]) -> HttpResponse:
    """The same response, telling htmx to fire events; ASCII, as headers must be."""
    if events:
        response["HX-Trigger"] = json.dumps(events)
    return response
