"""A job at work: one draft after the other, told to the database, stopped between two calls, taken up again."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db import connections

from memory.engine.model_calls import Call, ModelCall, WorkflowCall
from memory.engine.regeneration import Made, RegenerationRequest
from memory.models import Draft, Job
from memory.queries.draft_rows import Seal, load_drafts, seal_of
from memory.queries.jobs import build_request
from memory.queries.transcripts import storable
from memory.services.job_keys import borrowed_keys, return_keys
from memory.services.jobs import (
    LEASE,
    State,
    claim_job,
    end_job,
    is_cancel_requested,
    renew_lease,
    report_progress,
    save_draft,
    write_log,
)
from memory.services.permission import require_changes_allowed
from memory.services.regeneration import require_unlocked
from memory.services.regeneration_kinds import regenerator_of
from memory.services.regeneration_site import Site, SiteOptions, Work, open_site
from memory.services.regeneration_upkeep import run_upkeep
from memory.types import DiscussionRef
from wilmer_site.lib.errors import UpstreamError, WilmerError

logger = logging.getLogger(__name__)

BEAT_SECONDS = LEASE.total_seconds() / 4
LOOK_SECONDS = 0.5
"""So long a cancellation may go unnoticed while a model is asked."""
MAX_KEPT_PROMPT = 20_000
"""Characters of each text that is kept of what was sent."""
MAX_FAILURES = 3
"""So many drafts in a row may fail because a server does not answer; then the job ends."""


class _Stopped(Exception):
    """Somebody cancelled, or another worker has taken over."""


def execute_job(job_id: int) -> State | None:
    """Work on what waits under this id until it ends; returns how.

    None when there is nothing to do: the job is gone, over, or another worker has it. Nothing escapes: a job always
    has an end that people can read.
    """
    job = claim_job(job_id)
    if job is None:
        return None
    write_log(job_id, f"Attempt {job.attempts} begins.")
    with _beating(job):
        state, code, message = _work(job)
    write_log(job_id, message or f"Attempt {job.attempts} ends: {state.label.lower()}.")
    end_job(job_id, state, error_code=code, error=message)
    if state is not State.REVIEW:
        return_keys(job_id)
    return state


def _work(job: Job) -> tuple[State, str, str]:
    try:
        site = _open(job)
        return _make_drafts(job, site) if site.request.has_drafts else _keep_up(job, site)
    except _Stopped:
        return State.CANCELLED, "", ""
    except WilmerError as error:
        if is_cancel_requested(job.pk, job.attempts):
            return State.CANCELLED, "", ""
        return State.FAILED, error.code, error.message
    except Exception as error:
        logger.exception("Job %s broke.", job.pk)
        return State.FAILED, "broken", f"The console broke while working on this: {type(error).__name__}."


def _open(job: Job) -> Site:
    require_changes_allowed()
    request = build_request(job)
    options = SiteOptions(model=None, is_cancelled=_watch(job))
    site = open_site(DiscussionRef.parse(job.discussion), request, borrowed_keys(job.pk), options)
    require_unlocked(site)
    return site


def _watch(job: Job) -> Callable[[], bool]:
    """Whether to stop, for being asked at every moment: the database is looked at now and then."""
    looked, wanted = -LOOK_SECONDS, False

    def is_cancelled() -> bool:
        nonlocal looked, wanted
        now = time.monotonic()
        if not wanted and now - looked >= LOOK_SECONDS:
            looked, wanted = now, is_cancel_requested(job.pk, job.attempts)
        return wanted

    return is_cancelled


def _make_drafts(job: Job, site: Site) -> tuple[State, str, str]:
    keys = borrowed_keys(job.pk)
    rows, seal = load_drafts(job, keys), seal_of(job, keys)
    done = sum(int(row.target.get("calls", 1)) for row in rows if row.state != Draft.State.WAITING)
    failures = 0
    earlier: dict[int, str] = {}
    for row in rows:
        if row.state != Draft.State.WAITING:
            _note_text(earlier, row, site.request)
            continue
        _check_wanted(job)
        report_progress(job.pk, done=done, step=str(row.target.get("title", "")))
        try:
            _make_draft(_Task(job, site, seal), row, (done, earlier))
            _note_text(earlier, row, site.request)
            failures = 0
        except UpstreamError as error:
            failures += 1
            save_draft(row, seal, state=Draft.State.FAILED, error=storable(error.message))
            write_log(job.pk, f"Draft {row.position} failed: {error.code}.")
            if failures == MAX_FAILURES or site.request.is_whole:
                return State.FAILED, error.code, error.message
        done += int(row.target.get("calls", 1))
        report_progress(job.pk, done=done, step="")
    return _judge(job)


@dataclass(frozen=True, slots=True)
class _Task:
    job: Job
    site: Site
    seal: Seal


def _make_draft(task: _Task, row: Draft, before: tuple[int, Mapping[int, str]]) -> None:
    """Ask for one draft, keeping what each call yields, so that a killed job goes on behind it.

    `before` is how many calls were made before it, and the texts they yielded.
    """
    job, site, seal = task.job, task.site, task.seal
    done, earlier = before
    site.refresh()
    regenerator = regenerator_of(site.request.kind)
    found = regenerator.look(site, row.target)
    if found is None:
        save_draft(row, seal, state=Draft.State.FAILED, error="What it was to be made from is gone.")
        return
    kept = int(row.prompts.get("done", 0))
    if kept and (row.source_digest, row.target_digest) != (found.source_digest, found.target_digest):
        kept = 0
    row.source_digest, row.target_digest = found.source_digest, found.target_digest
    row.old_text = storable(found.text)
    work = Work(row.target, earlier, row.new_text if kept else "", kept)
    calls = list(row.prompts.get("calls", ())) if kept else []
    notes = tuple(row.prompts.get("notes", ())) if kept else ()
    for made in regenerator.make(site, work):
        calls += [_describe(call) for call in site.model.drain()]
        notes = tuple(dict.fromkeys((*notes, *made.notes, *site.model.drain_remarks())))
        _keep(row, seal, replace(made, notes=notes), calls)
        report_progress(job.pk, done=done + made.done, step=str(row.target.get("title", "")))
        if not made.problem and made.done < int(row.target.get("calls", 1)):
            _check_wanted(job)
    failed = bool(row.error)
    save_draft(row, seal, state=Draft.State.FAILED if failed else Draft.State.READY)
    write_log(
        job.pk, f"Draft {row.position} of {job.drafts.count()} {'cannot be used as it is' if failed else 'is ready'}."
    )


def _keep(row: Draft, seal: Seal, made: Made, calls: list[dict[str, Any]]) -> None:
    """What a call yielded, with what the draft was made from and the text it stands beside."""
    save_draft(
        row,
        seal,
        prompts={"calls": calls, "notes": [storable(note) for note in made.notes], "done": made.done},
        new_text=storable(made.text),
        raw_reply=storable(made.raw),
        error=made.problem,
        source_digest=row.source_digest,
        target_digest=row.target_digest,
        old_text=row.old_text,
    )


def _note_text(earlier: dict[int, str], row: Draft, request: RegenerationRequest) -> None:
    """Later drafts see this one's text: by chunk number, or by position where the ledger is packed anew."""
    text = row.new_text if row.edited_text is None else row.edited_text
    place = row.target.get("index") if request.is_whole else row.target.get("number")
    if text and place is not None and row.state != Draft.State.REJECTED:
        earlier[int(place) + 1 if request.is_whole else int(place)] = text


def _describe(call: Call) -> dict[str, Any]:
    if isinstance(call, WorkflowCall):
        return {"workflow": call.workflow, "inputs": [_cut(text) for text in call.inputs]}
    assert isinstance(call, ModelCall)
    return {
        "endpoint": call.target.endpoint,
        "preset": call.target.preset,
        "system_prompt": _cut(call.system_prompt),
        "prompt": _cut(call.prompt),
    }


def _cut(text: str) -> str:
    """All memories go into every prompt of a long ledger; keeping them whole would grow with its square."""
    left = len(text) - MAX_KEPT_PROMPT
    return storable(text if left <= 0 else f"{text[:MAX_KEPT_PROMPT]}… ({left:,} more characters were sent)")


def _judge(job: Job) -> tuple[State, str, str]:
    states = set(job.drafts.values_list("state", flat=True))
    silent = job.drafts.filter(raw_reply="", new_text="", edited_text=None).exclude(error="")
    if states == {Draft.State.FAILED} and silent.count() == job.drafts.count():
        # Nothing came back that anybody could look at or mend.
        return State.FAILED, "nothing-made", str(silent.values_list("error", flat=True).order_by("position")[0])
    if states & {Draft.State.READY, Draft.State.FAILED}:
        return State.REVIEW, "", ""
    return (State.APPLIED if Draft.State.ACCEPTED in states else State.CANCELLED), "", ""


def _keep_up(job: Job, site: Site) -> tuple[State, str, str]:
    for progress in run_upkeep(site):
        report_progress(job.pk, done=progress.done, total=progress.total, step=f"{progress.skipped:,} left out")
        _check_wanted(job)
    return State.APPLIED, "", ""


def _check_wanted(job: Job) -> None:
    if not renew_lease(job.pk, job.attempts) or is_cancel_requested(job.pk, job.attempts):
        raise _Stopped


@contextlib.contextmanager
def _beating(job: Job) -> Iterator[None]:
    """Renew the lease while a model takes its time, from a thread of its own."""
    over = threading.Event()

    def beat() -> None:
        try:
            while not over.wait(BEAT_SECONDS):
                renew_lease(job.pk, job.attempts)
        finally:
            connections.close_all()

    thread = threading.Thread(target=beat, name=f"job-{job.pk}-lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
