from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import Http404
from django.test import Client, RequestFactory
from ninja.errors import HttpError, ValidationError
from pytest_django import Settings

from tests.builders import API_KEY, build_discussion
from wilmer_site.api import api
from wilmer_site.api_auth import SessionOrToken
from wilmer_site.api_tokens import create_token
from wilmer_site.lib.errors import BusyError

SCHEMA = "/api/v1/openapi.json"


def bearer(user: User, scope: str = "read") -> dict[str, str]:
    _, secret = create_token(user, name="t", scope=scope, now=datetime.now(UTC) - timedelta(hours=1), days=1)
    return {"Authorization": f"Bearer {secret}"}


def test_api_refuses_strangers_in_the_one_shape(client: Client, db: None) -> None:
    response = client.get(SCHEMA)

    assert response.status_code == 401
    assert response["WWW-Authenticate"].startswith("Bearer")
    assert response.json()["error"]["code"] == "unauthenticated"


def test_api_answers_a_sign_in_and_a_token(signed_in: Client, reader: User) -> None:
    assert signed_in.get(SCHEMA).status_code == 200
    assert Client().get(SCHEMA, headers=bearer(reader)).status_code == 200


def test_wrong_token_never_falls_back_to_the_sign_in(signed_in: Client) -> None:
    assert signed_in.get(SCHEMA, headers={"Authorization": "Bearer wrong"}).status_code == 401


def test_reading_token_may_not_write(rf: RequestFactory, reader: User) -> None:
    with pytest.raises(HttpError, match="only read"):
        SessionOrToken()(rf.post("/api/v1/x", headers=bearer(reader)))

    assert SessionOrToken()(rf.post("/api/v1/x", headers=bearer(reader, "write"))) == reader


def test_write_by_sign_in_needs_the_csrf_token(rf: RequestFactory, reader: User) -> None:
    request = rf.post("/api/v1/x")
    request.user = reader

    with pytest.raises(HttpError, match="CSRF"):
        SessionOrToken()(request)


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (BusyError("Later."), 503, "busy"),
        (HttpError(429, "Slowly."), 429, "throttled"),
        (HttpError(418, "Tea."), 418, "error"),
        (Http404(), 404, "not-found"),
        (ValidationError([{"loc": ("query", "page"), "msg": "too small"}]), 422, "invalid"),
    ],
)
def test_every_error_has_the_one_shape(rf: RequestFactory, error: Exception, status: int, code: str) -> None:
    response = api.on_exception(rf.get("/api/v1/x"), error)

    body: dict[str, Any] = json.loads(response.content)["error"]
    assert (response.status_code, body["code"], body["status"]) == (status, code, status)
    assert set(body) == {"code", "message", "status", "details"}


def test_unknown_address_and_wrong_method_are_json(signed_in: Client) -> None:
    assert signed_in.get("/api/v1/nowhere").json()["error"]["code"] == "not-found"
    response = signed_in.delete("/api/v1/overview")

    assert (response.status_code, response.json()["error"]["code"]) == (405, "method-not-allowed")


def test_token_revoked_in_the_middle_is_401(client: Client, reader: User, monkeypatch: pytest.MonkeyPatch) -> None:
    headers = bearer(reader)
    monkeypatch.setattr("django.db.models.query.QuerySet.update", lambda *_, **__: 0)

    assert client.get(SCHEMA, headers=headers).status_code == 401


@pytest.mark.parametrize("header", ["Basic cHJveHk6c2VjcmV0", "Digest username=x", "Negotiate abc", "nonsense", ""])
def test_other_schemes_fall_through_to_the_sign_in(signed_in: Client, header: str) -> None:
    assert signed_in.get(SCHEMA, headers={"Authorization": header}).status_code == 200
    assert Client().get(SCHEMA, headers={"Authorization": header}).status_code == 401


@pytest.mark.parametrize("header", ["Bearer", "bearer ", "BEARER  wrong"])
def test_bearer_without_a_valid_token_is_401(signed_in: Client, header: str) -> None:
    assert signed_in.get(SCHEMA, headers={"Authorization": header}).status_code == 401


def test_write_behind_a_proxy_with_a_sign_in_of_its_own_needs_the_csrf_token(rf: RequestFactory, reader: User) -> None:
    request = rf.post("/api/v1/x", headers={"Authorization": "Basic cHJveHk6c2VjcmV0"})
    request.user = reader

    with pytest.raises(HttpError, match="CSRF"):
        SessionOrToken()(request)


def test_no_header_is_logged(signed_in: Client, settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    settings.DEBUG = True

    for scheme in ("Basic", "Bearer", "Token"):
        signed_in.get(SCHEMA, headers={"Authorization": f"{scheme} a-secret-of-somebody"})

    assert "a-secret-of-somebody" not in caplog.text


@pytest.mark.parametrize(("owner", "status"), [("admin", 200), ("other", 403)])
def test_token_uses_the_keys_of_a_sign_in_of_the_same_person_alone(
    public: Path, signed_in: Client, owner: str, status: int
) -> None:
    ref = build_discussion(public, api_key=API_KEY, encrypted=True)
    user, _ = User.objects.get_or_create(username=owner)
    chunks = f"/api/v1/discussions/{ref.text}/chunks"
    signed_in.post(f"/discussions/{ref.text}/unlock/", {"api_key": API_KEY})
    assert signed_in.get(chunks).status_code == 200

    assert signed_in.get(chunks, headers=bearer(user)).status_code == status
