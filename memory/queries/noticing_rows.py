"""Vector memories that other programs stored, changed or deleted, noticed by comparing the rows with the history."""

from __future__ import annotations

import contextlib
import uuid
from collections import deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db import transaction
from django.db.models import Max, QuerySet

from memory.engine.history import FIRST_SIGHT
from memory.engine.wording import format_count
from memory.journal.authorship import OUTSIDE, Origin
from memory.journal.contents import ContentDroppedError, keep_content, read_bytes
from memory.journal.rows import format_rows, parse_rows
from memory.models import Revision
from memory.queries.row_settling import SLACK
from memory.queries.undo_plans import list_revisions
from memory.stores.discussion_files import DiscussionFiles
from memory.stores.journaling import RowState
from memory.stores.vector_frequencies import Stamp, read_stamp
from memory.stores.vector_restore import list_memory_dates, list_memory_texts, read_rows
from memory.stores.vector_rows import StoredMemory
from memory.stores.vector_state import reading
from memory.types import Artefact, DiscussionRef
from memory.wiring import get_public_folder
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.errors import WilmerError

MOST_ROWS = 2_000
"""So many memories are kept with one note; of larger databases only what is added is noticed."""

MOST_REVISIONS = 5_000
"""With a longer history what is there by it is not worked out any more; additions are still noticed."""

_UNCHANGED: deque[tuple[Stamp, int | None]] = deque(maxlen=256)
"""Versions of databases, each with the newest revision, that held nothing new: they need not be compared again."""

_OURS = [origin for origin in Origin if origin is not Origin.OUTSIDE]


@dataclass(frozen=True, slots=True)
class _Difference:
    """What the database holds, against what the history knows."""

    added: tuple[int, ...]
    changed: tuple[StoredMemory, ...]
    """As they were."""
    deleted: tuple[StoredMemory, ...]

    def describe(self) -> str:
        """In the past tense: `Stored 1 vector memory, changed 2`."""
        counts = {"stored": len(self.added), "changed": len(self.changed), "deleted": len(self.deleted)}
        first, *others = [(verb, count) for verb, count in counts.items() if count]
        told = f"{first[0].capitalize()} {format_count(first[1], 'vector memory', 'vector memories')}"
        return ", ".join([told, *(f"{verb} {count:,}" for verb, count in others)])

    def before(self) -> RowState:
        """The rows concerned as they were; those that were added only in part are left out."""
        return RowState((*self.changed, *self.deleted), self.added[:MOST_ROWS])

    def ids(self) -> list[int]:
        """All that it is about."""
        return [*(memory.id for memory in (*self.changed, *self.deleted)), *self.added[:MOST_ROWS]]


def notice_rows(files: DiscussionFiles) -> bool:
    """Note what another program did to vector memories since the last look; returns whether it did anything."""
    rows = list_revisions(files.ref).filter(artefact=Artefact.VECTOR_MEMORY)
    last = rows.filter(origin=Origin.OUTSIDE).order_by("-id").first()
    path, discussion_id = files.vector_path(), files.ref.discussion_id
    try:
        with reading(path) as connection:
            look = read_stamp(connection, path), rows.aggregate(newest=Max("id"))["newest"]
        if look in _UNCHANGED:
            return False
        dates = list_memory_dates(path)
        if last is None:
            return bool(dates) and _note_first_sight(files, [number for number, _ in dates])
        difference = _compare(files, rows, last.created_at, dates)
        if not difference.ids():
            _remember_unchanged(*look)
            return False
        now = read_rows(path, discussion_id, difference.ids())
    except WilmerError:
        return False
    return _note(files.ref, difference.describe(), difference.before(), now)


def _remember_unchanged(stamp: Stamp | None, newest: int | None) -> None:
    if stamp is not None:
        _UNCHANGED.append((stamp, newest))


def _compare(
    files: DiscussionFiles, rows: QuerySet[Revision], since: datetime, dates: Iterable[tuple[int, str]]
) -> _Difference:
    known = _list_known(rows)
    told = _list_told(rows.filter(origin__in=_OURS, created_at__gte=since - SLACK))
    found = list_memory_texts(files.vector_path(), known) if known else {}
    new = (number for number, date in dates if _is_after(date, since) and number not in told)
    return _Difference(
        added=tuple(number for number in new if number not in known),
        changed=tuple(memory for key, memory in known.items() if key in found and found[key] != _facts(memory)),
        deleted=tuple(memory for key, memory in known.items() if key not in found),
    )


def _list_known(rows: QuerySet[Revision]) -> dict[int, StoredMemory]:
    """The memories as the history left them, as far as it has kept them."""
    done = rows.filter(state=Revision.State.DONE).order_by("id")
    known: dict[int, StoredMemory] = {}
    if done.count() > MOST_REVISIONS:
        return known
    for revision in done.select_related("after").iterator():
        try:
            data = read_bytes(revision.after)
        except ContentDroppedError:
            known.clear()  # The oldest contents go first: what they and those before them left is not known.
            continue
        if data:
            state = parse_rows(data)
            known |= {memory.id: memory for memory in state.memories}
            _forget(known, state.absent)
    return known


def _forget(known: dict[int, StoredMemory], ids: Collection[int]) -> None:
    for memory_id in ids:
        known.pop(memory_id, None)


def _facts(memory: StoredMemory) -> tuple[str, str | None]:
    return memory.text, memory.metadata_json


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


def _note_first_sight(files: DiscussionFiles, ids: list[int]) -> bool:
    """Nothing was changed, so before and after are the same: the rows, unless there are too many to keep."""
    kept = ids if len(ids) <= MOST_ROWS else []
    state = read_rows(files.vector_path(), files.ref.discussion_id, kept)
    return _note(files.ref, FIRST_SIGHT, state, state)


@transaction.atomic
def _note(ref: DiscussionRef, action: str, before: RowState, after: RowState) -> bool:
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
