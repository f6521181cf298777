"""Regenerating an encrypted discussion: the key stays in the memory of the process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory.engine.regeneration import Kind, RegenerationRequest
from memory.errors import DiscussionLockedError
from memory.models import Draft, Job
from memory.queries.jobs import JobState, get_job
from memory.services.drafts import Decider, accept_draft
from memory.services.job_keys import borrowed_keys, return_keys
from memory.services.job_running import execute_job
from memory.services.regeneration import plan_regeneration, start_regeneration
from memory.types import DiscussionRef
from memory.wiring import open_discussion
from tests.builders import API_KEY, build_discussion, key_hash_of
from tests.chats import attach, build_chat
from tests.memory.regenerating import chat_texts, open_world

pytestmark = pytest.mark.django_db
KEYS = {key_hash_of(API_KEY): API_KEY}
REQUEST = RegenerationRequest(Kind.CHUNKS, 1)


@pytest.fixture
def ref(tmp_path: Path, settings: Any) -> DiscussionRef:
    open_world(tmp_path, settings)
    ref = build_discussion(tmp_path / "Public", "carol", api_key=API_KEY, encrypted=True, chunks=4)
    attach(ref, build_chat(chat_texts()))
    return ref


def test_a_locked_discussion_is_not_made_anew(ref: DiscussionRef) -> None:
    with pytest.raises(DiscussionLockedError, match="Unlock"):
        plan_regeneration(ref, REQUEST, {})


def test_with_its_key_it_is_and_stays_encrypted(ref: DiscussionRef, tmp_path: Path) -> None:
    assert "plain text" in " ".join(plan_regeneration(ref, REQUEST, KEYS).notes)
    job_id = start_regeneration(ref, REQUEST, KEYS, actor="anna")
    assert execute_job(job_id) is JobState.REVIEW

    accept_draft(job_id, 1, Decider("anna", KEYS))

    assert open_discussion(ref, KEYS).read_memories().entries[0].text.startswith("new memory of")
    stored = next((tmp_path / "Public" / "DiscussionIds").rglob("carol/memories.json")).read_bytes()
    assert b"memory" not in stored


def test_a_worker_without_the_key_says_so(ref: DiscussionRef) -> None:
    job_id = start_regeneration(ref, REQUEST, KEYS, actor="anna")
    return_keys(job_id)

    assert execute_job(job_id) is JobState.FAILED
    assert get_job(job_id).card.error_code == "discussion-locked"


def test_the_key_is_in_no_row(ref: DiscussionRef) -> None:
    job_id = start_regeneration(ref, REQUEST, KEYS, actor="anna")
    assert borrowed_keys(job_id) == KEYS
    execute_job(job_id)

    rows = [str(row) for model in (Job, Draft) for row in model.objects.values()]
    assert not [row for row in rows if API_KEY in row]
