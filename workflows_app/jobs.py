"""Runs that a worker takes up."""

from __future__ import annotations

from typing import Any

from django.db import close_old_connections
from huey import crontab

from wilmer_site.jobs_queue import queue
from workflows_app.services.execution import execute_run
from workflows_app.services.reruns import RerunRequest, start_rerun
from workflows_app.services.runs import RunRequest, reap_stale_runs, start_run


def start_run_job(request: RunRequest, *, requested_by: Any = None) -> int:
    """Note down a run and hand it to the workers; returns its id. Raises as `services.runs.start_run`."""
    run_id = start_run(request, requested_by=requested_by)
    _run_task(run_id)
    return run_id


def start_rerun_job(run_id: int, request: RerunRequest, *, requested_by: Any = None) -> int:
    """The same for a run that begins in the middle of another. Raises as `services.reruns.start_rerun`."""
    new_id = start_rerun(run_id, request, requested_by=requested_by)
    _run_task(new_id)
    return new_id


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
    """Every minute, fail the runs whose process died."""
    close_old_connections()
    try:
        reap_stale_runs()
    finally:
        close_old_connections()
