from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from django.contrib.auth.models import User
from django.test import Client

from tests.builders import build_discussion
from tests.memory.api.calls import ROOT, error_of, url
from wilmer_site.api_tokens import create_token
from wilmer_site.lib.clock import utc_now


def test_nobody_reads_without_sign_in(public: Path) -> None:
    ref = build_discussion(public)

    for path in (f"{ROOT}/overview", f"{ROOT}/discussions", url(ref), url(ref, "chunks"), url("nobody"), url("..")):
        response = Client().get(path)

        assert (response.status_code, error_of(response)["code"]) == (401, "unauthenticated")
        assert "ETag" not in response


def test_nobody_gets_304_without_sign_in(public: Path, reader: Client) -> None:
    ref = build_discussion(public)
    etag = reader.get(url(ref))["ETag"]

    assert Client().get(url(ref), headers={"If-None-Match": etag}).status_code == 401
    assert Client().get(url(ref), headers={"If-None-Match": "*"}).status_code == 401


def test_signed_in_browser_reads(public: Path, person: User) -> None:
    browser = Client()
    browser.force_login(person)

    assert browser.get(f"{ROOT}/overview").status_code == 200


def test_wrong_and_expired_tokens_are_401(public: Path, person: User) -> None:
    _, old = create_token(person, name="old", scope="read", now=utc_now() - timedelta(days=9), days=1)

    for value in ("Bearer wrong", f"Bearer {old}", "Basic cmVhZGVyOng=", "Bearer", ""):
        assert Client().get(f"{ROOT}/overview", headers={"Authorization": value}).status_code == 401


def test_wrong_token_does_not_fall_back_to_the_sign_in(public: Path, person: User) -> None:
    browser = Client(headers={"Authorization": "Bearer wrong"})
    browser.force_login(person)

    assert browser.get(f"{ROOT}/overview").status_code == 401


def test_post_search_needs_only_to_read(public: Path, reader: Client) -> None:
    response = reader.post(f"{ROOT}/search", {"query": "tree"}, content_type="application/json")

    assert response.status_code == 200


def test_post_search_by_sign_in_needs_no_csrf_token_as_it_changes_nothing(public: Path, person: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(person)

    response = browser.post(f"{ROOT}/search", {"query": "tree"}, content_type="application/json")

    assert response.status_code == 200


def test_other_methods_are_405_in_the_one_shape(public: Path, reader: Client) -> None:
    ref = build_discussion(public)

    for method in ("put", "patch", "delete"):
        response = getattr(reader, method)(url(ref, "chunks"))

        assert response.status_code == 405
        assert error_of(response)["code"] == "method-not-allowed"


def test_unknown_address_is_404_in_the_one_shape(public: Path, reader: Client) -> None:
    response = reader.get(f"{ROOT}/nothing/here")

    assert (response.status_code, error_of(response)["code"]) == (404, "not-found")
