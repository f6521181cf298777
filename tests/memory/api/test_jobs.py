"""Making memory anew by REST."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from memory.engine.regeneration import Kind
from memory.models import Job
from memory.services.job_running import execute_job
from memory.types import DiscussionRef
from tests.builders import API_KEY, build_discussion
from tests.chats import attach, build_chat
from tests.memory.api.calls import error_of, url
from tests.memory.regenerating import MODEL, chat_texts, edit_outside, finish, open_world, read_texts
from wilmer_site.api_tokens import create_token
from wilmer_site.lib.clock import utc_now


@pytest.fixture
def ref(tmp_path: Path, settings: Any, db: None) -> DiscussionRef:
    return open_world(tmp_path, settings)


@pytest.fixture
def writer(person: User) -> Client:
    """A program with a token that may write."""
    _, secret = create_token(person, name="writer", scope="write", now=utc_now(), days=1)
    return Client(headers={"Authorization": f"Bearer {secret}"})


def post(client: Client, address: str, body: dict[str, Any] | None = None, **headers: str) -> Any:
    return client.post(address, body or {}, content_type="application/json", headers=headers)


def test_a_dry_run_shows_every_prompt_and_starts_nothing(writer: Client, ref: DiscussionRef) -> None:
    answer = post(writer, url(ref, "regenerations") + "?dry_run=true", {"kind": "chunks", "first": 2})

    assert answer.status_code == 200
    plan = answer.json()["plan"]
    assert (plan["call_count"], plan["endpoints"], plan["drafts"]) == (1, ["Endpoint"], ["Chunk 2, messages 3 to 4"])
    assert plan["calls"][0]["prompts"][0]["prompt"].endswith("Piece: aside 2\nmessage 2")
    assert MODEL.calls == []
    assert not Job.objects.exists()


def test_a_job_is_started_and_the_second_names_it(writer: Client, ref: DiscussionRef) -> None:
    first = post(writer, url(ref, "regenerations"), {"kind": "chunks", "first": 2})
    second = post(writer, url(ref, "regenerations"), {"kind": "everything"})

    assert first.status_code == 201
    assert (second.status_code, error_of(second)["code"]) == (409, "job-open")
    assert error_of(second)["details"]["job"] == first.json()["job"]


def test_the_same_key_starts_one_job(writer: Client, ref: DiscussionRef) -> None:
    answers = [
        post(writer, url(ref, "regenerations"), {"kind": "chunks", "first": 1}, **{"Idempotency-Key": "once"})
        for _ in range(2)
    ]

    assert answers[0].json() == answers[1].json()
    assert Job.objects.count() == 1


def test_a_token_that_may_only_read_starts_nothing(reader: Client, ref: DiscussionRef) -> None:
    assert post(reader, url(ref, "regenerations"), {"kind": "chunks", "first": 1}).status_code == 403
    assert reader.get("/api/v1/jobs").json()["total"] == 0


def test_a_draft_is_read_edited_and_accepted(writer: Client, ref: DiscussionRef, tmp_path: Path) -> None:
    job_id = finish(ref, Kind.CHUNKS, 2)
    draft = writer.get(f"/api/v1/jobs/{job_id}/drafts/1").json()
    assert draft["new_text"] == "new memory of aside 2\nmessage 2"
    assert draft["prompts"][0]["workflow"] == "Remember"

    kept = writer.put(f"/api/v1/jobs/{job_id}/drafts/1", {"text": "edited"}, content_type="application/json")
    answer = post(writer, f"/api/v1/jobs/{job_id}/drafts/1/accept", {"seen": draft["seen"]})

    assert (kept.status_code, answer.status_code) == (200, 200)
    assert (answer.json()["state"], answer.json()["accepted"]) == ("applied", [1])
    assert answer.json()["batch"] in writer.get(f"/api/v1/jobs/{job_id}").json()["batches"]
    assert read_texts(tmp_path / "Public")[1] == "edited"


def test_a_stale_draft_is_409_with_what_is_stored(writer: Client, ref: DiscussionRef, tmp_path: Path) -> None:
    job_id = finish(ref, Kind.CHUNKS, 2)
    edit_outside(tmp_path / "Public", 2, "theirs")

    error = error_of(post(writer, f"/api/v1/jobs/{job_id}/drafts/1/accept"))

    assert (error["code"], error["details"]["theirs"]) == ("draft-stale", "theirs")
    again = post(writer, f"/api/v1/jobs/{job_id}/drafts/1/accept", {"text": "mine", "seen": error["details"]["seen"]})
    assert again.status_code == 200
    assert read_texts(tmp_path / "Public")[1] == "mine"


def test_jobs_are_listed_cancelled_and_deleted(writer: Client, ref: DiscussionRef) -> None:
    job_id = post(writer, url(ref, "regenerations"), {"kind": "chunks", "first": 1}).json()["job"]

    assert post(writer, f"/api/v1/jobs/{job_id}/cancel").json()["state"] == "cancelled"
    assert post(writer, f"/api/v1/jobs/{job_id}/resume").json()["state"] == "queued"
    assert error_of(writer.delete(f"/api/v1/jobs/{job_id}"))["code"] == "conflict"
    post(writer, f"/api/v1/jobs/{job_id}/cancel")
    assert writer.get("/api/v1/jobs?state=cancelled").json()["items"][0]["id"] == job_id
    assert writer.delete(f"/api/v1/jobs/{job_id}").status_code == 204
    assert writer.get(f"/api/v1/jobs/{job_id}").status_code == 404


def test_all_at_once(writer: Client, ref: DiscussionRef) -> None:
    first, second = finish(ref, Kind.CHUNKS, 1, 2), finish(ref, Kind.SUMMARY)

    assert post(writer, f"/api/v1/jobs/{first}/accept").json()["accepted"] == [1, 2]
    assert post(writer, f"/api/v1/jobs/{second}/reject").json()["rejected"] == 1
    drafts = writer.get(f"/api/v1/jobs/{first}/drafts?size=1").json()
    assert (drafts["total"], drafts["items"][0]["state"]) == (2, "accepted")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"kind": "nonsense"}, 422, "invalid"),
        ({"kind": "chunks"}, 422, "invalid"),
        ({"kind": "chunks", "first": 0}, 422, "invalid"),
        ({"kind": "chunks", "first": 2**40}, 422, "invalid"),
        ({"kind": "chunks", "first": 99}, 404, "chunk-not-found"),
        ({"kind": "embed"}, 422, "invalid"),
    ],
)
def test_what_cannot_be_made_is_refused(
    writer: Client, ref: DiscussionRef, body: dict[str, Any], status: int, code: str
) -> None:
    answer = post(writer, url(ref, "regenerations"), body)

    assert (answer.status_code, error_of(answer)["code"]) == (status, code)


def test_without_a_chat_the_code_says_so(writer: Client, tmp_path: Path, settings: Any) -> None:
    ref = open_world(tmp_path, settings, has_chat=False)

    assert error_of(post(writer, url(ref, "regenerations"), {"kind": "everything"}))["code"] == "transcript-missing"


def test_single_chunks_are_picked(writer: Client, ref: DiscussionRef) -> None:
    plan = post(writer, url(ref, "regenerations") + "?dry_run=true", {"kind": "chunks", "picked": [3, 1, 3]}).json()[
        "plan"
    ]

    assert plan["drafts"] == ["Chunk 1, messages 1 to 2", "Chunk 3, messages 5 to 6"]
    refused = post(writer, url(ref, "regenerations"), {"kind": "summary", "picked": [1]})
    assert refused.status_code == 422


def test_a_draft_is_accepted_without_a_body(writer: Client, ref: DiscussionRef) -> None:
    job_id = finish(ref, Kind.CHUNKS, 2)

    answer = writer.post(f"/api/v1/jobs/{job_id}/drafts/1/accept", "", content_type="application/json")

    assert answer.status_code == 200


def test_a_fault_names_the_field_as_it_was_sent(writer: Client, ref: DiscussionRef) -> None:
    fault = error_of(post(writer, url(ref, "regenerations"), {"kind": "chunks", "first": "x"}))

    assert "body.first:" in fault["message"]
    assert fault["details"]["places"][0]["where"] == ["body", "first"]


def test_drafts_of_an_encrypted_discussion_need_its_key(writer: Client, ref: DiscussionRef, tmp_path: Path) -> None:
    locked = build_discussion(tmp_path / "Public", "carol", api_key=API_KEY, encrypted=True, chunks=4)
    attach(locked, build_chat(chat_texts()))
    key = {"X-Discussion-Key": API_KEY}
    job_id = post(writer, url(locked, "regenerations"), {"kind": "chunks", "first": 1}, **key).json()["job"]
    execute_job(job_id)
    job = f"/api/v1/jobs/{job_id}"

    assert error_of(writer.get(f"{job}/drafts/1"))["code"] == "discussion-locked"
    assert writer.get(f"{job}/drafts").json()["items"][0]["new_text"] == ""
    assert writer.get(f"{job}/drafts/1", headers=key).json()["new_text"].startswith("new memory of")
    assert post(writer, f"{job}/drafts/1/accept", {}, **key).status_code == 200


def test_only_the_token_of_an_administrator_starts_a_job(ref: DiscussionRef, writer: Client, person: User) -> None:
    person.is_staff = False
    person.save()

    answer = post(writer, url(ref, "regenerations"), {"kind": "chunks", "first": 1})

    assert answer.status_code == 403
    assert "administrator" in error_of(answer)["message"]
    assert not Job.objects.exists()
