"""Jobs as rows: noted down, taken up by one worker, heard of, cancelled, taken up again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q

from memory.engine.regeneration import DraftSpec, RegenerationRequest
from memory.errors import JobNotFoundError, JobOpenError
from memory.models import Draft, Job
from memory.queries.draft_rows import IS_SEALED, UNSEALED, Seal
from memory.queries.jobs import UNDECIDED, find_open_job
from memory.queries.transcripts import folder_key, storable
from memory.services.job_keys import return_keys
from memory.services.permission import require_changes_allowed
from memory.types import DiscussionRef
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.errors import ConflictError

State = Job.State
LEASE = timedelta(seconds=60)
"""A worker that was not heard of for so long has died."""
MAX_ATTEMPTS = 3
WAITING_TOO_LONG = timedelta(seconds=90)
"""After that a queued job is handed to the workers again: the queue may have lost it."""
MAX_LOG_LINES = 200
KEPT_JOBS = 300
"""Jobs that are over and still shown."""
LOST = "The process that worked on this died or was stopped {attempts} times. What was finished is kept; resume it."


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job to be noted down."""

    ref: DiscussionRef
    request: RegenerationRequest
    specs: Sequence[DraftSpec]
    call_count: int
    requested_by: str = ""
    seal: Seal = UNSEALED
    """Encrypts the drafts of an encrypted discussion."""


def create_job(new: NewJob) -> int:
    """Note down a job with its drafts; returns its id.

    Raises RefusedError in read-only mode, JobOpenError while another job is open for the same layer.
    """
    require_changes_allowed()
    row = Job(
        kind=new.request.kind.value,
        folder=folder_key(),
        discussion=storable(new.ref.text),
        layer=new.request.layer.value,
        parameters={"request": new.request.to_json(), IS_SEALED: new.seal is not UNSEALED},
        total=new.call_count,
        requested_by=new.requested_by,
        created_at=utc_now(),
    )
    add_line(row, f"Queued by {new.requested_by or 'nobody who signed in'}.")
    try:
        with transaction.atomic():
            row.save(force_insert=True)
            Draft.objects.bulk_create(
                [_build_draft(row, position, spec, new.seal) for position, spec in enumerate(new.specs, 1)],
                batch_size=200,
            )
    except IntegrityError:
        raise _explain_open(new.ref, new.request) from None
    clear_old_jobs()
    return row.pk


def clear_old_jobs() -> int:
    """Forget the oldest jobs that are over, with their drafts, beyond the newest few hundred; returns how many."""
    over = Job.objects.filter(folder=folder_key()).exclude(state__in=(*Job.OPEN_STATES, State.STALE))
    old = list(over.order_by("-pk").values_list("pk", flat=True)[KEPT_JOBS:])
    Job.objects.filter(pk__in=old).delete()
    return len(old)


def require_free_layer(ref: DiscussionRef, request: RegenerationRequest) -> None:
    """Raise JobOpenError while another job is open for the same layer."""
    if find_open_job(ref, request.layer.value) is not None:
        raise _explain_open(ref, request)


def cancel_job(job_id: int) -> State:
    """End a job: at once when it waits, within a moment when it runs. Drafts that are ready stay for review.

    One that is over stays as it is. Raises JobNotFoundError, RefusedError in read-only mode.
    """
    require_changes_allowed()
    get_row(job_id)
    with transaction.atomic():
        waiting = Job.objects.filter(pk=job_id, state=State.QUEUED)
        waiting.update(state=State.CANCELLED, cancel_requested=True, finished_at=utc_now())
        Job.objects.filter(pk=job_id, state=State.RUNNING).update(cancel_requested=True)
    return State(get_row(job_id).state)


def resume_job(job_id: int) -> None:
    """Queue a cancelled or failed job again; drafts that are finished stay.

    Raises JobNotFoundError, ConflictError for another state, JobOpenError while the layer is taken.
    """
    _queue_again(job_id, (State.CANCELLED, State.FAILED), "Resumed.")


def retry_job(job_id: int) -> None:
    """Queue only what failed again. Raises as `resume_job`."""
    with transaction.atomic():
        _queue_again(job_id, (State.REVIEW, State.CANCELLED, State.FAILED), "What failed is tried again.")
        failed = Draft.objects.filter(job_id=job_id, state=Draft.State.FAILED)
        failed.update(state=Draft.State.WAITING, error="", raw_reply="", prompts={}, edited_text=None, new_text="")


def delete_job(job_id: int) -> None:
    """Forget a job that is over, with its drafts.

    Raises JobNotFoundError, RefusedError in read-only mode, ConflictError while it goes on or its drafts wait for a
    decision.
    """
    require_changes_allowed()
    row = get_row(job_id)
    if row.state in (State.QUEUED, State.RUNNING):
        raise ConflictError("This job is still going on. Cancel it first.", job=job_id)
    if row.state == State.REVIEW:
        raise ConflictError("Drafts of this job wait for a decision. Accept or reject them first.", job=job_id)
    row.delete()
    return_keys(job_id)


def claim_job(job_id: int) -> Job | None:
    """Take up a waiting job; of two workers one gets it."""
    now = utc_now()
    with transaction.atomic():
        row = Job.objects.filter(pk=job_id, state=State.QUEUED).first()
        if row is None:
            return None
        mine = Job.objects.filter(pk=job_id, state=State.QUEUED, attempts=row.attempts).update(
            state=State.RUNNING,
            started_at=row.started_at or now,
            lease_until=now + LEASE,
            attempts=row.attempts + 1,
            error="",
            error_code="",
            finished_at=None,
        )
        if not mine:
            return None
        row.refresh_from_db()
        return row


def renew_lease(job_id: int, attempt: int) -> bool:
    """Say that the worker of this attempt lives; False when the job is not its any more."""
    running = Job.objects.filter(pk=job_id, state=State.RUNNING, attempts=attempt)
    return bool(running.update(lease_until=utc_now() + LEASE))


def is_cancel_requested(job_id: int, attempt: int) -> bool:
    """Whether the worker of this attempt shall stop: somebody cancelled, or another worker has taken over."""
    found = Job.objects.filter(pk=job_id, state=State.RUNNING, attempts=attempt)
    wanted = found.values_list("cancel_requested", flat=True).first()
    return wanted is None or wanted


def report_progress(job_id: int, *, done: int, step: str, total: int | None = None) -> None:
    """Say how far a running job has got."""
    changes = {"done": done, "step": step, **({} if total is None else {"total": total})}
    Job.objects.filter(pk=job_id, state=State.RUNNING).update(**changes)


def write_log(job_id: int, text: str) -> None:
    """Add a line to a job's log; never conversation text."""
    with transaction.atomic():
        row = Job.objects.filter(pk=job_id).first()
        if row is not None:
            add_line(row, text)
            row.save(update_fields=["log"])


def end_job(job_id: int, state: State, *, error_code: str = "", error: str = "") -> None:
    """Give a running job its end."""
    Job.objects.filter(pk=job_id, state=State.RUNNING).update(
        state=state,
        lease_until=None,
        error_code=error_code,
        error=error,
        cancel_requested=False,
        finished_at=None if state == State.REVIEW else utc_now(),
    )


def settle_job(job_id: int) -> State:
    """The state that follows from the drafts, once somebody decided about some of them; returns it.

    While drafts wait for a decision the job stays as it is, or is stale when all of them are.
    """
    with transaction.atomic():
        row = get_row(job_id)
        states = list(row.drafts.values_list("state", flat=True))
        state = _follow(State(row.state), states)
        if state != row.state:
            row.state = state
            row.finished_at = None if state == State.REVIEW else utc_now()
            row.save(update_fields=["state", "finished_at"])
    if state not in (*Job.OPEN_STATES, State.STALE):
        return_keys(job_id)
    return State(state)


def reap_jobs(now: datetime | None = None) -> list[int]:
    """Put jobs whose worker died back in line, and give up those that died too often.

    Returns the ids that workers should be told of: these, and those that have waited for long.
    """
    moment = now or utc_now()
    lost = list(Job.objects.filter(state=State.RUNNING, lease_until__lt=moment))
    for row in lost:
        _take_back(row)
    taken_back = [row.pk for row in lost]
    waiting = Job.objects.filter(state=State.QUEUED).filter(
        Q(pk__in=taken_back) | Q(created_at__lt=moment - WAITING_TOO_LONG)
    )
    due = list(waiting.filter(Q(lease_until=None) | Q(lease_until__lt=moment)).values_list("pk", flat=True))
    # Until then they are not handed over once more, or the queue would grow while no worker is there.
    Job.objects.filter(pk__in=due, state=State.QUEUED).update(lease_until=moment + WAITING_TOO_LONG)
    return due


def get_row(job_id: int) -> Job:
    """The row of a job. Raises JobNotFoundError."""
    row = Job.objects.filter(pk=job_id).first()
    if row is None:
        raise JobNotFoundError(f"There is no job {job_id}.", job=job_id)
    return row


def save_draft(row: Draft, seal: Seal, **changes: Any) -> None:
    """Change a draft that was loaded: in memory as it is, in the database as its seal wants it."""
    for name, value in changes.items():
        setattr(row, name, value)
    Draft.objects.filter(pk=row.pk).update(**seal.close_values(changes))


def add_line(row: Job, text: str) -> None:
    """Add a line to the log of a row that is going to be saved."""
    row.log = [*row.log, {"at": utc_now().isoformat(), "text": text}][-MAX_LOG_LINES:]


def _follow(state: State, drafts: Sequence[str]) -> State:
    undecided = [draft for draft in drafts if draft in UNDECIDED]
    if undecided and all(draft == Draft.State.STALE for draft in undecided) and state == State.REVIEW:
        return State.STALE
    if undecided or Draft.State.WAITING in drafts or state in (State.QUEUED, State.RUNNING):
        return state
    if Draft.State.ACCEPTED in drafts:
        return State.APPLIED
    return State.CANCELLED


def _take_back(row: Job) -> None:
    tried = row.attempts - int(row.parameters.get("attempts_before", 0))
    gave_up = tried >= MAX_ATTEMPTS
    add_line(row, f"The worker of attempt {row.attempts} was lost.")
    changes: dict[str, object] = {"state": State.QUEUED}
    if gave_up:
        changes = {"state": State.FAILED, "error_code": "job-lost", "error": LOST.format(attempts=tried)}
    elif row.cancel_requested:
        changes = {"state": State.CANCELLED}
    finished = None if changes["state"] == State.QUEUED else utc_now()
    Job.objects.filter(pk=row.pk, state=State.RUNNING, attempts=row.attempts).update(
        lease_until=None, log=row.log, finished_at=finished, **changes
    )


def _queue_again(job_id: int, states: Sequence[State], line: str) -> None:
    require_changes_allowed()
    row = get_row(job_id)
    if row.state not in states:
        raise ConflictError(
            f"This job is {State(row.state).label.lower()}; there is nothing to go on with.", job=job_id
        )
    add_line(row, line)
    try:
        with transaction.atomic():
            Job.objects.filter(pk=job_id, state=row.state).update(
                state=State.QUEUED,
                cancel_requested=False,
                log=row.log,
                parameters={**row.parameters, "attempts_before": row.attempts},
                finished_at=None,
                lease_until=None,
            )
    except IntegrityError:
        other = Job.objects.filter(
            folder=row.folder, discussion=row.discussion, layer=row.layer, state__in=Job.OPEN_STATES
        ).first()
        raise _open_error(other.pk if other else None) from None


def _build_draft(job: Job, position: int, spec: DraftSpec, seal: Seal) -> Draft:
    target = {**spec.target, "title": spec.title, "calls": spec.calls}
    return Draft(
        job=job,
        position=position,
        source_digest=spec.found.source_digest,
        target_digest=spec.found.target_digest,
        **seal.close_values({"target": target, "old_text": storable(spec.found.text)}),
    )


def _explain_open(ref: DiscussionRef, request: RegenerationRequest) -> JobOpenError:
    other = find_open_job(ref, request.layer.value)
    return _open_error(other.id if other else None)


def _open_error(job_id: int | None) -> JobOpenError:
    name = f"Job {job_id}" if job_id else "A job"
    return JobOpenError(f"{name} is open for the same part of this discussion. Finish or cancel it first.", job=job_id)
