"""Jobs, drafts and regenerations in every state a console can be in: what is refused says so and changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from memory.engine.regeneration import Kind, RegenerationRequest
from memory.models import Draft, Job
from memory.services.job_running import execute_job
from memory.services.regeneration import start_regeneration
from memory.types import DiscussionRef
from tests.builders import API_KEY, build_discussion, key_hash_of
from tests.chats import attach, build_chat
from tests.html import fetch, find, texts
from tests.memory.regenerating import chat_texts, finish, open_world

PAGES = ("", "drafts/1/")
ACTIONS = (
    *("cancel/", "resume/", "retry/", "accept/", "reject/", "delete/"),
    *(f"drafts/1/{name}/" for name in ("accept", "keep", "reject", "compare")),
)
START = "/discussions/anna/regenerate/"
KEYS = {key_hash_of(API_KEY): API_KEY}


@pytest.fixture
def ref(tmp_path: Path, settings: Any, db: None) -> DiscussionRef:
    return open_world(tmp_path, settings)


@pytest.fixture
def job(ref: DiscussionRef) -> str:
    return f"/jobs/{finish(ref, Kind.CHUNKS, 1, 2)}/"


def everything() -> list[Any]:
    return [*Job.objects.values(), *Draft.objects.values()]


@pytest.mark.parametrize("name", [*PAGES, *ACTIONS])
def test_strangers_are_asked_to_sign_in(job: str, name: str) -> None:
    before = everything()
    method = Client().post if name in ACTIONS else Client().get

    assert method(job + name)["Location"].startswith("/sign-in/")
    assert Client().post(START, {"kind": "index"})["Location"].startswith("/sign-in/")
    assert everything() == before


@pytest.mark.parametrize("name", ACTIONS)
def test_actions_want_a_post_and_its_token(job: str, name: str) -> None:
    before, strict = everything(), Client(enforce_csrf_checks=True)
    strict.force_login(User.objects.create(username="reader"))

    assert strict.get(job + name).status_code == 405
    assert strict.post(job + name).status_code == 403
    assert strict.post("/jobs/new/?kind=index", {"start": "a:anna"}).status_code == 403
    assert everything() == before


def test_read_only_pages_can_be_read_and_offer_nothing(reader: Client, job: str, settings: Any) -> None:
    settings.WILMER_READ_ONLY = True
    for name in PAGES:
        assert fetch(reader, job + name).select("main form[method=post] button:not([disabled])") == []
    assert find(fetch(reader, f"{START}?kind=chunks&first=3"), ".btn-primary").has_attr("disabled")


@pytest.mark.parametrize("name", ACTIONS[:-1])
def test_read_only_actions_are_refused(reader: Client, job: str, settings: Any, name: str) -> None:
    before = everything()
    settings.WILMER_READ_ONLY = True

    assert reader.post(job + name, {"text": "other"}).status_code == 403
    assert everything() == before


def damage(ledger: Path) -> None:
    ledger.write_text("[{", encoding="utf-8")


def remove(ledger: Path) -> None:
    ledger.unlink()


def replace_by_folder(ledger: Path) -> None:
    ledger.unlink()
    ledger.mkdir()


@pytest.mark.parametrize("harm", [damage, remove, replace_by_folder])
def test_harmed_files_are_told_of_and_left_alone(
    reader: Client, job: str, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    ledger = tmp_path / "Public" / "DiscussionIds" / "anna" / "memories.json"
    harm(ledger)
    before = ledger.read_bytes() if ledger.is_file() else None

    assert fetch(reader, f"{START}?kind=everything")
    for text in ("one", "two"):
        assert reader.post(f"{job}drafts/1/accept/", {"text": text}).status_code in (409, 422)
        assert reader.get(f"{job}drafts/1/").status_code in (200, 409, 422)
    assert (ledger.read_bytes() if ledger.is_file() else None) == before
    assert fetch(reader, job)


def test_drafts_of_a_locked_discussion_wait_for_its_key(reader: Client, ref: DiscussionRef, tmp_path: Path) -> None:
    locked = build_discussion(tmp_path / "Public", "carol", api_key=API_KEY, encrypted=True, chunks=4)
    attach(locked, build_chat(chat_texts()))
    job_id = start_regeneration(locked, RegenerationRequest(Kind.CHUNKS, 1), KEYS, actor="anna")
    execute_job(job_id)

    page = fetch(reader, f"/jobs/{job_id}/")
    assert texts(page, "tbody a") == ["unlock the discussion"]
    assert fetch(reader, str(find(page, "tbody a")["href"]))
    response = reader.get(f"/jobs/{job_id}/drafts/1/")
    assert (response.status_code, "Unlock the discussion" in response.content.decode()) == (403, True)
    assert reader.post(f"/jobs/{job_id}/accept/").status_code == 403


@pytest.mark.parametrize("name", ["resume/", "retry/"])
def test_only_administrators_may_have_models_asked(job: str, name: str) -> None:
    before, person = everything(), Client()
    person.force_login(User.objects.create(username="ada"))

    refused = [
        person.post(job + name),
        person.post(START, {"kind": "chunks", "first": 1}),
        person.post("/jobs/new/?kind=index", {"start": "a:anna"}),
    ]

    assert [answer.status_code for answer in refused] == [403] * 3
    assert everything() == before
    button = find(fetch(person, f"{START}?kind=chunks&first=3"), ".btn-primary")
    assert (button.has_attr("disabled"), button["title"]) == (True, "Only an administrator may start this.")
