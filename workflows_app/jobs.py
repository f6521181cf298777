"""Runs that a worker takes up."""

from __future__ import annotations

from typing import Any

from django.db import close_old_connections
from huey import crontab

from memory.results import ApiKeys
from wilmer_site.jobs_queue import queue
from workflows_app.services.attempts import AttemptRequest, execute_attempt, reap_stale_attempts, start_attempt
from workflows_app.services.execution import execute_run
from workflows_app.services.reruns import RerunRequest, start_rerun
from workflows_app.services.run_keys import lend_keys
from workflows_app.services.runs import RunRequest, reap_stale_runs, start_run


def start_run_job(request: RunRequest, *, requested_by: Any = None, keys: ApiKeys | None = None) -> int:
    """Note down a run and hand it to the workers; returns its id. Raises as `services.runs.start_run`.

    `keys` open encrypted discussions; only workers of this process get them.
    """
    run_id = start_run(request, requested_by=requested_by)
    lend_keys(run_id, keys or {})
    _run_task(run_id)
    return run_id


def start_rerun_job(
    run_id: int, request: RerunRequest, *, requested_by: Any = None, keys: ApiKeys | None = None
) -> int:
    """The same for a run that begins in the middle of another. Raises as `services.reruns.start_rerun`."""
    new_id = start_rerun(run_id, request, requested_by=requested_by)
    lend_keys(new_id, keys or {})
    _run_task(new_id)
    return new_id


def start_attempt_job(run_id: int, number: int, asked: AttemptRequest, *, requested_by: Any = None) -> int:
    """Note down a try of a node's request and hand it to the workers; returns its number.

    Raises as `services.attempts.start_attempt`.
    """
    attempt = start_attempt(run_id, number, asked, requested_by=requested_by)
    _attempt_task(attempt.pk)
    return attempt.number


@queue.task()  # type: ignore[untyped-decorator]
def _attempt_task(attempt_id: int) -> None:
    """Send what waits under this id; nothing when it is gone, cancelled or taken."""
    close_old_connections()
    try:
        execute_attempt(attempt_id)
    finally:
        close_old_connections()


@queue.task()  # type: ignore[untyped-decorator]
def _run_task(run_id: int) -> None:
    """Run what waits under this id; nothing when it is gone, cancelled or taken."""
    close_old_connections()
    try:
        reap_stale_runs()
        execute_run(run_id)
    finally:
        close_old_connections()


@queue.periodic_task(crontab(minute="*"))  # type: ignore[untyped-decorator]
def _reap_task() -> None:
    """Every minute, fail the runs and attempts whose process died."""
    close_old_connections()
    try:
        reap_stale_runs()
        reap_stale_attempts()
    finally:
        close_old_connections()
