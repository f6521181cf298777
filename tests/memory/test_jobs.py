"""Regenerations as workers take them up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory import jobs
from memory.engine.regeneration import Kind, RegenerationRequest
from memory.queries.jobs import JobState, get_job
from memory.types import DiscussionRef
from tests.memory.regenerating import MODEL, open_world, start
from wilmer_site.jobs_queue import queue

pytestmark = pytest.mark.django_db(transaction=True)
CHUNK = RegenerationRequest(Kind.CHUNKS, 1)


@pytest.fixture
def ref(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> DiscussionRef:
    """Jobs run where they are started; the connection of the test stays open."""
    monkeypatch.setattr(queue, "_immediate", True)
    monkeypatch.setattr(jobs, "close_old_connections", lambda: None)
    return open_world(tmp_path, settings)


def test_a_started_job_is_handed_to_a_worker(ref: DiscussionRef) -> None:
    job_id = jobs.start_job(ref, CHUNK, {}, actor="anna")

    assert get_job(job_id).card.state is JobState.REVIEW


def test_a_second_start_finds_the_open_job(ref: DiscussionRef) -> None:
    job_id = jobs.start_job(ref, CHUNK, {}, actor="anna")

    found = jobs.start_or_find_job(ref, CHUNK, {}, actor="anna", digest="")

    assert (found.job_id, found.is_new) == (job_id, False)
    assert f"Job {job_id} is open" in found.problem


def test_what_failed_is_handed_over_again(ref: DiscussionRef) -> None:
    MODEL.answer = lambda _: None
    job_id = jobs.start_job(ref, CHUNK, {}, actor="anna")
    MODEL.answer = lambda _: "fine"

    jobs.retry_job(job_id)

    assert get_job(job_id).card.draft_counts == {"ready": 1}


def test_the_reaper_tells_workers_of_what_waits(ref: DiscussionRef, monkeypatch: pytest.MonkeyPatch) -> None:
    job_id = start(ref, Kind.CHUNKS, 1)
    monkeypatch.setattr(jobs.rows, "reap_jobs", lambda: [job_id])

    jobs._reap_task.call_local()

    assert get_job(job_id).card.state is JobState.REVIEW
