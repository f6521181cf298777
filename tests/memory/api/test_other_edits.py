"""Summary, state document, trackers and lost edits by REST."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.test import Client

from memory.types import DiscussionRef
from tests.builders import build_discussion, build_vector_database, hash_of, write_json
from tests.memory.api.calls import error_of, url
from tests.memory.api.editing import JSON, entries, select, send
from tests.memory.chats import attach_chat


@pytest.fixture
def ref(public: Path) -> DiscussionRef:
    return build_discussion(public, chunks=4, summary_up_to=2, condensed_up_to=2)


def test_summary_text_and_link(public: Path, ref: DiscussionRef, writer: Client) -> None:
    etag = writer.get(url(ref, "summary")).json()["file"]["etag"]

    answer = send(writer, "PUT", url(ref, "summary"), {"text": "New.", "covers": 4}, **{"If-Match": etag})

    assert entries(public, "chat_summary") == [{"text_block": "New.", "hash": hash_of("message 4")}]
    assert [item["code"] for item in answer["consequences"]] == ["summary-link-moved", "text-only"]


def test_summary_of_another_version_is_412_with_both_texts(public: Path, ref: DiscussionRef, writer: Client) -> None:
    response = writer.put(url(ref, "summary"), {"text": "mine"}, JSON, headers={"If-Match": '"old"'})

    details = error_of(response)["details"]
    assert (response.status_code, details["theirs"], details["yours"]) == (412, "The story so far.", "mine")


def test_summary_is_deleted(public: Path, ref: DiscussionRef, writer: Client) -> None:
    answer = send(writer, "DELETE", url(ref, "summary"))

    assert not (public / "DiscussionIds/anna/chat_summary.json").exists()
    assert answer["consequences"][0]["numbers"] == {"chunks_fed": 4}
    assert writer.delete(url(ref, "summary"), headers={"If-Match": "*"}).status_code == 404


@pytest.mark.parametrize("covers", [9, -1])
def test_summary_cannot_cover_what_is_not_there(ref: DiscussionRef, writer: Client, covers: int) -> None:
    response = writer.put(url(ref, "summary"), {"text": "x", "covers": covers}, JSON, headers={"If-Match": "*"})

    assert response.status_code in {404, 422}


def test_state_document_and_its_backup(public: Path, ref: DiscussionRef, writer: Client) -> None:
    path = public / "DiscussionIds/anna/state_document.md"
    before = path.read_text()
    etag = writer.get(url(ref, "state-document")).json()["file"]["etag"]

    send(writer, "PUT", url(ref, "state-document"), {"text": "# New"}, **{"If-Match": f'"{etag}"'})
    assert (path.read_text(), path.with_name("state_document.md.bak").read_text()) == ("# New", before)

    send(writer, "POST", url(ref, "state-document", "restore"))
    assert (path.read_text(), path.with_name("state_document.md.bak").read_text()) == (before, "# New")


def test_the_vector_boundary_moves_as_announced(public: Path, writer: Client) -> None:
    ref = build_discussion(public, "anna", memories=None)
    log = ("message 2", "message 4", "message 6")
    build_vector_database(public / "DiscussionIds/anna/vector_memory.db", "anna", log=log)
    attach_chat(ref, 10)
    version = writer.get(url(ref, "trackers")).json()["log_version"]

    tried = writer.put(url(ref, "trackers", "vector") + "?dry_run=true", {"message": 4}, JSON).json()
    done = send(writer, "PUT", url(ref, "trackers", "vector"), {"message": 4}, **{"If-Match": version})

    assert tried["consequences"] == done["consequences"]
    assert done["version"] == writer.get(url(ref, "trackers")).json()["log_version"] != version
    assert select(public, "SELECT count(*) FROM vector_memory_hash_log") == [(2,)]


@pytest.mark.parametrize("body", [{}, {"hash": "0" * 64, "keep": 1}, {"hash": "short"}, {"message": 5}, {"keep": 9}])
def test_an_unclear_boundary_is_422(ref: DiscussionRef, writer: Client, body: dict[str, object]) -> None:
    response = writer.put(url(ref, "trackers", "vector"), body, JSON, headers={"If-Match": "*"})

    assert response.status_code == 422


def test_the_condensation_tracker(public: Path, ref: DiscussionRef, writer: Client) -> None:
    path, held = public / "DiscussionIds/anna/condensation_tracker.json", hash_of("message 2")

    send(writer, "PUT", url(ref, "trackers", "condensation"), {"chunk": 3}, **{"If-Match": held})
    assert json.loads(path.read_text()) == {"lastCondensationHash": hash_of("message 3")}

    send(writer, "DELETE", url(ref, "trackers", "condensation"))
    assert not path.exists()


def test_the_pending_timestamp(public: Path, ref: DiscussionRef, writer: Client) -> None:
    path = public / "DiscussionIds/anna/timestamps.json"
    write_json(path, {"PLACEHOLDER_TIMESTAMP_HASH_0000": "x", "a": "y"})

    send(writer, "DELETE", url(ref, "trackers", "pending-timestamp"))

    assert json.loads(path.read_text()) == {"a": "y"}
    assert writer.delete(url(ref, "trackers", "pending-timestamp")).status_code == 404


def test_f10_an_edit_that_went_is_listed_and_applied_again(public: Path, ref: DiscussionRef, writer: Client) -> None:
    path = public / "DiscussionIds/anna/memories.json"
    stale = path.read_bytes()
    send(writer, "PATCH", url(ref, "chunks", 3), {"text": "mended"})
    path.write_bytes(stale)

    (lost,) = writer.get(url(ref, "lost-edits")).json()["items"]
    send(writer, "PATCH", url(ref, "chunks", lost["number"]), {"text": lost["text"]})

    assert (lost["text"], lost["text_now"]) == ("mended", json.loads(stale)[2]["text_block"])
    assert entries(public)[2]["text_block"] == "mended"
    assert writer.get(url(ref, "lost-edits")).json()["items"] == []
