from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from memory import wiring
from memory.types import DiscussionRef
from tests.builders import build_discussion
from tests.memory.api.calls import ROOT, error_of


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, settings: Any) -> None:
    settings.WILMER_STATE_DIR = tmp_path / "state"


def export(client: Client, *refs: str) -> bytes:
    response = client.get(f"{ROOT}/archive", {"ref": refs})
    assert (response.status_code, response["Content-Type"]) == (200, "application/zip")
    return b"".join(response.streaming_content)  # type: ignore[attr-defined]


def upload(client: Client, data: bytes) -> Any:
    return client.post(f"{ROOT}/archives", {"file": SimpleUploadedFile("a.zip", data)})


def test_a_round_trip(writer: Client, public: Path) -> None:
    build_discussion(public)
    response = upload(writer, export(writer, "anna"))
    body = response.json()
    assert (response.status_code, body["items"][0]["exists"]) == (201, True)

    choices = {"choices": [{"number": 0, "new_id": "berta"}, {"number": 0}]}
    done = writer.post(f"{ROOT}/archives/{body['id']}/import", choices, content_type="application/json").json()
    assert (done["imported"], done["refused"][0]["id"]) == (["berta"], "anna")
    assert len(wiring.open_discussion(DiscussionRef.parse("berta")).read_memories().entries) == 3


def test_hostile_archives_are_refused(writer: Client, public: Path) -> None:
    assert error_of(upload(writer, b"x"))["code"] == "archive-refused"


def test_archives_that_are_gone_are_not_found(writer: Client, public: Path) -> None:
    address = f"{ROOT}/archives/{'0' * 32}/import"
    response = writer.post(address, {"choices": [{"number": 0}]}, content_type="application/json")
    assert error_of(response)["code"] == "archive-not-found"


def test_discussions_that_are_not_there_are_not_found(reader: Client, public: Path) -> None:
    assert error_of(reader.get(f"{ROOT}/archive", {"ref": "nobody"}))["code"] == "discussion-not-found"
    assert reader.get(f"{ROOT}/archive").status_code == 422


def test_readers_export_and_import_nothing(reader: Client, public: Path) -> None:
    build_discussion(public)
    assert upload(reader, export(reader, "anna")).status_code == 403


def choose(client: Client, upload_id: str, *choices: dict[str, Any], query: str = "") -> Any:
    address = f"{ROOT}/archives/{upload_id}/import{query}"
    return client.post(address, {"choices": list(choices)}, content_type="application/json")


def has(name: str) -> bool:
    return wiring.get_discussion_folders().look(DiscussionRef.parse(name)) is not None


def test_a_choice_that_is_not_there_imports_nothing(writer: Client, public: Path) -> None:
    build_discussion(public)
    upload_id = upload(writer, export(writer, "anna")).json()["id"]

    response = choose(writer, upload_id, {"number": 0, "new_id": "berta"}, {"number": 7})
    assert (response.status_code, has("berta")) == (422, False)


def test_a_dry_run_imports_nothing(writer: Client, public: Path) -> None:
    build_discussion(public)
    upload_id = upload(writer, export(writer, "anna")).json()["id"]
    wanted = [{"number": 0, "new_id": "berta"}, {"number": 0, "new_id": "berta"}, {"number": 0}]
    body = choose(writer, upload_id, *wanted, {"number": 0, "replace": True}, query="?dry_run=true").json()

    assert (body["imported"], [item["id"] for item in body["refused"]]) == (["berta", "anna"], ["berta", "anna"])
    assert not has("berta")


def test_the_same_upload_again_is_answered_as_before(writer: Client, public: Path) -> None:
    build_discussion(public)
    data, headers = export(writer, "anna"), {"Idempotency-Key": "once"}
    answers = [
        writer.post(f"{ROOT}/archives", {"file": SimpleUploadedFile("a.zip", data)}, headers=headers) for _ in range(2)
    ]
    assert answers[0].json()["id"] == answers[1].json()["id"]
    assert answers[1]["Idempotent-Replayed"] == "true"

    other = writer.post(f"{ROOT}/archives", {"file": SimpleUploadedFile("a.zip", data[:-1])}, headers=headers)
    assert error_of(other)["code"] == "idempotency-key-reused"


def test_archives_over_the_limit_are_refused(writer: Client, public: Path, settings: Any, tmp_path: Path) -> None:
    settings.WILMER_MAX_ARCHIVE_BYTES = 1024
    response = upload(writer, b"x" * 1025)
    assert (response.status_code, error_of(response)["code"]) == (413, "file-too-large")
    assert list((tmp_path / "state/archives").iterdir()) == []


def test_an_archive_is_forgotten(writer: Client, public: Path) -> None:
    build_discussion(public)
    upload_id = upload(writer, export(writer, "anna")).json()["id"]
    address = f"{ROOT}/archives/{upload_id}"
    assert [writer.delete(address).status_code for _ in range(2)] == [204, 404]


def test_refused_archives_are_not_kept(writer: Client, public: Path, tmp_path: Path) -> None:
    upload(writer, b"no archive")
    assert list((tmp_path / "state/archives").iterdir()) == []


def test_head_tells_what_get_would_send(reader: Client, public: Path) -> None:
    build_discussion(public)
    response = reader.head(f"{ROOT}/archive", {"ref": "anna"})
    assert (response.status_code, response["Content-Type"]) == (200, "application/zip")
    assert reader.head(f"{ROOT}/archive", {"ref": "nobody"}).status_code == 404
