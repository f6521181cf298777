"""Writes of WilmerAI and other programs, noticed by looking. No file is created or changed."""

from __future__ import annotations

import contextlib
import uuid

from django.db import transaction

from memory.engine.history import FIRST_SIGHT
from memory.journal.authorship import OUTSIDE, Origin
from memory.journal.contents import keep_content
from memory.journal.files import DiscussionJournal
from memory.models import Revision
from memory.queries.noticing_rows import notice_rows
from memory.queries.row_settling import settle_rows
from memory.queries.undo_plans import list_revisions
from memory.results import ApiKeys
from memory.stores.contents import inspect_place, read_whole
from memory.stores.discussion_files import DiscussionFiles
from memory.types import Artefact, DiscussionRef
from memory.wiring import get_limit_bytes, get_public_folder, is_read_only, open_discussion
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.errors import StorageError, WilmerError
from wilmer_site.lib.files import DiscussionBusyError, ReadOnlyFileError, etag_of

WAIT_SECONDS = 0.2
"""Whoever holds the lock for longer is writing, and notices by itself what others wrote."""

WATCHED = tuple(artefact for artefact in Artefact if artefact is not Artefact.VECTOR_MEMORY)


def notice_writes(ref: DiscussionRef, keys: ApiKeys) -> int:
    """Note what other programs wrote to the files of a discussion since the newest revision; returns how much.

    A file that has no revision yet is kept as it is now, so that the next change to it can be taken back. Nothing is
    noted in read-only mode or while somebody writes. Raises DiscussionNotFoundError.
    """
    files = open_discussion(ref, keys)
    if is_read_only():
        return 0
    with (
        contextlib.suppress(DiscussionBusyError, ReadOnlyFileError, StorageError, OSError),
        contextlib.ExitStack() as stack,
    ):
        # The lock file is made by our first write. Before that nobody of ours has written, and reading makes no file.
        if files.has_lock_file():
            stack.enter_context(files.lock(WAIT_SECONDS))
            _settle(files)
        return sum(_notice(files, artefact) for artefact in WATCHED) + notice_rows(files)
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
