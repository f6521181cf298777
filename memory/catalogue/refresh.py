"""Keeps the catalogue in step with the public folder: a scan by `stat` alone, then only what changed is opened.

Any thread and any process may call in. A small folder is scanned within the call, so what it lists is true at that
moment. A large one is scanned in the background, because no page may wait for ten thousand folders; the rows that a
page shows are looked at again one by one (docs/decisions, "A catalogue of discussions").
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.db import connections, transaction

from memory.catalogue.facts import gather_facts
from memory.catalogue.rows import (
    assess,
    build_entry,
    build_problems,
    build_signature,
    build_unread_entry,
    is_legacy,
)
from memory.errors import DiscussionNotFoundError, UnsafeDiscussionIdError
from memory.models import CatalogueEntry, CatalogueProblem
from memory.results import DatabaseState, HealthCheck
from memory.stores.discussion_folders import DiscussionFolders, ScannedFiles
from memory.stores.folder_facts import find_stamp
from memory.types import DiscussionRef
from memory.wiring import get_discussion_folders, get_public_folder, open_discussion

INLINE_SECONDS = 0.15
"""A scan that is not expected to take longer runs within the call."""

READ_SECONDS = 1.0
"""How long a call goes on opening changed discussions before the rest is left to the background."""

PAUSE_FACTOR = 10
"""A scan that took one second is repeated after ten at the earliest, so that scanning never takes over."""

HURRIED_FACTOR = 2
"""The same when the discussions folder itself has changed: somebody has begun, deleted or moved a discussion."""

SMALL_FOLDER = 200
"""A folder of at most so many discussions is scanned within every call, however busy the machine is."""

QUICK_BYTES = 32 * 1024 * 1024
"""A discussion of at most so many bytes is opened within a call; checking larger databases takes seconds."""

_BATCH = 200
_UPDATED_FIELDS = [field.name for field in CatalogueEntry._meta.concrete_fields if field.name not in {"id", "ref"}]
_logger = logging.getLogger(__name__)


@dataclass(slots=True)
class _Schedule:
    """When the last scan of which folder was, and what it cost."""

    root: Path | None = None
    stamp: int = 0
    """The discussions folder's own time when the scan began."""
    count: int = 0
    """How many discussions it found."""
    cost_seconds: float = 0.0
    finished_at: float = 0.0

    def is_due(self, root: Path) -> bool:
        """Whether the pause after the last scan is over; another folder is due at once."""
        if root != self.root or self.count <= SMALL_FOLDER:
            return True
        factor = PAUSE_FACTOR if find_stamp(root) == self.stamp else HURRIED_FACTOR
        return time.monotonic() - self.finished_at >= self.cost_seconds * factor

    def is_quick(self, root: Path) -> bool:
        """Whether a scan may run within a call. The first one of a process does, so that there is something to show."""
        return root != self.root or self.count <= SMALL_FOLDER or self.cost_seconds <= INLINE_SECONDS

    def note(self, root: Path, stamp: int, count: int, *, since: float) -> None:
        """Remember a scan that has just ended and began at `since`, a monotonic time."""
        self.root, self.stamp, self.count = root, stamp, count
        self.finished_at = time.monotonic()
        self.cost_seconds = self.finished_at - since


_schedule = _Schedule()
_refreshing = threading.Lock()


def refresh_catalogue() -> None:
    """Bring the catalogue up to date, or see to it that this happens soon.

    When another thread is at it already, what it has found so far must do.
    """
    root = get_public_folder().discussions_root
    if not _schedule.is_due(root) or not _refreshing.acquire(blocking=False):
        return
    is_complete = True
    try:
        is_complete = _schedule.is_quick(root) and _refresh_within_call(root)
    finally:
        if is_complete:
            _refreshing.release()
        else:
            threading.Thread(target=_refresh_in_background, args=(root,), name="catalogue", daemon=True).start()


def refresh_fully() -> None:
    """Scan now, open everything that changed, and return when it is done. For commands and measurements."""
    with _refreshing:
        _scan(get_public_folder().discussions_root)
        _read_unread(deadline=None)


def refresh_discussions(refs: Sequence[DiscussionRef]) -> None:
    """Look at some discussions again now: a `stat` of each file, and only those that changed are opened.

    Large ones keep their rows until `refresh_catalogue` has opened them in the background.
    """
    known = CatalogueEntry.objects.filter(ref__in=[ref.text for ref in refs], is_read=True)
    signatures = dict(known.values_list("ref", "signature"))
    folders = get_discussion_folders()
    found = {ref: folders.look(ref) for ref in refs}
    _forget([ref.text for ref, files in found.items() if files is None])
    changed = [
        ref
        for ref, files in found.items()
        if files is not None and _is_quick(files) and signatures.get(ref.text) != build_signature(files)
    ]
    _read_and_store(changed, folders)


def forget_schedule() -> None:
    """Make the next call scan, whatever the last scan cost. For tests."""
    _schedule.root = None


@dataclass(frozen=True, slots=True)
class _Reading:
    """One discussion, read: its row and its findings."""

    entry: CatalogueEntry
    checks: tuple[HealthCheck, ...]


def _refresh_within_call(root: Path) -> bool:
    """Whether everything that changed could be opened in the time a call may take."""
    _scan(root)
    return _read_unread(deadline=time.monotonic() + READ_SECONDS)


def _refresh_in_background(root: Path) -> None:
    """The lock was taken by the thread that started this one."""
    try:
        _scan(root)
        _read_unread(deadline=None)
    except Exception:
        # Nobody waits for this thread: the next call tries again, and the log must say why the list is old.
        _logger.exception("The catalogue of discussions could not be refreshed.")
    finally:
        connections.close_all()
        _refreshing.release()


def _scan(root: Path) -> None:
    """Find new, changed and vanished discussions without opening any."""
    start, stamp = time.monotonic(), find_stamp(root)
    found = get_discussion_folders().scan()
    known = dict(CatalogueEntry.objects.values_list("ref", "signature"))
    fresh, changed = [], []
    for ref, files in found.items():
        signature = build_signature(files)
        if ref.text not in known:
            fresh.append(build_unread_entry(ref, files, signature))
        elif known.pop(ref.text) != signature:
            changed.append(ref.text)
    CatalogueEntry.objects.bulk_create(fresh, batch_size=_BATCH, ignore_conflicts=True)
    for some in _batches(changed):
        CatalogueEntry.objects.filter(ref__in=some).update(is_read=False)
    _forget(list(known))
    _schedule.note(root, stamp, len(found), since=start)


def _read_unread(*, deadline: float | None) -> bool:
    """Open what was never opened or has changed, newest first; False when something is left.

    With a deadline, large discussions are left in any case.
    """
    waiting = CatalogueEntry.objects.filter(is_read=False).order_by("-last_write_ns")
    sizes = dict(waiting.values_list("ref", "size_bytes"))
    now = [ref for ref, size in sizes.items() if deadline is None or size <= QUICK_BYTES]
    folders = get_discussion_folders()
    for some in _batches(now, size=20):
        if deadline is not None and time.monotonic() > deadline:
            return False
        _read_and_store([DiscussionRef.parse(text) for text in some], folders)
    return len(now) == len(sizes)


def _is_quick(files: ScannedFiles) -> bool:
    return sum(stat.size_bytes for _, _, stat in files.values()) <= QUICK_BYTES


def _read_and_store(refs: Sequence[DiscussionRef], folders: DiscussionFolders) -> None:
    readings = {ref: _find_reading(ref, folders) for ref in refs}
    _store([reading for reading in readings.values() if reading is not None])
    _forget([ref.text for ref, reading in readings.items() if reading is None])


def _find_reading(ref: DiscussionRef, folders: DiscussionFolders) -> _Reading | None:
    """The signature is taken before reading: what changes in between is noticed the next time. None: it is gone."""
    try:
        files = folders.look(ref)
        facts = gather_facts(open_discussion(ref, folders=folders), folders.folder)
    except (DiscussionNotFoundError, UnsafeDiscussionIdError):
        return None
    card, checks = assess(facts)
    # A database that somebody holds right now may be readable in a moment without any file having changed.
    is_settled = facts.database.state is not DatabaseState.UNREADABLE
    signature = build_signature(files or {}) if is_settled else ""
    return _Reading(build_entry(card, signature, is_legacy=is_legacy(facts)), checks)


def _store(readings: Sequence[_Reading]) -> None:
    """Rows and findings together, so that no list counts problems that it cannot show."""
    if not readings:
        return
    with transaction.atomic():
        CatalogueEntry.objects.bulk_create(
            [reading.entry for reading in readings],
            update_conflicts=True,
            unique_fields=["ref"],
            update_fields=_UPDATED_FIELDS,
        )
        # After an update the given objects do not know the ids of their rows.
        rows = CatalogueEntry.objects.in_bulk([reading.entry.ref for reading in readings], field_name="ref")
        CatalogueProblem.objects.filter(entry__in=rows.values()).delete()
        CatalogueProblem.objects.bulk_create(
            [problem for reading in readings for problem in build_problems(rows[reading.entry.ref], reading.checks)]
        )


def _forget(texts: Sequence[str]) -> None:
    for some in _batches(texts):
        CatalogueEntry.objects.filter(ref__in=some).delete()


def _batches(texts: Sequence[str], *, size: int = _BATCH) -> Iterator[Sequence[str]]:
    for start in range(0, len(texts), size):
        yield texts[start : start + size]
