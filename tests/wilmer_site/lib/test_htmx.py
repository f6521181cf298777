from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.messages.storage.base import BaseStorage
from django.test import RequestFactory
from django_htmx.middleware import HtmxDetails

from wilmer_site.lib.htmx import HtmxHttpRequest, ToastAction, done, find_action, leave, render_page
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


def test_done_offers_a_button_in_the_toast() -> None:
    response = done(build_request(**HTMX), "/", message="Saved.", action=ToastAction("Undo", "/undo/1/"))

    toast = json.loads(response["HX-Trigger"])["show-toast"]
    assert toast["action"] == {"label": "Undo", "url": "/undo/1/"}


def test_leave_keeps_the_message_and_its_button_for_the_next_page() -> None:
    request = build_request()

    response = leave(request, "/list/", message="Saved.", action=ToastAction("Undo", "/undo/1/"))

    (message,) = request._messages._queued_messages  # type: ignore[attr-defined]
    assert (response.status_code, response["Location"]) == (302, "/list/")
    assert find_action(message) == ToastAction("Undo", "/undo/1/")


@pytest.mark.parametrize(
    ("current", "header"),
    [("http://testserver/list/?page=1", "HX-Refresh"), ("http://testserver/other/", "HX-Redirect")],
)
def test_leave_loads_the_page_anew_when_it_is_open(current: str, header: str) -> None:
    response = leave(build_request(**HTMX, **{"HX-Current-URL": current}), "/list/?page=1", message="Saved.")

    assert header in response.headers


def test_a_message_without_a_button_has_none() -> None:
    request = build_request()
    leave(request, "/", message="Saved.")

    assert find_action(request._messages._queued_messages[0]) is None  # type: ignore[attr-defined]
