"""The pages of jobs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from memory.engine.regeneration import Kind
from memory.models import Job
from memory.queries.jobs import get_job
from memory.types import DiscussionRef
from tests.html import HTMX, fetch, fetch_partial, find, texts
from tests.memory.regenerating import MODEL, finish, open_world, read_texts, start


@pytest.fixture
def ref(tmp_path: Path, settings: Any, db: None) -> DiscussionRef:
    return open_world(tmp_path, settings)


def test_an_empty_list_says_what_jobs_are(reader: Client, ref: DiscussionRef) -> None:
    assert "No jobs yet" in fetch(reader, "/jobs/").get_text()


def test_jobs_are_listed_with_their_states(reader: Client, ref: DiscussionRef) -> None:
    finish(ref, Kind.CHUNKS, 1)
    start(ref, Kind.SUMMARY)

    page = fetch(reader, "/jobs/")

    assert texts(page, "tbody td[data-label=What]") == ["Regenerate the summary", "Regenerate chunk 1"]
    assert texts(page, "tbody td[data-label=State]") == ["queued", "needs review"]
    assert find(page, "#job-table").has_attr("hx-trigger")
    assert texts(fetch(reader, "/jobs/?state=queued"), "tbody td[data-label=What]") == ["Regenerate the summary"]


def test_a_wrong_state_is_an_error(reader: Client, ref: DiscussionRef) -> None:
    assert reader.get("/jobs/?state=sleeping").status_code == 422
    assert reader.get("/jobs/99/").status_code == 404


def test_the_bar_counts_open_jobs(reader: Client, ref: DiscussionRef) -> None:
    assert fetch(reader, "/").select(".places-wide .count") == []
    finish(ref, Kind.CHUNKS, 1)

    assert texts(fetch(reader, "/"), ".places-wide .count") == ["1"]


def test_a_page_looks_again_only_while_a_job_is_at_work(reader: Client, ref: DiscussionRef) -> None:
    job_id = start(ref, Kind.CHUNKS, 1)
    assert fetch_partial(reader, f"/jobs/{job_id}/")["hx-trigger"] == "every 2s"
    reader.post(f"/jobs/{job_id}/cancel/")

    assert not fetch_partial(reader, f"/jobs/{job_id}/").has_attr("hx-trigger")


def test_a_job_is_cancelled_resumed_and_deleted(reader: Client, ref: DiscussionRef) -> None:
    job_id = start(ref, Kind.CHUNKS, 1)

    assert reader.post(f"/jobs/{job_id}/cancel/").status_code == 302
    assert "Resume" in fetch(reader, f"/jobs/{job_id}/").get_text()
    reader.post(f"/jobs/{job_id}/resume/")
    assert Job.objects.get().state == "queued"
    assert reader.post(f"/jobs/{job_id}/delete/").status_code == 409
    reader.post(f"/jobs/{job_id}/cancel/")
    reader.post(f"/jobs/{job_id}/delete/")
    assert not Job.objects.exists()


def test_all_drafts_are_accepted_with_one_click(reader: Client, ref: DiscussionRef, tmp_path: Path) -> None:
    job_id = finish(ref, Kind.CHUNKS, 1, 2)

    assert reader.post(f"/jobs/{job_id}/accept/", headers=HTMX).status_code == 204

    assert read_texts(tmp_path / "Public")[:2] == [
        "new memory of aside 1\nmessage 1",
        "new memory of aside 2\nmessage 2",
    ]
    page = fetch(reader, f"/jobs/{job_id}/")
    assert texts(page, "tbody td[data-label=State]") == ["accepted", "accepted"]
    assert "/history/batches/" in str(page)


def test_all_drafts_are_rejected_with_one_click(reader: Client, ref: DiscussionRef) -> None:
    job_id = finish(ref, Kind.CHUNKS, 1, 2)

    reader.post(f"/jobs/{job_id}/reject/")

    assert texts(fetch(reader, "/jobs/"), "tbody td[data-label=State]") == ["rejected"]

    assert texts(fetch(reader, f"/jobs/{job_id}/"), "tbody td[data-label=State]") == ["rejected", "rejected"]


def test_what_failed_is_retried(reader: Client, ref: DiscussionRef) -> None:
    MODEL.answer = lambda _: None
    job_id = finish(ref, Kind.CHUNKS, 1)
    assert "Retry what failed" in fetch(reader, f"/jobs/{job_id}/").get_text()

    reader.post(f"/jobs/{job_id}/retry/")

    assert Job.objects.get().state == "queued"


def test_facts_are_counted(reader: Client, ref: DiscussionRef) -> None:
    MODEL.answer = lambda _: "Bert has 7 gardens."
    page = fetch(reader, f"/jobs/{finish(ref, Kind.CHUNKS, 1)}/")

    assert texts(page, "td[data-label='Facts lost']") != ["–"]
    assert texts(page, "td[data-label=Gained]") == ["2"]


def test_a_read_only_console_decides_nothing(reader: Client, ref: DiscussionRef, settings: Any) -> None:
    job_id = finish(ref, Kind.CHUNKS, 1)
    settings.WILMER_READ_ONLY = True

    for action in ("accept", "reject", "retry", "resume"):
        assert reader.post(f"/jobs/{job_id}/{action}/").status_code in {403, 409}, action
    assert Job.objects.get().state == "review"


def test_a_draft_that_failed_says_why_in_the_list(reader: Client, ref: DiscussionRef) -> None:
    MODEL.answer = lambda text: None if "aside 2" in text else "fine"

    page = fetch(reader, f"/jobs/{finish(ref, Kind.CHUNKS, 1, 2)}/")

    assert texts(page, ".draft-reason") == [
        "The model gave a blank answer, twice. Write the text yourself, or try again."
    ]


def test_a_job_that_was_taken_back_says_so(reader: Client, ref: DiscussionRef) -> None:
    job_id = finish(ref, Kind.CHUNKS, 1)
    reader.post(f"/jobs/{job_id}/accept/")
    batch = get_job(job_id).batches[-1]
    assert "is stored" in find(fetch(reader, f"/jobs/{job_id}/"), "#job").get_text()

    reader.post(f"/discussions/anna/history/batches/{batch}/undo/")

    assert "taken back since" in find(fetch(reader, f"/jobs/{job_id}/"), "#job").get_text()


def test_the_first_page_shows_jobs_that_wait(reader: Client, ref: DiscussionRef) -> None:
    assert fetch(reader, "/").select(".open-jobs") == []
    job_id = finish(ref, Kind.CHUNKS, 1)

    link = find(fetch(reader, "/"), ".open-jobs a")

    assert (link.get_text(), link["href"]) == ("Regenerate chunk 1", f"/jobs/{job_id}/")
