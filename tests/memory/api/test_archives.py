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
