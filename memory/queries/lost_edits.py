"""Edits of chunks that WilmerAI wrote over, found in the history."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from memory.engine.lost_edits import LedgerWrite, LostEdit, find_lost_edits
from memory.journal.authorship import Origin
from memory.journal.contents import read_bytes
from memory.models import AuditEntry, Revision
from memory.queries.undo_plans import list_revisions
from memory.results import ApiKeys
from memory.stores.discussion_files import DiscussionFiles
from memory.types import Artefact, DiscussionRef, FileState
from memory.wiring import open_discussion
from wilmer_site.lib.clock import utc_now

LOOK_BACK = timedelta(days=3)
"""A condensation is over by then; an older difference is nobody's accident any more."""

MAX_WRITES = 20

DISMISSED = "lost-edit-dismissed"
"""The audit line that tells that somebody has seen one and let it go; its details name the revision and the hash."""


def list_lost_edits(ref: DiscussionRef, keys: ApiKeys) -> tuple[LostEdit, ...]:
    """Texts of chunks that were written by hand in the last days and went with somebody else's write; newest first.
    Those that were dismissed are left out.

    None while the ledger cannot be read. Raises DiscussionNotFoundError.
    """
    files = open_discussion(ref, keys)
    ledger = files.read_memories()
    if ledger.report.state is not FileState.PRESENT:
        return ()
    dismissed = _list_dismissed()
    found = find_lost_edits(_list_writes(files), ledger.entries)
    return tuple(edit for edit in found if (edit.revision_id, edit.hash) not in dismissed)


def find_lost_edit(ref: DiscussionRef, keys: ApiKeys, revision_id: int, number: int) -> LostEdit | None:
    """The lost text of one chunk as one write left it."""
    found = list_lost_edits(ref, keys)
    return next((edit for edit in found if (edit.revision_id, edit.number) == (revision_id, number)), None)


def _list_dismissed() -> set[tuple[object, object]]:
    rows = AuditEntry.objects.filter(at__gte=utc_now() - LOOK_BACK, action=DISMISSED)
    return {(row.details.get("revision"), row.details.get("hash")) for row in rows}


def _list_writes(files: DiscussionFiles) -> Iterator[LedgerWrite]:
    rows = list_revisions(files.ref).filter(
        artefact=Artefact.MEMORIES, state=Revision.State.DONE, created_at__gte=utc_now() - LOOK_BACK
    )
    ours = rows.exclude(origin=Origin.OUTSIDE).order_by("-id").select_related("before", "after")
    for row in ours[:MAX_WRITES]:
        before, after = (files.read_past(Artefact.MEMORIES, read_bytes(side)) for side in (row.before, row.after))
        if FileState.LOCKED in {before.state, after.state}:
            return
        is_edit = row.origin == Origin.EDIT
        yield LedgerWrite(row.pk, row.created_at, row.actor, is_edit, before.entries, after.entries)
