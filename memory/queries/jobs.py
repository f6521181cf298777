"""Jobs and their drafts, for pages, API and commands."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Count, Q, QuerySet

from memory.engine.regeneration import Kind, RegenerationRequest
from memory.errors import DiscussionLockedError, DraftNotFoundError, JobNotFoundError
from memory.models import Draft, Job
from memory.queries.draft_rows import Seal, seal_of
from memory.queries.transcripts import folder_key, storable
from memory.queries.undo_plans import find_undoing
from memory.results import ApiKeys
from memory.types import DiscussionRef
from wilmer_site.lib.paging import Page, PageRequest

JobState = Job.State
DraftState = Draft.State
UNDECIDED = (Draft.State.READY, Draft.State.FAILED, Draft.State.STALE)
"""Drafts that somebody can still accept or reject."""


@dataclass(frozen=True, slots=True)
class JobFilter:
    """Which jobs are wanted; empty means all."""

    state: str = ""
    discussion: str = ""
    """`DiscussionRef.text`."""


@dataclass(frozen=True, slots=True)
class JobCard:
    """One job in a list."""

    id: int
    request: RegenerationRequest
    ref: DiscussionRef
    layer: str
    state: JobState
    done: int
    total: int
    step: str
    attempts: int
    requested_by: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    error_code: str
    error: str
    is_cancelling: bool
    draft_counts: Mapping[str, int] = field(default_factory=dict)
    """Drafts per state."""

    @property
    def is_open(self) -> bool:
        """Whether it keeps others from the same layer."""
        return self.state in Job.OPEN_STATES

    @property
    def waiting(self) -> int:
        """Drafts that somebody has to look at."""
        return sum(self.draft_counts.get(state, 0) for state in UNDECIDED)

    @property
    def can_resume(self) -> bool:
        """Whether something is left to be made."""
        left = self.draft_counts.get(DraftState.WAITING, 0) or not self.request.has_drafts
        return bool(left) and self.state in (JobState.CANCELLED, JobState.FAILED)

    @property
    def can_retry(self) -> bool:
        """Whether something failed that could be tried again."""
        failed = self.draft_counts.get(DraftState.FAILED, 0)
        return bool(failed) and self.state in (JobState.REVIEW, JobState.FAILED, JobState.CANCELLED)


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of a job's log."""

    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class DraftCard:
    """One draft in a list."""

    position: int
    title: str
    state: DraftState
    old_text: str
    new_text: str
    """As it would be stored: the edited text, else the model's."""
    is_edited: bool
    error: str
    notes: tuple[str, ...] = ()
    """What to look at before it is accepted."""
    is_locked: bool = False
    """Its text is encrypted and the key is not known here."""


@dataclass(frozen=True, slots=True)
class DraftDetail:
    """One draft with everything there is about it."""

    job: JobCard
    card: DraftCard
    target: Mapping[str, Any]
    seen: str
    """What it was made from and would replace, as one text (`Found.seen`)."""
    model_text: str
    raw_reply: str
    prompts: tuple[Mapping[str, Any], ...]
    notes: tuple[str, ...]
    total: int
    """Drafts of the job."""

    @property
    def is_undecided(self) -> bool:
        """Whether it can be accepted or rejected."""
        return self.card.state in UNDECIDED


@dataclass(frozen=True, slots=True)
class JobDetail:
    """One job with its log."""

    card: JobCard
    log: tuple[LogLine, ...]
    batches: tuple[str, ...]
    """What accepting wrote, for undoing: the journal's batches, oldest first."""
    taken_back: frozenset[str] = frozenset()
    """Those of them that somebody has undone."""


def list_jobs(filter: JobFilter, page: PageRequest) -> Page[JobCard]:
    """One page of the jobs of the folder that is open, the newest first."""
    rows = _rows(filter).order_by("-id")
    items = [_card(row) for row in _counted(rows)[page.offset : page.offset + page.size]]
    return Page(items, total=rows.count(), number=page.number, size=page.size)


def count_states(filter: JobFilter) -> dict[str, int]:
    """Jobs per state, and all of them under the empty name; the filter's own state is left aside."""
    rows = _rows(JobFilter(discussion=filter.discussion)).values_list("state").annotate(count=Count("id"))
    counts = dict(rows)
    return {"": sum(counts.values()), **counts}


def count_open_jobs() -> int:
    """Jobs that run, wait, or want somebody to look at them."""
    return Job.objects.filter(folder=folder_key(), state__in=Job.OPEN_STATES).count()


def get_job(job_id: int) -> JobDetail:
    """One job. Raises JobNotFoundError."""
    row = _counted(Job.objects.filter(pk=job_id)).first()
    if row is None:
        raise JobNotFoundError(f"There is no job {job_id}.", job=job_id)
    log = tuple(LogLine(datetime.fromisoformat(line["at"]), line["text"]) for line in row.log)
    batches, ref = tuple(row.parameters.get("batches", ())), DiscussionRef.parse(row.discussion)
    taken_back = frozenset(batch for batch in batches if find_undoing(ref, uuid.UUID(batch)))
    return JobDetail(_card(row), log, batches, taken_back)


def list_open_jobs(limit: int) -> list[JobCard]:
    """Jobs that run, wait, or want somebody to look at them, the newest first."""
    rows = Job.objects.filter(folder=folder_key(), state__in=Job.OPEN_STATES).order_by("-id")
    return [_card(row) for row in _counted(rows)[:limit]]


def find_open_job(ref: DiscussionRef, layer: str) -> JobCard | None:
    """The job that is open for a layer of a discussion."""
    rows = Job.objects.filter(
        folder=folder_key(), discussion=storable(ref.text), layer=layer, state__in=Job.OPEN_STATES
    )
    row = _counted(rows).first()
    return _card(row) if row else None


def list_drafts(job_id: int, page: PageRequest, keys: ApiKeys) -> Page[DraftCard]:
    """One page of the drafts of a job, in its order; without the key of an encrypted discussion they say nothing."""
    rows = Draft.objects.filter(job_id=job_id).order_by("position")
    seal = _find_seal(job_id, keys)
    items = [_draft_card(row, seal) for row in rows[page.offset : page.offset + page.size]]
    return Page(items, total=rows.count(), number=page.number, size=page.size)


def get_draft(job_id: int, position: int, keys: ApiKeys) -> DraftDetail:
    """One draft. Raises JobNotFoundError, DraftNotFoundError, or DiscussionLockedError without its key."""
    job = get_job(job_id).card
    row = Draft.objects.filter(job_id=job_id, position=position).first()
    if row is None:
        raise DraftNotFoundError(f"Job {job_id} has no draft {position}.", job=job_id, draft=position)
    seal = seal_of(row.job, keys)
    return DraftDetail(
        job=job,
        card=_draft_card(row, seal),
        target=row.target,
        seen=f"{row.source_digest}.{row.target_digest}",
        model_text=row.new_text,
        raw_reply=row.raw_reply,
        prompts=tuple(row.prompts.get("calls", ())),
        notes=tuple(row.prompts.get("notes", ())),
        total=sum(job.draft_counts.values()),
    )


def find_next_undecided(job_id: int, after: int) -> int | None:
    """The next draft that somebody has to look at, going round; None when there is none."""
    positions = list(
        Draft.objects.filter(job_id=job_id, state__in=UNDECIDED).order_by("position").values_list("position", flat=True)
    )
    return next((position for position in positions if position > after), positions[0] if positions else None)


def _rows(filter: JobFilter) -> QuerySet[Job]:
    rows = Job.objects.filter(folder=folder_key())
    if filter.state:
        rows = rows.filter(state=filter.state)
    return rows.filter(discussion=storable(filter.discussion)) if filter.discussion else rows


def _counted(rows: QuerySet[Job]) -> QuerySet[Job]:
    counts = {f"n_{state}": Count("drafts", filter=Q(drafts__state=state)) for state in DraftState.values}
    return rows.annotate(**counts)


def _card(row: Job) -> JobCard:
    counts = {state: int(getattr(row, f"n_{state}")) for state in DraftState.values}
    return JobCard(
        id=row.pk,
        request=build_request(row),
        ref=DiscussionRef.parse(row.discussion),
        layer=row.layer,
        state=JobState(row.state),
        done=row.done,
        total=row.total,
        step=row.step,
        attempts=row.attempts,
        requested_by=row.requested_by,
        created_at=row.created_at,
        started_at=row.started_at,
        finished_at=row.finished_at,
        error_code=row.error_code,
        error=row.error,
        is_cancelling=row.cancel_requested and row.state == JobState.RUNNING,
        draft_counts={state: count for state, count in counts.items() if count},
    )


def build_request(row: Job) -> RegenerationRequest:
    """What a job was asked for."""
    return RegenerationRequest.from_json({"kind": Kind(row.kind).value, **row.parameters.get("request", {})})


def _find_seal(job_id: int, keys: ApiKeys) -> Seal | None:
    try:
        return seal_of(Job.objects.get(pk=job_id), keys)
    except (Job.DoesNotExist, DiscussionLockedError):
        return None


def _draft_card(row: Draft, seal: Seal | None) -> DraftCard:
    if seal is None:
        return DraftCard(
            row.position,
            f"Draft {row.position}",
            DraftState(row.state),
            "",
            "",
            is_edited=False,
            error=row.error,
            is_locked=True,
        )
    seal.open_row(row)
    text = row.new_text if row.edited_text is None else row.edited_text
    return DraftCard(
        position=row.position,
        title=str(row.target.get("title", f"Draft {row.position}")),
        state=DraftState(row.state),
        old_text=row.old_text,
        new_text=text,
        is_edited=row.edited_text is not None and row.edited_text != row.new_text,
        error=row.error,
        notes=tuple(row.prompts.get("notes", ())),
    )
