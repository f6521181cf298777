from __future__ import annotations

from pathlib import Path

import pytest

from tests.workflows_app.builders import write_workflow
from tests.workflows_app.runs import FIRST, HELLO, finish_run
from wilmer_site.jobs_queue import queue
from workflows_app import jobs
from workflows_app.queries.runs import get_run
from workflows_app.results import RunState
from workflows_app.services.reruns import RerunRequest
from workflows_app.services.runs import RunRequest


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs run where they are started; the connection of the test stays open."""
    monkeypatch.setattr(queue, "_immediate", True)
    monkeypatch.setattr(jobs, "close_old_connections", lambda: None)


def test_start_run_job_hands_the_run_to_a_worker(opened: Path, at_once: None) -> None:
    write_workflow(opened, "Main", FIRST)

    run_id = jobs.start_run_job(RunRequest("ann/Main", messages=HELLO))

    assert get_run(run_id).card.state is RunState.FINISHED


def test_start_rerun_job_hands_the_run_to_a_worker(opened: Path, at_once: None) -> None:
    run_id = jobs.start_rerun_job(finish_run(opened).card.id, RerunRequest(2, "x"))

    assert get_run(run_id).answer == "x+three"


def test_reaping_is_done_every_minute(opened: Path, at_once: None) -> None:
    jobs._reap_task.call_local()
