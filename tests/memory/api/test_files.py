from __future__ import annotations

import hashlib
from pathlib import Path

from django.test import Client

from memory.types import Artefact
from tests.builders import build_discussion
from tests.memory.api.calls import error_of, url


def test_list_files_has_every_artefact(public: Path, reader: Client) -> None:
    ref = build_discussion(public)

    page = reader.get(url(ref, "files")).json()

    assert [item["artefact"] for item in page["items"]] == [artefact.value for artefact in Artefact]
    assert (page["total"], page["pages"], page["next"]) == (len(Artefact), 1, None)


def test_get_file_has_the_hash_of_its_bytes(public: Path, reader: Client) -> None:
    ref = build_discussion(public)
    data = (public / "DiscussionIds/anna/memories.json").read_bytes()

    file = reader.get(url(ref, "files/memories")).json()

    assert (file["etag"], file["size_bytes"]) == (hashlib.sha256(data).hexdigest(), len(data))


def test_get_file_tells_damage_without_refusing(public: Path, reader: Client) -> None:
    ref = build_discussion(public)
    (public / "DiscussionIds/anna/chat_summary.json").write_text("[\n[")

    file = reader.get(url(ref, "files/chat_summary")).json()

    assert (file["state"], file["problem_line"]) == ("damaged", 2)


def test_get_file_of_unknown_artefact_is_422(public: Path, reader: Client) -> None:
    ref = build_discussion(public)

    response = reader.get(url(ref, "files/passwd"))

    assert response.status_code == 422
    assert "artefact" in str(error_of(response)["details"])


def test_get_raw_file_shows_damage(public: Path, reader: Client) -> None:
    ref = build_discussion(public)
    (public / "DiscussionIds/anna/memories.json").write_bytes(b'[{"text_block": "caf\xe9')

    raw = reader.get(url(ref, "files/memories/raw")).json()

    assert raw["text"] == '[{"text_block": "caf\ufffd'
    assert raw["file"]["state"] == "damaged"
    assert raw["is_cut"] is False


def test_get_raw_file_that_is_absent(public: Path, reader: Client) -> None:
    ref = build_discussion(public)

    response = reader.get(url(ref, "files/vision_responses/raw"))

    assert response.status_code in {200, 404}
    if response.status_code == 200:
        assert (response.json()["text"], response.json()["file"]["state"]) == ("", "absent")
