"""Changes to vector memories that a killed process left begun: decided by what the database holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import transaction

from memory.journal.contents import keep_content, read_bytes
from memory.journal.rows import format_rows, parse_rows
from memory.models import Revision
from memory.queries.undo_plans import list_revisions
from memory.stores.discussion_files import DiscussionFiles
from memory.stores.journaling import RowState
from memory.stores.vector_restore import list_memory_dates, read_progress, read_rows
from memory.types import Artefact

_NOTHING = format_rows(RowState())
SLACK = timedelta(seconds=10)
"""A row that the killed change added is at most so much older or younger than its note."""


def settle_rows(files: DiscussionFiles) -> int:
    """Complete or remove every change that was begun and never ended; returns how many. Hold the discussion's lock."""
    begun = list_revisions(files.ref).filter(artefact=Artefact.VECTOR_MEMORY, state=Revision.State.PENDING)
    revisions = list(begun.select_related("before").order_by("id"))
    for revision in revisions:
        _settle(files, revision)
    return len(revisions)


@transaction.atomic
def _settle(files: DiscussionFiles, revision: Revision) -> None:
    data = read_bytes(revision.before)
    before = parse_rows(data) if data else RowState()
    now = _read_now(files, revision, before)
    if _facts(now) == _facts(before):
        revision.delete()
        return
    revision.after = keep_content(format_rows(now))
    revision.state = Revision.State.DONE
    revision.save(update_fields=["after", "state"])


def _read_now(files: DiscussionFiles, revision: Revision, before: RowState) -> RowState:
    """The same rows today, and rows that came about when the change was made."""
    path, discussion_id = files.vector_path(), files.ref.discussion_id
    known = [*(memory.id for memory in before.memories), *before.absent]
    added = [] if known else _list_added(files, revision)
    rows = read_rows(path, discussion_id, [*known, *added])
    ids = {row["id"] for row in before.progress}
    log = [
        row
        for row in (read_progress(path, discussion_id) if ids else ())
        if row["id"] in ids or _is_near(str(row["timestamp"]), revision.created_at)
    ]
    return RowState(rows.memories, rows.absent, tuple(log))


def _list_added(files: DiscussionFiles, revision: Revision) -> list[int]:
    """Memories that came about at that moment and are in no other note."""
    near = [number for number, date in list_memory_dates(files.vector_path()) if _is_near(date, revision.created_at)]
    others = list_revisions(files.ref).filter(
        artefact=Artefact.VECTOR_MEMORY,
        state=Revision.State.DONE,
        created_at__gte=revision.created_at - 2 * SLACK,
    )
    told = {
        memory.id
        for other in others.select_related("after")
        for memory in parse_rows(read_bytes(other.after) or _NOTHING).memories
    }
    return [number for number in near if number not in told]


def _is_near(date: str, moment: datetime) -> bool:
    try:
        found = datetime.fromisoformat(date.strip())
    except ValueError:
        return False
    found = found if found.tzinfo else found.replace(tzinfo=UTC)
    return abs(found - moment) <= SLACK


def _facts(state: RowState) -> tuple[object, ...]:
    return tuple(sorted(state.memories, key=lambda memory: memory.id)), sorted(state.absent), _log(state.progress)


def _log(rows: Iterable[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    return sorted((str(row["id"]), str(row["message_hash"]), str(row["timestamp"])) for row in rows)
