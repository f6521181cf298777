"""`WebFetch` (workflows.md §10.13)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from workflows_app.engine.node import NodeContext, NodeHandler, at_once
from workflows_app.engine.permissions import permissions_of
from workflows_app.errors import AddressRefusedError, WebError
from workflows_app.llm.waiting import wait_for
from workflows_app.net.web_client import WebAccess, WebResponse
from workflows_app.nodes.web.config import FULL, JSON, STRIPPED, FetchSettings, read_settings
from workflows_app.nodes.web.fetching import fetch
from workflows_app.nodes.web.pages import strip_html


class _PageError(WebError):
    """An answer that is an error, or not of the kind that was wanted."""

    def __init__(self, message: str, response: WebResponse) -> None:
        super().__init__(message)
        self.response = response


def web_fetch(context: NodeContext) -> str:
    """The page in the form the node asks for; a failure fails the node or, with `onError: return`, is the result."""
    settings = read_settings(context)
    permissions = permissions_of(context.run)
    client = context.run.facility(WebAccess).client
    try:
        response, url = wait_for(lambda: fetch(settings, permissions, client), context.run.check_cancelled)
        return _format(response, settings, url)
    except (WebError, AddressRefusedError) as error:
        if not settings.returns_errors:
            raise
        return _format_failure(error, settings)


def _format(response: WebResponse, settings: FetchSettings, url: str) -> str:
    text = response.text
    if response.status >= 400:
        side = "Client" if response.status < 500 else "Server"
        raise _PageError(f"{response.status} {side} Error: {response.reason} for url: {url}", response)
    if response.is_cut:
        limit = settings.limit_bytes or len(response.body)
        raise WebError(f"WebFetch response exceeded the {limit}-byte cap (maxResponseBytes).")
    if settings.output_format == FULL:
        return json.dumps({"status_code": response.status, "headers": dict(response.headers), "body": text})
    if settings.output_format == STRIPPED:
        return strip_html(text)
    if settings.output_format != JSON:
        return text
    try:
        return json.dumps(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise _PageError(f"The page is no JSON: {error}", response) from None


def _format_failure(error: WebError | AddressRefusedError, settings: FetchSettings) -> str:
    """The body of the failed answer, else what went wrong; with `full` both."""
    response = error.response if isinstance(error, _PageError) else None
    body = response.text if response else ""
    if settings.output_format == FULL:
        return json.dumps({"error": error.message, **_facts(response)})
    if settings.output_format == STRIPPED:
        body = strip_html(body)
    return body or error.message


def _facts(response: WebResponse | None) -> Mapping[str, Any]:
    if response is None:
        return {"status_code": None, "headers": None, "body": None}
    return {"status_code": response.status, "headers": dict(response.headers), "body": response.text}


HANDLERS: dict[str, NodeHandler] = {"WebFetch": at_once(web_fetch)}
