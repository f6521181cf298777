"""What the console's own database holds of a discussion: moved along when the discussion gets another name."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Model

from memory.engine.wording import format_count
from memory.errors import JobOpenError
from memory.models import CoverageNote, FailedChunkNote, Job, ProgressNote, Revision, Transcript
from memory.types import DiscussionRef
from memory.wiring import get_public_folder

_MODELS: tuple[type[Model], ...] = (Revision, Transcript, CoverageNote, FailedChunkNote, ProgressNote, Job)


def check_no_open_job(ref: DiscussionRef) -> None:
    """Raises JobOpenError while a job on the discussion waits, runs or needs a decision."""
    jobs = Job.objects.filter(folder=folder_name(), discussion=ref.text, state__in=Job.OPEN_STATES)
    job = jobs.order_by("id").first()
    if job is not None:
        raise JobOpenError(
            f"{format_count(jobs.count(), 'job')} of {ref.discussion_id!r} {'is' if jobs.count() == 1 else 'are'} not "
            "done. Wait for it, decide about its drafts, or cancel it.",
            job=job.pk,
        )


@transaction.atomic
def move_rows(old: str, new: str) -> None:
    """Give history, transcript, notes and jobs of one name another one; rows that stand under the new one go first."""
    for model in _MODELS:
        if model in (Transcript, CoverageNote, FailedChunkNote, ProgressNote):
            _rows(model, new).delete()
        _rows(model, old).update(discussion=new)


def has_rows(name: str) -> bool:
    """Whether the console holds anything under a name."""
    return any(_rows(model, name).exists() for model in _MODELS)


@transaction.atomic
def delete_rows(name: str) -> None:
    """Remove history, transcript, notes and jobs of one name for ever; contents go with the next cleaning."""
    for model in _MODELS:
        _rows(model, name).delete()


def parked_name(trash_name: str) -> str:
    """The name under which rows wait while their discussion lies in the trash; no discussion can have it."""
    return f"trash:{trash_name}"


def folder_name() -> str:
    """How the folder that is open is named in rows."""
    return str(get_public_folder().discussions_root)


def _rows(model: type[Model], name: str):  # type: ignore[no-untyped-def]
    return model._default_manager.filter(folder=folder_name(), discussion=name)
