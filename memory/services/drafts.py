"""Deciding about drafts: what the box shows is what is saved, and never over something that changed unseen."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from memory.engine.regeneration import Found, Kind, RegenerationRequest
from memory.errors import DraftNotFoundError, DraftStaleError
from memory.journal.authorship import Origin, writing_as
from memory.models import Draft, Job
from memory.queries.draft_rows import Seal, load_drafts, seal_of
from memory.queries.jobs import UNDECIDED, build_request
from memory.queries.transcripts import storable
from memory.results import ApiKeys
from memory.services import audit
from memory.services.jobs import State, get_row, save_draft, settle_job
from memory.services.permission import require_changes_allowed
from memory.services.regeneration import require_unlocked
from memory.services.regeneration_kinds import regenerator_of
from memory.services.regeneration_site import Decided, Site, SiteOptions, open_site
from memory.types import DiscussionRef
from wilmer_site.lib.errors import ConflictError, InvalidError


@dataclass(frozen=True, slots=True)
class Decider:
    """Who decides, and with which keys."""

    actor: str
    keys: ApiKeys


@dataclass(frozen=True, slots=True)
class Accepted:
    """What came of accepting."""

    batch: uuid.UUID | None
    """For undoing; None when nothing was written."""
    positions: tuple[int, ...] = ()
    stale: tuple[int, ...] = ()
    """Drafts that were left, because what they were made from or would replace has changed."""


@dataclass(frozen=True, slots=True)
class Clash:
    """A draft beside what is stored now."""

    old_text: str
    """What it was made to replace."""
    stored_text: str
    """What is stored now."""
    seen: str
    """Whoever sends this back has seen what is stored now."""
    is_source_changed: bool
    is_target_changed: bool
    is_gone: bool


def edit_draft(job_id: int, position: int, text: str, keys: ApiKeys) -> None:
    """Keep an edited text without deciding yet. Raises as `accept_draft`, for texts that could not be stored too."""
    require_changes_allowed()
    job = get_row(job_id)
    draft = _get_undecided(job, position)
    regenerator_of(build_request(job).kind).check(text)
    mended = {"state": Draft.State.READY, "error": ""} if draft.state == Draft.State.FAILED else {}
    save_draft(draft, seal_of(job, keys), edited_text=storable(text), **mended)


def accept_draft(
    job_id: int, position: int, decider: Decider, *, text: str | None = None, seen: str | None = None
) -> Accepted:
    """As `try_draft`, but raises DraftStaleError when something changed; then nothing is written."""
    accepted = try_draft(job_id, position, decider, text=text, seen=seen)
    if accepted.stale:
        raise DraftStaleError(
            "What this draft was made from or would replace has changed since. Compare the texts and choose.",
            job=job_id,
            draft=position,
        )
    return accepted


def try_draft(
    job_id: int, position: int, decider: Decider, *, text: str | None = None, seen: str | None = None
) -> Accepted:
    """Store a draft: the text given, else as it was edited, else as it was made. A changed state is told as `stale`.

    `seen` names the state the decision was made in (`DraftDetail.seen`, or `Clash.seen` after a clash). Raises
    JobNotFoundError, DraftNotFoundError, InvalidError for a text that cannot be stored, ConflictError for a draft
    that was decided already; then nothing is written.
    """
    job = get_row(job_id)
    request = build_request(job)
    if request.is_whole:
        raise ConflictError("These drafts replace a part of the ledger together. Accept them all at once.", job=job_id)
    draft = _open_row(job, _get_undecided(job, position), decider.keys)
    if draft.state == Draft.State.FAILED and text is None and draft.edited_text is None:
        raise InvalidError("This draft has no text that can be used. Write one, or try again.", field="text")
    chosen = _choose_text(draft) if text is None else text
    return _accept(job, {position: chosen}, decider, {position: seen} if seen else {})


def accept_all(job_id: int, decider: Decider) -> Accepted:
    """Store every draft that is ready, in one step that is undone together.

    Drafts that are out of date are left and named, unless they belong together: then DraftStaleError. Raises
    ConflictError when nothing is ready, or when drafts that belong together are not all ready.
    """
    job = get_row(job_id)
    request = build_request(job)
    rows = load_drafts(job, decider.keys)
    ready = {row.position: _choose_text(row) for row in rows if row.state == Draft.State.READY}
    if not ready:
        raise ConflictError("No draft of this job is ready.", job=job_id)
    if request.is_whole and len(ready) < len(rows):
        raise ConflictError(
            f"These drafts replace a part of the ledger together, and only {len(ready):,} of {len(rows):,} are ready.",
            job=job_id,
        )
    accepted = _accept(job, ready, decider, {})
    if accepted.stale and not accepted.positions:
        raise DraftStaleError(
            "What the drafts were made from or would replace has changed since. Nothing was written.",
            job=job_id,
            draft=accepted.stale[0],
        )
    return accepted


def reject_drafts(job_id: int, positions: Sequence[int] | None, decider: Decider) -> int:
    """Leave what is stored; None rejects all that are undecided. Returns how many. Raises as `accept_draft`."""
    require_changes_allowed()
    job = get_row(job_id)
    with transaction.atomic():
        if positions is None:
            count = job.drafts.filter(state__in=UNDECIDED).update(state=Draft.State.REJECTED)
        else:
            count = len([_reject(_get_undecided(job, position)) for position in positions])
    settle_job(job_id)
    audit.note(decider.actor, "drafts-rejected", job.discussion, job=job_id, drafts=count)
    return count


def find_fault(kind: Kind, text: str) -> str:
    """Why a text could not be stored as a draft of that kind; empty when it can."""
    try:
        regenerator_of(kind).check(text)
    except InvalidError as error:
        return error.message
    return ""


def get_clash(job_id: int, position: int, keys: ApiKeys) -> Clash:
    """A draft beside what is stored now. Raises as `accept_draft`."""
    job = get_row(job_id)
    draft = _open_row(job, _get_draft(job, position), keys)
    site = _open(job, build_request(job), keys)
    found = regenerator_of(site.request.kind).look(site, draft.target)
    if found is None:
        return Clash(draft.old_text, "", "", is_source_changed=True, is_target_changed=True, is_gone=True)
    return Clash(
        draft.old_text,
        found.text,
        found.seen,
        is_source_changed=found.source_digest != draft.source_digest,
        is_target_changed=found.target_digest != draft.target_digest,
        is_gone=False,
    )


def _accept(job: Job, texts: Mapping[int, str], decider: Decider, seen: Mapping[int, str]) -> Accepted:
    require_changes_allowed()
    request = build_request(job)
    regenerator = regenerator_of(request.kind)
    for text in texts.values():
        regenerator.check(text)
    wanted = load_drafts(job, decider.keys, job.drafts.filter(position__in=list(texts)))
    rows = {row.position: row for row in wanted}
    site = _open(job, request, decider.keys)
    with (
        site.workshop.files.lock(),
        writing_as(decider.actor, _name(request, len(texts)), origin=Origin.GENERATION) as signed,
    ):
        found = {position: regenerator.look(site, row.target) for position, row in rows.items()}
        current = {
            position: state
            for position, state in found.items()
            if state is not None and _is_seen(rows[position], state, texts[position], seen.get(position))
        }
        stale = tuple(position for position in rows if position not in current)
        if request.is_whole and stale:
            current = {}
        todo = [
            Decided(rows[position].target, texts[position])
            for position, state in current.items()
            if request.is_whole or state.text != texts[position]
        ]
        if todo:
            regenerator.apply(site, todo)
    accepted = {rows[position]: texts[position] for position in current}
    _record(job, accepted, stale, seal_of(job, decider.keys))
    batch = signed.batch if todo else None
    _finish(job, batch, decider, len(current))
    return Accepted(batch, tuple(current), stale)


def _is_seen(draft: Draft, now: Found, text: str, seen: str | None) -> bool:
    """Whether the decision was made knowing what is there now; a text that is stored already needs no decision."""
    return now.text == text or now.seen == (seen or f"{draft.source_digest}.{draft.target_digest}")


@transaction.atomic
def _record(job: Job, accepted: Mapping[Draft, str], stale: Sequence[int], seal: Seal) -> None:
    for row, text in accepted.items():
        save_draft(row, seal, edited_text=storable(text), state=Draft.State.ACCEPTED, error="")
    job.drafts.filter(position__in=stale).update(state=Draft.State.STALE)


def _finish(job: Job, batch: uuid.UUID | None, decider: Decider, count: int) -> None:
    if batch is not None:
        with transaction.atomic():
            row = get_row(job.pk)
            row.parameters = {**row.parameters, "batches": [*row.parameters.get("batches", ()), str(batch)]}
            row.save(update_fields=["parameters"])
    settle_job(job.pk)
    if count:
        audit.note(decider.actor, "drafts-accepted", job.discussion, job=job.pk, drafts=count, kind=job.kind)


def _open(job: Job, request: RegenerationRequest, keys: ApiKeys) -> Site:
    site = open_site(DiscussionRef.parse(job.discussion), request, keys, SiteOptions())
    require_unlocked(site)
    return site


def _get_draft(job: Job, position: int) -> Draft:
    row: Draft | None = job.drafts.filter(position=position).first()
    if row is None:
        raise DraftNotFoundError(f"Job {job.pk} has no draft {position}.", job=job.pk, draft=position)
    return row


def _open_row(job: Job, row: Draft, keys: ApiKeys) -> Draft:
    return seal_of(job, keys).open_row(row)


def _get_undecided(job: Job, position: int) -> Draft:
    draft = _get_draft(job, position)
    if draft.state not in UNDECIDED:
        raise ConflictError(
            f"Draft {position} is {Draft.State(draft.state).label.lower()}, so there is nothing to decide.", job=job.pk
        )
    if job.state in (State.QUEUED, State.RUNNING) and build_request(job).is_whole:
        raise ConflictError("The job is still making these drafts. Wait for it, or cancel it.", job=job.pk)
    return draft


def _reject(draft: Draft) -> Draft:
    draft.state = Draft.State.REJECTED
    draft.save(update_fields=["state"])
    return draft


def _choose_text(draft: Draft) -> str:
    return draft.new_text if draft.edited_text is None else draft.edited_text


def _name(request: RegenerationRequest, count: int) -> str:
    several = "s" if count > 1 else ""
    return {
        Kind.CHUNKS: f"Regenerated {count} chunk{several}",
        Kind.FROM_MESSAGE: f"Regenerated the ledger from message {request.first}",
        Kind.EVERYTHING: "Regenerated the whole ledger",
        Kind.CONDENSE: "Condensed chunks",
        Kind.SUMMARY: "Regenerated the rolling summary",
        Kind.STATE_DOCUMENT: "Regenerated the state document",
        Kind.VECTOR_MEMORIES: f"Regenerated the vector memories of {count} stretch{'es' if count > 1 else ''}",
    }[request.kind]
