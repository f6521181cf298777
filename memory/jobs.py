"""Regenerations that a worker takes up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import close_old_connections, transaction
from huey import crontab

from memory.engine.regeneration import RegenerationRequest
from memory.engine.wording import format_count
from memory.errors import JobOpenError
from memory.results import ApiKeys
from memory.services import jobs as rows
from memory.services.arrivals import delete_old_stagings
from memory.services.job_running import execute_job
from memory.services.journal_size import trim_journal
from memory.services.permission import require_changes_allowed
from memory.services.regeneration import start_regeneration
from memory.services.regeneration_bulk import require_bulk
from memory.services.renaming import finish_renames
from memory.services.transcripts_importing import (
    SMALL_MESSAGES,
    Upload,
    import_chosen,
    is_small,
    read_file,
    work_on_upload,
)
from memory.types import DiscussionRef
from wilmer_site.jobs_queue import queue
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.errors import ConflictError, InvalidError, WilmerError


def start_job(
    ref: DiscussionRef, request: RegenerationRequest, keys: ApiKeys, *, actor: str, digest: str | None = None
) -> int:
    """Note down a regeneration and hand it to the workers; returns its id. Raises as `start_regeneration`."""
    job_id = start_regeneration(ref, request, keys, actor=actor, digest=digest)
    _hand_over(job_id)
    return job_id


@dataclass(frozen=True, slots=True)
class Started:
    """What came of the wish to start a job."""

    job_id: int | None
    """The new job, or the one that is open already; None when there is something to look at first."""
    is_new: bool = False
    problem: str = ""


def start_or_find_job(
    ref: DiscussionRef, request: RegenerationRequest, keys: ApiKeys, *, actor: str, digest: str
) -> Started:
    """As `start_job`, but a second click leads to the job that is open, and a changed plan is told."""
    try:
        return Started(start_job(ref, request, keys, actor=actor, digest=digest), is_new=True)
    except JobOpenError as error:
        return Started(error.extra.get("job"), problem=error.message)
    except (ConflictError, InvalidError) as error:
        return Started(None, problem=error.message)


@dataclass(frozen=True, slots=True)
class StartedMany:
    """What came of the wish to start several jobs."""

    job_ids: tuple[int, ...]
    problems: tuple[tuple[DiscussionRef, str], ...]
    """Discussions that got no job, and why."""

    def describe(self) -> str:
        """For the person who asked for them."""
        told = f"{format_count(len(self.job_ids), 'job')} queued."
        for ref, problem in self.problems[:1]:
            told += f" {format_count(len(self.problems), 'discussion')} left out: {ref.discussion_id}: {problem}"
        return told


def start_jobs(
    wanted: Sequence[tuple[DiscussionRef, str]], request: RegenerationRequest, keys: ApiKeys, *, actor: str
) -> StartedMany:
    """One job for each discussion whose plan is still the one with this digest; the others are told.

    Raises RefusedError in read-only mode, and InvalidError for too many discussions.
    """
    require_changes_allowed()
    require_bulk(len(wanted), request.kind)
    job_ids, problems = [], []
    for ref, digest in wanted:
        try:
            job_ids.append(start_job(ref, request, keys, actor=actor, digest=digest))
        except WilmerError as error:
            problems.append((ref, error.message))
    return StartedMany(tuple(job_ids), tuple(problems))


def resume_job(job_id: int) -> None:
    """Go on with a cancelled or failed job. Raises as `services.jobs.resume_job`."""
    rows.resume_job(job_id)
    _hand_over(job_id)


def retry_job(job_id: int) -> None:
    """Try again what failed. Raises as `services.jobs.retry_job`."""
    rows.retry_job(job_id)
    _hand_over(job_id)


def reap_jobs() -> None:
    """Take back jobs whose worker died, and tell the workers of what waits."""
    for job_id in rows.reap_jobs():
        _hand_over(job_id)


def begin_reading(upload: Upload) -> None:
    """Read a chat file: a small one now, a large one by a worker."""
    if is_small(upload):
        read_file(upload)
    else:
        transaction.on_commit(lambda: _upload_task(upload.id))


def begin_import(upload: Upload, message_count: int, keys: ApiKeys) -> None:
    """Import what was chosen of a chat file: a few messages now, many by a worker."""
    if message_count <= SMALL_MESSAGES:
        import_chosen(upload, keys)
    else:
        transaction.on_commit(lambda: _upload_task(upload.id))


def _hand_over(job_id: int) -> None:
    transaction.on_commit(lambda: _job_task(job_id))


@queue.task()  # type: ignore[untyped-decorator]
def _job_task(job_id: int) -> None:
    """Work on what waits under this id; nothing when it is gone, over or taken."""
    close_old_connections()
    try:
        execute_job(job_id)
    finally:
        close_old_connections()


@queue.task()  # type: ignore[untyped-decorator]
def _upload_task(upload_id: str) -> None:
    """Do what waits to be done with a chat file; nothing when it is gone."""
    close_old_connections()
    try:
        work_on_upload(upload_id)
    finally:
        close_old_connections()


@queue.periodic_task(crontab(minute="*"))  # type: ignore[untyped-decorator]
def _reap_task() -> None:
    """Every minute, see to the jobs and renamings whose process died."""
    close_old_connections()
    try:
        reap_jobs()
        finish_renames()
    finally:
        close_old_connections()


@queue.periodic_task(crontab(minute="17"))  # type: ignore[untyped-decorator]
def _trim_task() -> None:
    """Every hour, keep the history below its limit and remove what killed copies and imports left."""
    close_old_connections()
    try:
        trim_journal(utc_now())
        delete_old_stagings(utc_now())
    finally:
        close_old_connections()
