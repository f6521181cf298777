"""What every write asks for: a scope, a version, and to be done once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from memory.models import KeptAnswer
from tests.builders import build_discussion
from tests.memory.api.calls import error_of, url

JSON = "application/json"


def stored(public: Path) -> bytes:
    return (public / "DiscussionIds/anna/memories.json").read_bytes()


@pytest.fixture
def chunk_url(public: Path) -> str:
    return url(build_discussion(public), "chunks", 2)


def test_a_token_that_may_only_read_is_refused(public: Path, chunk_url: str, reader: Client) -> None:
    before = stored(public)

    response = reader.patch(chunk_url, {"text": "x"}, content_type=JSON, headers={"If-Match": "*"})

    assert (response.status_code, stored(public)) == (403, before)


def test_without_if_match_it_is_428(public: Path, chunk_url: str, writer: Client) -> None:
    before = stored(public)

    response = writer.patch(chunk_url, {"text": "x"}, content_type=JSON)

    assert (response.status_code, error_of(response)["code"]) == (428, "precondition-required")
    assert stored(public) == before


def test_another_version_is_412_with_both_texts(public: Path, chunk_url: str, writer: Client) -> None:
    before = stored(public)

    response = writer.patch(chunk_url, {"text": "mine"}, content_type=JSON, headers={"If-Match": '"old"'})

    details = error_of(response)["details"]
    assert (response.status_code, stored(public)) == (412, before)
    assert (details["theirs"], details["yours"]) == ("Chunk 2: Anna talked about her garden.", "mine")
    assert writer.get(chunk_url).json()["version"] in details["versions"]


@pytest.mark.parametrize("name", ["etag", "version", "any"])
def test_what_was_read_passes(chunk_url: str, writer: Client, name: str) -> None:
    read = writer.get(chunk_url)
    match = {"etag": read["ETag"], "version": f'"{read.json()["version"]}"', "any": "*"}[name]

    response = writer.patch(chunk_url, {"text": "mine"}, content_type=JSON, headers={"If-Match": match})

    assert (response.status_code, response.json()["is_changed"]) == (200, True)
    assert response["ETag"] == f'"{writer.get(chunk_url).json()["version"]}"'


def test_the_version_of_an_answer_passes_next_time(chunk_url: str, writer: Client) -> None:
    first = writer.patch(chunk_url, {"text": "one"}, content_type=JSON, headers={"If-Match": "*"})

    second = writer.patch(chunk_url, {"text": "two"}, content_type=JSON, headers={"If-Match": first["ETag"]})

    assert (second.status_code, writer.get(chunk_url).json()["text"]) == (200, "two")


def test_dry_run_changes_nothing_and_needs_no_version(public: Path, chunk_url: str, writer: Client) -> None:
    before = stored(public)

    response = writer.patch(f"{chunk_url}?dry_run=true", {"text": "x"}, content_type=JSON)

    assert (response.status_code, response.json()["is_changed"], response.json()["batch"]) == (200, False, None)
    assert stored(public) == before
    assert not (public / "DiscussionIds/.wilmer-console").exists()


def test_dry_run_must_be_true_or_false(chunk_url: str, writer: Client) -> None:
    assert writer.patch(f"{chunk_url}?dry_run=maybe", {"text": "x"}, content_type=JSON).status_code == 422


def test_the_same_key_gives_the_same_answer_once(public: Path, chunk_url: str, writer: Client) -> None:
    headers = {"If-Match": "*", "Idempotency-Key": "k1"}
    first = writer.delete(chunk_url, headers=headers)
    after = stored(public)

    second = writer.delete(chunk_url, headers=headers)

    assert (second.status_code, second.json(), stored(public)) == (200, first.json(), after)
    assert second["Idempotent-Replayed"] == "true"


def test_another_request_under_the_same_key_is_422(public: Path, chunk_url: str, writer: Client) -> None:
    headers = {"If-Match": "*", "Idempotency-Key": "k1"}
    writer.patch(chunk_url, {"text": "one"}, content_type=JSON, headers=headers)

    response = writer.patch(chunk_url, {"text": "two"}, content_type=JSON, headers=headers)

    assert (response.status_code, error_of(response)["code"]) == (422, "idempotency-key-reused")
    assert writer.get(chunk_url).json()["text"] == "one"


def test_an_error_is_not_kept(chunk_url: str, writer: Client) -> None:
    headers = {"If-Match": '"old"', "Idempotency-Key": "k1"}

    assert writer.patch(chunk_url, {"text": "one"}, content_type=JSON, headers=headers).status_code == 412
    assert not KeptAnswer.objects.exists()


def test_a_request_that_is_still_being_answered_is_503(chunk_url: str, writer: Client, person: Any) -> None:
    headers = {"If-Match": "*", "Idempotency-Key": "k1"}
    writer.patch(chunk_url, {"text": "one"}, content_type=JSON, headers=headers)
    KeptAnswer.objects.update(status=0)

    response = writer.patch(chunk_url, {"text": "one"}, content_type=JSON, headers=headers)

    assert (response.status_code, error_of(response)["code"]) == (503, "still-answering")


def test_kept_answers_hold_no_conversation_text(chunk_url: str, writer: Client) -> None:
    writer.patch(chunk_url, {"text": "secret"}, content_type=JSON, headers={"If-Match": "*", "Idempotency-Key": "k"})

    assert "secret" not in KeptAnswer.objects.get().body


def test_read_only_console_refuses(public: Path, chunk_url: str, writer: Client, settings: Any) -> None:
    settings.WILMER_READ_ONLY = True
    before = stored(public)

    response = writer.patch(chunk_url, {"text": "x"}, content_type=JSON, headers={"If-Match": "*"})

    assert (response.status_code, error_of(response)["code"], stored(public)) == (403, "refused", before)


def test_read_only_console_still_tells_what_would_follow(chunk_url: str, writer: Client, settings: Any) -> None:
    settings.WILMER_READ_ONLY = True

    assert writer.patch(f"{chunk_url}?dry_run=1", {"text": "x"}, content_type=JSON).status_code == 200


def test_a_browser_needs_the_csrf_token(chunk_url: str, person: Any) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(person)

    response = browser.patch(chunk_url, {"text": "x"}, content_type=JSON, headers={"If-Match": "*"})

    assert response.status_code == 403


def test_if_none_match_does_not_turn_a_write_into_304(chunk_url: str, writer: Client) -> None:
    etag = writer.get(chunk_url)["ETag"]
    headers = {"If-Match": etag, "If-None-Match": etag}

    assert writer.patch(chunk_url, {"text": "x"}, content_type=JSON, headers=headers).status_code == 200


def test_a_body_that_is_too_large_to_be_held_is_done_once(public: Path, writer: Client, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10
    address = url(build_discussion(public), "transcript")
    body = b'[{"role": "user", "content": "Hello."}]'
    answers = [
        writer.post(address, body, content_type="application/octet-stream", headers={"Idempotency-Key": "k"})
        for _ in range(2)
    ]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[1]["Idempotent-Replayed"] == "true"
