"""Going back: a batch of writes taken back, any earlier version put in place. Both are revisions themselves."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from memory.engine.wording import FILE_NAMES
from memory.journal.authorship import Origin, writing_as
from memory.journal.contents import read_bytes
from memory.journal.rows import parse_rows
from memory.models import Revision
from memory.queries.row_settling import settle_rows
from memory.queries.undo_plans import (
    FileStep,
    RevisionNotFoundError,
    RowStep,
    UndoPlan,
    is_of_rows,
    list_revisions,
    plan_rows,
    plan_undo,
    require_batch,
)
from memory.results import ApiKeys
from memory.services.audit import note
from memory.services.editing import check_mode, explaining_disk_errors
from memory.stores.contents import inspect_place, read_whole
from memory.stores.discussion_files import DiscussionFiles
from memory.stores.journaling import RowState
from memory.stores.vector_restore import Exchange, exchange_rows
from memory.stores.vector_writes import MemoryChangedError
from memory.types import Artefact, DiscussionRef
from memory.wiring import open_or_create_discussion
from wilmer_site.lib.errors import ConflictError, WilmerError
from wilmer_site.lib.files import FileChangedError

Side = Literal["before", "after"]


class UndoConflictError(ConflictError):
    """Somebody wrote after the batch that is to be taken back. `extra` has `batch`, `artefacts` and `memory_ids`."""

    code = "undo-conflict"


class TakenBackError(UndoConflictError):
    """The batch was taken back already. `extra` has `undone_by`, too: taking that back brings the change again."""

    code = "taken-back-already"


@dataclass(frozen=True, slots=True)
class Version:
    """One content that a file or rows once had: what a revision replaced, or what it left."""

    revision_id: int
    side: Side = "before"


@dataclass(frozen=True, slots=True)
class Restored:
    """What was put back."""

    batch: uuid.UUID
    """The batch of the restoring itself: taking it back is the way forward again."""
    action: str
    artefacts: tuple[Artefact, ...]


def undo_batch(ref: DiscussionRef, batch: uuid.UUID, *, actor: str, keys: ApiKeys, force: bool = False) -> Restored:
    """Take back every write of one batch, in reverse.

    What the batch left is compared with what is there now; a difference raises UndoConflictError, or TakenBackError
    when it comes from an earlier undo, and nothing is changed, unless `force`. Raises RevisionNotFoundError, and what
    writing a file raises.
    """
    require_batch(ref, batch)
    files = open_or_create_discussion(ref, keys)
    with explaining_disk_errors("The discussion"), files.lock():
        settle_rows(files)
        plan = plan_undo(ref, batch, keys)
        if plan.is_conflict and not force:
            raise _conflict(plan)
        action = f"Took back: {plan.action}"
        with writing_as(actor, action, origin=Origin.RESTORE, undoes=batch) as signed:
            put_back(files, plan.files, plan.rows)
        note(actor, "change-taken-back", ref.text, batch=str(batch), files=len(plan.artefacts))
        return Restored(signed.batch, action, plan.artefacts)


def try_undo(
    ref: DiscussionRef, batch: uuid.UUID, *, actor: str, keys: ApiKeys, force: bool = False
) -> Restored | None:
    """As `undo_batch`; None when a person must look at a clash first."""
    try:
        return undo_batch(ref, batch, actor=actor, keys=keys, force=force)
    except (UndoConflictError, FileChangedError, MemoryChangedError):
        return None


def restore_revision(
    ref: DiscussionRef, version: Version, *, actor: str, keys: ApiKeys, expected_etag: str | None = None
) -> Restored:
    """Put the content before or after any revision in place, also over a damaged file.

    `expected_etag` is the version of the file that the person saw (empty: none); another one raises
    FileChangedError. Raises RevisionNotFoundError.
    """
    revision = get_revision(ref, version.revision_id)
    files = open_or_create_discussion(ref, keys)
    action = f"Put back the version {version.side}: {revision.action}"
    locked = files.lock()
    with explaining_disk_errors("The discussion"), locked, writing_as(actor, action, origin=Origin.RESTORE) as signed:
        if is_of_rows(revision):
            put_rows(files, plan_row_restore(files, revision, version.side))
        else:
            put_back(files, [_plan_file_restore(files, revision, version.side, expected_etag)], None)
    note(actor, "version-restored", ref.text, revision=revision.pk, side=version.side)
    return Restored(signed.batch, action, (Artefact(revision.artefact),))


def get_revision(ref: DiscussionRef, revision_id: int) -> Revision:
    """One revision of a discussion with its contents; raises RevisionNotFoundError."""
    found = list_revisions(ref).filter(pk=revision_id).select_related("before", "after").first()
    if found is None:
        raise RevisionNotFoundError(
            f"The history of {ref.discussion_id!r} has no revision {revision_id}.", revision=revision_id
        )
    return found


def plan_row_restore(files: DiscussionFiles, revision: Revision, side: Side) -> RowStep:
    """What putting the rows before or after a revision in place would change."""
    before, after = (_rows_of(revision, name) for name in ("before", "after"))
    return plan_rows(files, [(before, after)] if side == "before" else [(after, before)])


def put_back(files: DiscussionFiles, steps: Sequence[FileStep], rows: RowStep | None) -> None:
    """Make files and rows what they were, all or none. Hold the discussion's lock around it.

    Raises FileChangedError or MemoryChangedError if one is not what was looked at, and what the disk refuses.
    """
    done: list[FileStep] = []
    try:
        for step in reversed(steps):
            _put_file(files, step)
            done.append(step)
        if rows:
            put_rows(files, rows)
    except WilmerError:
        for step in reversed(done):
            with contextlib.suppress(WilmerError):
                _put_file(files, replace(step, wanted=step.found, found=step.wanted))
        raise


def _put_file(files: DiscussionFiles, step: FileStep) -> None:
    if step.wanted == step.found:
        return
    path = files.place(step.artefact).path
    with explaining_disk_errors(path.name):
        check_mode(inspect_place(files.place(step.artefact)))
        if step.wanted is None:
            files.delete_file(step.artefact, expected_etag=step.found_etag)
        else:
            files.restore_bytes(step.artefact, step.wanted, expected_etag=step.found_etag)


def put_rows(files: DiscussionFiles, step: RowStep) -> None:
    """Make rows what they were. Raises MemoryChangedError if they are not what was looked at."""
    check_mode(files.report(Artefact.VECTOR_MEMORY))
    with files.recording_rows(step.found) as record:
        exchange = Exchange(step.wanted, step.found, step.log_ids, step.taken)
        record.after = exchange_rows(files.vector_path(), files.ref.discussion_id, exchange)


def _plan_file_restore(files: DiscussionFiles, revision: Revision, side: Side, expected_etag: str | None) -> FileStep:
    artefact = Artefact(revision.artefact)
    wanted = read_bytes(revision.before if side == "before" else revision.after)
    found = read_whole(files.place(artefact))
    step = FileStep(artefact, wanted, found, found)
    if expected_etag is not None and expected_etag != step.found_etag:
        raise FileChangedError(
            f"{files.place(artefact).path.name} was changed by somebody else since you opened it.",
            expected=expected_etag,
            found=step.found_etag,
        )
    return step


def _rows_of(revision: Revision, name: str) -> RowState:
    data = read_bytes(getattr(revision, name))
    return parse_rows(data) if data else RowState()


def _conflict(plan: UndoPlan) -> UndoConflictError:
    files = [step.artefact for step in plan.files if step.is_conflict]
    clashes = list(plan.rows.clashes) if plan.rows else []
    told = {"batch": str(plan.batch), "artefacts": [file.value for file in files], "memory_ids": clashes}
    if plan.undone_by is not None:
        return TakenBackError(
            f"This was taken back already: {plan.action}. To have it again, take back the undo {plan.undone_by}.",
            **told,
            undone_by=str(plan.undone_by),
        )
    what = (
        ", ".join([*(FILE_NAMES[file] for file in files), *(f"vector memory {memory_id}" for memory_id in clashes)])
        or "the hash log"
    )
    return UndoConflictError(
        f"Somebody wrote {what} after this change, so taking it back would lose that too. Look at both and decide.",
        **told,
    )
