"""The web of conformance/WORKFLOWS.md: scripted pages, and no network behind them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workflows_app.errors import WebError
from workflows_app.net.web_client import WebRequest, WebResponse

DEFAULT_HEADERS = {"Content-Type": "text/plain; charset=utf-8"}


class ScriptedWeb:
    """Answers with the page of an address and remembers what it was asked."""

    def __init__(self, pages: Mapping[str, Any]) -> None:
        self._pages = pages
        self.seen: list[dict[str, Any]] = []

    def send(self, request: WebRequest) -> WebResponse:
        asked = {"method": request.method, "url": request.url}
        self.seen.append(asked | {"headers": dict(request.headers) or None, "body": request.body})
        page = self._pages.get(request.url)
        if page is None:
            raise WebError("network disabled")
        body = page.get("body", "").encode()
        limit = request.limit_bytes or len(body)
        return WebResponse(
            page.get("status", 200),
            page.get("reason", "OK"),
            page.get("headers", DEFAULT_HEADERS),
            body[:limit],
            is_cut=len(body) > limit,
        )
