"""Regenerating an encrypted discussion: the key stays in the memory of the process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory.engine.regeneration import Kind, RegenerationRequest
from memory.errors import DiscussionLockedError
from memory.models import Draft, Job
from memory.queries.jobs import JobState, get_draft, get_job, list_drafts
from memory.services.drafts import Decider, accept_draft, edit_draft, reject_drafts
from memory.services.job_keys import borrowed_keys, return_keys
from memory.services.job_running import execute_job
from memory.services.regeneration import plan_regeneration, start_regeneration
from memory.types import DiscussionRef
from memory.wiring import open_discussion
from tests.builders import API_KEY, build_discussion, key_hash_of
from tests.chats import attach, build_chat
from tests.memory.regenerating import chat_texts, open_world
from wilmer_site.lib.paging import PageRequest

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
    assert "kept encrypted with its key" in " ".join(plan_regeneration(ref, REQUEST, KEYS).notes)
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


@pytest.mark.parametrize("kind", [Kind.CHUNKS, Kind.SUMMARY])
def test_no_row_tells_what_a_draft_says(ref: DiscussionRef, kind: Kind) -> None:
    job_id = start_regeneration(ref, RegenerationRequest(kind, 1), KEYS, actor="anna")
    execute_job(job_id)
    edit_draft(job_id, 1, "Clara sowed", KEYS)

    rows = " ".join(str(row) for model in (Job, Draft) for row in model.objects.values())
    assert not [word for word in ("memory of", "aside", "Clara", "Chunk 1", "story") if word in rows]
    draft = get_draft(job_id, 1, KEYS)
    assert (draft.card.new_text, draft.card.is_edited) == ("Clara sowed", True)
    assert "memory of" in draft.model_text
    assert "aside" in str(draft.prompts) or kind is Kind.SUMMARY
    accept_draft(job_id, 1, Decider("anna", KEYS))
    assert not [row for row in Draft.objects.values() if "Clara" in str(row)]


def test_without_the_key_drafts_are_listed_and_say_nothing(ref: DiscussionRef) -> None:
    job_id = start_regeneration(ref, REQUEST, KEYS, actor="anna")
    execute_job(job_id)

    (card,) = list_drafts(job_id, PageRequest(1, 10), {}).items
    assert (card.title, card.old_text, card.new_text, card.is_locked) == ("Draft 1", "", "", True)
    for read in (lambda: get_draft(job_id, 1, {}), lambda: accept_draft(job_id, 1, Decider("anna", {}))):
        with pytest.raises(DiscussionLockedError, match="Unlock"):
            read()
    assert reject_drafts(job_id, [1], Decider("anna", {})) == 1
