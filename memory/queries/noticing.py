"""Writes of WilmerAI and other programs, noticed by looking. No file is created or changed."""

from __future__ import annotations

import contextlib
import uuid
from datetime import UTC, datetime

from django.db import transaction
from django.db.models import QuerySet

from memory.engine.history import FIRST_SIGHT
from memory.engine.wording import format_count
from memory.journal.authorship import OUTSIDE, Origin
from memory.journal.contents import ContentDroppedError, keep_content, read_bytes
from memory.journal.files import DiscussionJournal
from memory.journal.rows import format_rows, parse_rows
from memory.models import Revision
from memory.queries.row_settling import SLACK, settle_rows
from memory.queries.undo_plans import list_revisions
from memory.results import ApiKeys
from memory.stores.contents import inspect_place, read_whole
from memory.stores.discussion_files import DiscussionFiles
from memory.stores.journaling import RowState
from memory.stores.vector_restore import list_memory_dates, read_rows
from memory.types import Artefact, DiscussionRef
from memory.wiring import get_limit_bytes, get_public_folder, is_read_only, open_discussion
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.errors import WilmerError
from wilmer_site.lib.files import DiscussionBusyError, etag_of

WAIT_SECONDS = 0.2
"""Whoever holds the lock for longer is writing, and notices by itself what others wrote."""

MOST_ROWS = 2_000
"""So many new memories are kept with one note; more at once are only counted."""

_OURS = [origin for origin in Origin if origin is not Origin.OUTSIDE]

WATCHED = tuple(artefact for artefact in Artefact if artefact is not Artefact.VECTOR_MEMORY)


def notice_writes(ref: DiscussionRef, keys: ApiKeys) -> int:
    """Note what other programs wrote to the files of a discussion since the newest revision; returns how much.

    A file that has no revision yet is kept as it is now, so that the next change to it can be taken back. Nothing is
    noted in read-only mode or while somebody writes. Raises DiscussionNotFoundError.
    """
    files = open_discussion(ref, keys)
    if is_read_only():
        return 0
    with contextlib.suppress(DiscussionBusyError, OSError), contextlib.ExitStack() as stack:
        # The lock file is made by our first write. Before that nobody of ours has written, and reading makes no file.
        if files.has_lock_file():
            stack.enter_context(files.lock(WAIT_SECONDS))
            _settle(files)
        return sum(_notice(files, artefact) for artefact in WATCHED) + _notice_rows(files)
    return 0


def _settle(files: DiscussionFiles) -> None:
    """A database that cannot be read is settled by a later look."""
    with contextlib.suppress(WilmerError):
        settle_rows(files)


def _notice(files: DiscussionFiles, artefact: Artefact) -> bool:
    report = inspect_place(files.place(artefact))
    if report.stat and report.stat.size_bytes > get_limit_bytes():
        return False
    try:
        data = read_whole(files.place(artefact))
    except WilmerError:
        return False
    if not list_revisions(files.ref).filter(artefact=artefact).exists():
        return data is not None and _keep_first_sight(files.ref, artefact, data)
    journal = DiscussionJournal(str(get_public_folder().discussions_root), files.ref)
    return journal.notice(artefact, data) is not None


def _notice_rows(files: DiscussionFiles) -> bool:
    """Note vector memories that another program stored since the last look; a database is looked at by dates alone."""
    rows = list_revisions(files.ref).filter(artefact=Artefact.VECTOR_MEMORY)
    last = rows.filter(origin=Origin.OUTSIDE).order_by("-id").first()
    try:
        dates = list_memory_dates(files.vector_path())
    except WilmerError:
        return False
    if last is None:
        return bool(dates) and _note_rows(files.ref, FIRST_SIGHT, RowState(), RowState())
    told = _list_told(rows.filter(origin__in=_OURS, created_at__gte=last.created_at - SLACK))
    new = [number for number, date in dates if _is_after(date, last.created_at) and number not in told]
    if not new:
        return False
    action = f"Stored {format_count(len(new), 'vector memory', 'vector memories')}"
    found = read_rows(files.vector_path(), files.ref.discussion_id, new[:MOST_ROWS])
    return _note_rows(files.ref, action, RowState(absent=tuple(new[:MOST_ROWS])), found)


def _list_told(revisions: QuerySet[Revision]) -> set[int]:
    """Memories that our own writes have noted."""
    told: set[int] = set()
    for revision in revisions.select_related("after"):
        with contextlib.suppress(ContentDroppedError):
            data = read_bytes(revision.after)
            told |= {memory.id for memory in parse_rows(data).memories} if data else set()
    return told


def _is_after(date: str, moment: datetime) -> bool:
    try:
        found = datetime.fromisoformat(date.strip())
    except ValueError:
        return False
    return (found if found.tzinfo else found.replace(tzinfo=UTC)) > moment


@transaction.atomic
def _note_rows(ref: DiscussionRef, action: str, before: RowState, after: RowState) -> bool:
    Revision.objects.create(
        folder=str(get_public_folder().discussions_root),
        discussion=ref.text,
        artefact=Artefact.VECTOR_MEMORY.value,
        created_at=utc_now(),
        actor=OUTSIDE,
        origin=Origin.OUTSIDE,
        action=action,
        batch=uuid.uuid4(),
        before=keep_content(format_rows(before)),
        after=keep_content(format_rows(after)),
        state=Revision.State.DONE,
    )
    return True


@transaction.atomic
def _keep_first_sight(ref: DiscussionRef, artefact: Artefact, data: bytes) -> bool:
    """Nothing was changed, so before and after are the same."""
    keep_content(data)
    Revision.objects.create(
        folder=str(get_public_folder().discussions_root),
        discussion=ref.text,
        artefact=artefact.value,
        created_at=utc_now(),
        actor=OUTSIDE,
        origin=Origin.OUTSIDE,
        action=FIRST_SIGHT,
        batch=uuid.uuid4(),
        before_id=etag_of(data),
        after_id=etag_of(data),
        state=Revision.State.DONE,
    )
    return True
