from __future__ import annotations

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from wilmer_site.lib.etags import build_body_etag, build_etag, is_current, mark_private, not_modified

TAG = build_etag("version 1")


def test_build_etag_is_strong_and_keeps_the_borders_of_parts() -> None:
    assert TAG[0] == TAG[-1] == '"'
    assert build_etag("ab", "c") != build_etag("a", "bc")
    assert build_etag("\ud800") != build_etag("\ud801")


def test_build_body_etag_follows_the_bytes() -> None:
    assert build_body_etag(b"a") == build_body_etag(b"a") != build_body_etag(b"b")


@pytest.mark.parametrize("header", [TAG, f"W/{TAG}", f'"x", {TAG}', "*"])
def test_is_current_when_the_client_has_it(header: str) -> None:
    assert is_current(RequestFactory().get("/", headers={"If-None-Match": header}), TAG)


@pytest.mark.parametrize("header", ["", '"x"', TAG.strip('"'), "nonsense"])
def test_is_current_is_false_otherwise(header: str) -> None:
    assert not is_current(RequestFactory().get("/", headers={"If-None-Match": header}), TAG)


def test_not_modified_repeats_the_etag() -> None:
    response = not_modified(TAG)

    assert (response.status_code, response.content, response["ETag"]) == (304, b"", TAG)


def test_mark_private_keeps_other_vary_headers() -> None:
    response = HttpResponse()
    response["Vary"] = "Accept"

    assert mark_private(response)["Vary"] == "Accept, Authorization, Cookie, X-Discussion-Key"
