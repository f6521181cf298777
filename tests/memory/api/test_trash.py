from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from memory.types import DiscussionRef
from tests.builders import build_discussion
from tests.memory.api.calls import ROOT, error_of, url

JSON = "application/json"


@pytest.fixture
def ref(public: Path) -> DiscussionRef:
    return build_discussion(public)


def test_a_discussion_is_deleted_and_put_back(writer: Client, ref: DiscussionRef) -> None:
    name = writer.delete(url(ref)).json()["entry"]["name"]
    assert writer.get(url(ref)).status_code == 404
    assert [item["ref"] for item in writer.get(f"{ROOT}/trash").json()["items"]] == ["anna"]

    assert writer.post(f"{ROOT}/trash/{name}/restore", content_type=JSON).json()["ref"] == "anna"
    assert writer.get(url(ref)).status_code == 200


def test_a_dry_run_deletes_nothing(writer: Client, ref: DiscussionRef) -> None:
    body = writer.delete(f"{url(ref)}?dry_run=true").json()

    assert (body["entry"], len(body["files"])) == (None, 4)
    assert writer.get(url(ref)).status_code == 200


def test_a_deleted_discussion_is_purged(writer: Client, ref: DiscussionRef) -> None:
    name = writer.delete(url(ref)).json()["entry"]["name"]
    tried = writer.delete(f"{ROOT}/trash/{name}?dry_run=true").json()

    assert (tried["files"], writer.delete(f"{ROOT}/trash/{name}").json()) == (4, tried)
    assert error_of(writer.delete(f"{ROOT}/trash/{name}"))["code"] == "trash-not-found"


def test_what_lies_there_is_a_clash(writer: Client, ref: DiscussionRef, public: Path) -> None:
    name = writer.delete(url(ref)).json()["entry"]["name"]
    build_discussion(public)

    response = writer.post(f"{ROOT}/trash/{name}/restore", content_type=JSON)
    assert (response.status_code, error_of(response)["code"]) == (409, "trash-clash")


def test_readers_delete_nothing(reader: Client, ref: DiscussionRef) -> None:
    assert reader.delete(url(ref)).status_code == 403
    assert reader.get(url(ref)).status_code == 200


def test_a_dry_run_puts_nothing_back(writer: Client, ref: DiscussionRef, public: Path) -> None:
    name = writer.delete(url(ref)).json()["entry"]["name"]
    assert writer.post(f"{ROOT}/trash/{name}/restore?dry_run=true").json()["ref"] == "anna"
    assert writer.get(url(ref)).status_code == 404

    build_discussion(public)
    assert writer.post(f"{ROOT}/trash/{name}/restore?dry_run=true").status_code == 409
