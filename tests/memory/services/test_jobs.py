"""Jobs as rows: one for each layer, cancelled, resumed, retried, taken back from workers that died."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from memory.engine.regeneration import Kind
from memory.errors import JobNotFoundError, JobOpenError
from memory.models import Job
from memory.queries.jobs import DraftState, JobFilter, JobState, count_open_jobs, count_states, get_draft, get_job
from memory.queries.jobs import list_jobs as list_cards
from memory.services import jobs
from memory.services.drafts import accept_all, reject_drafts
from memory.services.job_running import execute_job
from memory.services.jobs import (
    MAX_ATTEMPTS,
    cancel_job,
    claim_job,
    delete_job,
    is_cancel_requested,
    reap_jobs,
    renew_lease,
    resume_job,
    retry_job,
)
from memory.types import DiscussionRef
from tests.memory.regenerating import ANNA, MODEL, finish, open_world, start
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.errors import ConflictError, InvalidError, RefusedError, UpstreamError
from wilmer_site.lib.paging import PageRequest

pytestmark = pytest.mark.django_db
LATER = timedelta(minutes=5)


@pytest.fixture
def ref(tmp_path: Path, settings: Any) -> DiscussionRef:
    return open_world(tmp_path, settings)


def test_the_second_click_says_which_job_is_open(ref: DiscussionRef) -> None:
    job_id = start(ref, Kind.CHUNKS, 1)

    with pytest.raises(JobOpenError) as caught:
        start(ref, Kind.EVERYTHING)

    assert caught.value.extra["job"] == job_id


def test_another_layer_may_have_a_job_at_the_same_time(ref: DiscussionRef) -> None:
    start(ref, Kind.CHUNKS, 1)
    start(ref, Kind.SUMMARY)

    assert count_open_jobs() == 2


def test_of_two_workers_one_gets_the_job(ref: DiscussionRef) -> None:
    job_id = start(ref, Kind.CHUNKS, 1)

    assert claim_job(job_id) is not None
    assert claim_job(job_id) is None
    assert execute_job(job_id) is None


def test_nothing_is_started_in_a_read_only_console(ref: DiscussionRef, settings: Any) -> None:
    settings.WILMER_READ_ONLY = True

    with pytest.raises(RefusedError):
        start(ref, Kind.CHUNKS, 1)


def test_a_waiting_job_is_cancelled_at_once_and_resumed(ref: DiscussionRef) -> None:
    job_id = start(ref, Kind.CHUNKS, 1, 2)
    assert cancel_job(job_id) is JobState.CANCELLED
    assert execute_job(job_id) is None

    resume_job(job_id)

    assert execute_job(job_id) is JobState.REVIEW


def test_a_running_job_stops_between_two_calls_and_goes_on_there(ref: DiscussionRef) -> None:
    job_id = start(ref, Kind.CHUNKS, 1, 3)

    def answer(text: str) -> str:
        if "aside 2" in text:
            cancel_job(job_id)
        return f"about {text}"

    MODEL.answer = answer
    assert execute_job(job_id) is JobState.CANCELLED
    assert get_job(job_id).card.draft_counts == {DraftState.READY: 2, DraftState.WAITING: 1}
    asked = len(MODEL.calls)

    resume_job(job_id)

    assert execute_job(job_id) is JobState.REVIEW
    assert len(MODEL.calls) == asked + 1


def test_only_what_failed_is_tried_again(ref: DiscussionRef) -> None:
    MODEL.answer = lambda text: None if "aside 2" in text else "fine"
    job_id = finish(ref, Kind.CHUNKS, 1, 3)
    assert get_draft(job_id, 2, {}).card.state is DraftState.FAILED
    MODEL.answer, MODEL.calls = (lambda _: "fine at last"), []

    retry_job(job_id)
    execute_job(job_id)

    assert MODEL.calls == ["aside 2\nmessage 2"]
    assert accept_all(job_id, ANNA).positions == (1, 2, 3)


def test_a_server_that_does_not_answer_fails_the_job_in_words(ref: DiscussionRef) -> None:
    def answer(_: str) -> str:
        raise UpstreamError("The endpoint did not answer.")

    MODEL.answer = answer
    job_id = finish(ref, Kind.CHUNKS, 1, 4)

    card = get_job(job_id).card
    assert (card.state, card.error) == (JobState.FAILED, "The endpoint did not answer.")
    assert card.draft_counts == {DraftState.FAILED: 3, DraftState.WAITING: 1}
    assert card.can_resume
    assert card.can_retry


def test_a_broken_model_ends_the_job_too(ref: DiscussionRef) -> None:
    MODEL.answer = lambda _: 1 / 0  # type: ignore[return-value]

    card = get_job(finish(ref, Kind.CHUNKS, 1)).card

    assert (card.state, card.error_code) == (JobState.FAILED, "broken")


def test_a_lost_worker_gives_the_job_back(ref: DiscussionRef) -> None:
    job_id = start(ref, Kind.CHUNKS, 1)
    row = claim_job(job_id)
    assert row

    assert reap_jobs(utc_now() + LATER) == [job_id]

    assert get_job(job_id).card.state is JobState.QUEUED
    assert not renew_lease(job_id, row.attempts)
    assert is_cancel_requested(job_id, row.attempts)
    assert execute_job(job_id) is JobState.REVIEW
    assert get_job(job_id).card.attempts == 2


def test_a_job_whose_workers_always_die_is_given_up(ref: DiscussionRef) -> None:
    job_id = start(ref, Kind.CHUNKS, 1)
    for _ in range(MAX_ATTEMPTS):
        claim_job(job_id)
        reap_jobs(utc_now() + LATER)

    card = get_job(job_id).card
    assert (card.state, card.error_code) == (JobState.FAILED, "job-lost")
    resume_job(job_id)
    assert execute_job(job_id) is JobState.REVIEW


def test_jobs_that_wait_for_long_are_handed_over_again(ref: DiscussionRef) -> None:
    job_id = start(ref, Kind.CHUNKS, 1)

    assert reap_jobs() == []
    assert reap_jobs(utc_now() + LATER) == [job_id]
    assert reap_jobs(utc_now() + LATER) == []


def test_the_log_holds_no_conversation(ref: DiscussionRef) -> None:
    job_id = finish(ref, Kind.CHUNKS, 1, 2)
    accept_all(job_id, ANNA)

    log = " ".join(line.text for line in get_job(job_id).log)
    assert "Attempt 1 begins" in log
    assert "aside" not in log


def test_jobs_are_listed_by_state(ref: DiscussionRef) -> None:
    reject_drafts(finish(ref, Kind.CHUNKS, 1), None, ANNA)
    start(ref, Kind.CHUNKS, 2)

    found = list_cards(JobFilter(state=JobState.QUEUED.value), PageRequest())

    assert [card.request.first for card in found.items] == [2]
    assert count_states(JobFilter()) == {"": 2, "queued": 1, "cancelled": 1}


def test_only_a_job_that_is_over_can_be_deleted(ref: DiscussionRef) -> None:
    job_id = start(ref, Kind.CHUNKS, 1)
    with pytest.raises(ConflictError):
        delete_job(job_id)
    cancel_job(job_id)

    delete_job(job_id)

    assert not Job.objects.exists()
    with pytest.raises(JobNotFoundError):
        cancel_job(job_id)


def test_old_jobs_are_forgotten_but_never_open_ones(ref: DiscussionRef, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "KEPT_JOBS", 1)
    for _ in range(3):
        cancel_job(start(ref, Kind.CHUNKS, 1))
    waiting = start(ref, Kind.SUMMARY)

    assert [card.id for card in list_cards(JobFilter(), PageRequest()).items] == [waiting, waiting - 1]


def test_a_cancellation_is_heard_while_a_model_is_silent(ref: DiscussionRef) -> None:
    job_id = start(ref, Kind.CHUNKS, 1, 2)

    def hang(text: str) -> str:
        cancel_job(job_id)
        assert MODEL.watch.is_cancelled()
        raise ConflictError("The run was cancelled.")

    MODEL.answer = hang

    assert execute_job(job_id) is JobState.CANCELLED
    assert get_job(job_id).card.draft_counts == {"waiting": 2}


def test_a_doubt_about_an_answer_stands_beside_the_draft(ref: DiscussionRef) -> None:
    def cut(text: str) -> str:
        MODEL.watch.remark("It was cut off.")
        return "half a sen"

    MODEL.answer = cut

    assert get_draft(finish(ref, Kind.CHUNKS, 1), 1, {}).notes == ("It was cut off.",)


def test_a_job_that_made_nothing_has_failed(ref: DiscussionRef) -> None:
    def fail(text: str) -> str:
        raise UpstreamError("The server is down.")

    MODEL.answer = fail

    card = get_job(finish(ref, Kind.CHUNKS, 1, 2)).card

    assert (card.state, card.error) == (JobState.FAILED, "The server is down.")
    assert card.can_retry


def test_a_job_with_drafts_to_decide_about_is_not_deleted(ref: DiscussionRef) -> None:
    job_id = finish(ref, Kind.CHUNKS, 1)

    with pytest.raises(ConflictError, match="wait for a decision"):
        delete_job(job_id)


def test_a_message_beyond_the_chat_is_no_place_to_begin(ref: DiscussionRef) -> None:
    with pytest.raises(InvalidError, match="There is no message 99; the chat ends with message 11"):
        start(ref, Kind.FROM_MESSAGE, 99)
