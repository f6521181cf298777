from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.messages.storage.base import BaseStorage
from django.test import RequestFactory
from django_htmx.middleware import HtmxDetails

from wilmer_site.lib.htmx import HtmxHttpRequest, done, render_page
from wilmer_site.lib.http import Problem


class Heard(BaseStorage):
    """Keeps messages in a list."""

    def __init__(self, request: Any) -> None:
        super().__init__(request)

    def _get(self, *args: Any, **kwargs: Any) -> tuple[list[Any], bool]:
        return [], True

    def _store(self, messages: Any, response: Any, *args: Any, **kwargs: Any) -> list[Any]:
        return []


def build_request(**headers: str) -> HtmxHttpRequest:
    request: Any = RequestFactory().get("/", headers=headers)
    request.htmx = HtmxDetails(request)
    request._messages = Heard(request)
    return request


HTMX = {"HX-Request": "true"}


@pytest.mark.parametrize(
    ("headers", "is_page"),
    [
        ({}, True),
        (HTMX, False),
        ({**HTMX, "HX-Boosted": "true"}, True),
        ({**HTMX, "HX-History-Restore-Request": "true"}, True),
    ],
)
def test_render_page_gives_the_partial_only_to_a_plain_htmx_request(headers: dict[str, str], is_page: bool) -> None:
    response = render_page(build_request(**headers), "error.html", "error-toast", Problem(409, "c", "m"), status=409)

    assert (b"<html" in response.content) is is_page
    assert response.status_code == 409
    assert "HX-Request" in response["Vary"]


def test_done_redirects_a_plain_browser_and_keeps_the_message() -> None:
    request = build_request()

    response = done(request, "account", event="x-changed", message="Saved.")

    assert (response.status_code, response["Location"]) == (302, "/account/")
    assert [str(message) for message in request._messages._queued_messages] == ["Saved."]  # type: ignore[attr-defined]


def test_done_tells_htmx_by_events() -> None:
    response = done(build_request(**HTMX), "account", event="x-changed", message="Saved – ok.")

    assert response.status_code == 204
    events = json.loads(response["HX-Trigger"])
    assert events == {"x-changed": None, "show-toast": {"text": "Saved – ok.", "level": "success"}}


def test_done_without_events_sends_no_header() -> None:
    assert "HX-Trigger" not in done(build_request(**HTMX), "account")
