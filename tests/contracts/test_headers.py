"""What every answer tells the browser, and what no request gets past."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.builders import build_discussion
from tests.contracts.test_api_contract import OPERATIONS
from tests.contracts.test_urls import each
from wilmer_site.lib.clock import utc_now
from wilmer_site.sign_in_links import create_sign_in_link

SAMPLES = {"ref": "anna", "artefact": "memories", "path": "x"}
CHANGES = [
    operation
    for operation in OPERATIONS
    if operation.values[1] != "get"
    and not str(operation.values[0]).endswith("/search")
    and "/config-checks/" not in str(operation.values[0])
]
"""Searches and checks may be sent as POST, but change nothing."""
ADDRESSES = ["/nowhere/", "/api/v1/overview", "/api/v1/docs", "/api/v1/openapi.json", "/api/v1/x"]


@pytest.fixture
def reader(public: Path, db: None) -> Client:
    """A browser of an administrator that sends no CSRF token, with one discussion in the folder."""
    build_discussion(public, "anna")
    client = Client(raise_request_exception=False, enforce_csrf_checks=True)
    client.force_login(User.objects.create(username="admin", is_staff=True, is_superuser=True))
    return client


def assert_guarded(headers: Any) -> None:
    """Nothing from other hosts, no guessed types, no frames, no addresses told to others."""
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"


@each
def test_page_is_guarded(reader: Client, client: Client, name: str, values: dict[str, object]) -> None:
    address = reverse(name, kwargs=values)

    assert_guarded(reader.get(address).headers)
    assert_guarded(client.get(address).headers)


@pytest.mark.parametrize(
    "address", ["/nowhere/", "/api/v1/overview", "/api/v1/docs", "/api/v1/openapi.json", "/api/v1/x"]
)
def test_answers_besides_the_pages_are_guarded(reader: Client, client: Client, address: str) -> None:
    assert_guarded(reader.get(address).headers)
    assert_guarded(client.get(address).headers)


@each
def test_page_takes_no_post_without_the_csrf_token(reader: Client, name: str, values: dict[str, object]) -> None:
    assert reader.post(reverse(name, kwargs=values), {"username": "admin"}).status_code in {403, 405}


@pytest.mark.parametrize(("path", "method", "facts"), CHANGES)
def test_operation_changes_nothing_without_the_csrf_token(
    reader: Client, path: str, method: str, facts: dict[str, Any]
) -> None:
    numbers = {part["name"]: SAMPLES.get(part["name"], 1) for part in facts.get("parameters", [])}

    response = reader.generic(method.upper(), path.format(**numbers), b"{}", content_type="application/json")

    assert response.status_code == 403


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1@evil", ""])
@pytest.mark.parametrize("address", ["/", "/sign-in/", "/api/v1/overview"])
def test_foreign_host_is_refused(reader: Client, host: str, address: str) -> None:
    response = reader.get(address, headers={"host": host})

    assert response.status_code == 400
    assert host == "" or host not in response.content.decode()


def test_cookies_stay_with_the_server(client: Client, public: Path, db: None) -> None:
    user = User.objects.create(username="admin")

    client.get("/sign-in/")
    client.post(f"/sign-in/link/{create_sign_in_link(user, now=utc_now())}/")

    assert set(client.cookies) == {"sessionid", "csrftoken"}
    assert [cookie["httponly"] for cookie in client.cookies.values()] == [True, True]
    assert [cookie["samesite"] for cookie in client.cookies.values()] == ["Lax", "Lax"]


def test_cookies_travel_over_https_alone_if_asked_for(client: Client, public: Path, settings: Any, db: None) -> None:
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    user = User.objects.create(username="admin")

    client.post(f"/sign-in/link/{create_sign_in_link(user, now=utc_now())}/")

    assert all(cookie["secure"] for cookie in client.cookies.values())
