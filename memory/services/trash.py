"""Deleting discussions, and taking that back: files go to the trash by renaming, history and notes wait beside them."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

from memory.catalogue.refresh import refresh_discussions
from memory.engine.wording import format_count
from memory.services.audit import note
from memory.services.console_rows import check_no_open_job, delete_rows, has_rows, move_rows, parked_name
from memory.services.editing import explaining_disk_errors
from memory.services.permission import require_changes_allowed
from memory.stores.belongings import find_home, list_belongings, list_others
from memory.stores.locks import DiscussionLock
from memory.stores.trash import TrashEntry, TrashFolder
from memory.types import DiscussionRef
from memory.wiring import get_public_folder, open_discussion
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.errors import InvalidError, WilmerError

WAIT_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Trashing:
    """What deleting a discussion would move."""

    ref: DiscussionRef
    files: tuple[str, ...]
    size_bytes: int
    others: tuple[str, ...]
    """Names in its folder that stay, because they are no files of a discussion."""
    problem: str = ""
    """Why it cannot be deleted."""


@dataclass(frozen=True, slots=True)
class Trashed:
    """What became of several discussions."""

    entries: tuple[TrashEntry, ...]
    refused: tuple[tuple[DiscussionRef, str], ...] = ()

    def describe(self) -> str:
        """In a sentence, for people."""
        moved = f"{format_count(len(self.entries), 'discussion')} moved to the trash."
        reasons = " ".join(f"{ref.discussion_id!r} stayed: {reason}" for ref, reason in self.refused[:3])
        return f"{moved} {reasons}".strip()


def plan_trashing(ref: DiscussionRef) -> Trashing:
    """Look at what would go. Raises DiscussionNotFoundError."""
    open_discussion(ref)
    folder = get_public_folder()
    try:
        find_home(folder, ref)
        check_no_open_job(ref)
        belongings = list_belongings(folder, ref)
    except WilmerError as error:
        return Trashing(ref, (), 0, (), error.message)
    sizes = sum(item.path.lstat().st_size for item in belongings)
    return Trashing(ref, tuple(item.path.name for item in belongings), sizes, list_others(folder, ref))


def trash_discussion(ref: DiscussionRef, *, actor: str) -> TrashEntry:
    """Move a discussion's files into the trash, its history and transcript with it.

    Raises DiscussionNotFoundError, JobOpenError, DiscussionBusyError, LinkedFolderError or RefusedError.
    """
    require_changes_allowed()
    files = open_discussion(ref)
    check_no_open_job(ref)
    with explaining_disk_errors("The trash"), files.processing(WAIT_SECONDS), files.lock():
        entry = _trash().put(ref, actor=actor, now=utc_now())
        move_rows(ref.text, parked_name(entry.name))
    refresh_discussions([ref])
    note(actor, "discussion-deleted", ref.text, files=entry.file_count, trash=entry.name)
    return entry


def trash_many(refs: Sequence[DiscussionRef], *, actor: str, count: int) -> Trashed:
    """Delete several discussions; those that cannot go are told with the reason, the others go.

    Raises InvalidError unless `count` is how many there are.
    """
    wanted = list(dict.fromkeys(refs))
    require_count(count, len(wanted), "discussion")
    entries, refused = [], []
    for ref in wanted:
        try:
            entries.append(trash_discussion(ref, actor=actor))
        except WilmerError as error:
            refused.append((ref, error.message))
    return Trashed(tuple(entries), tuple(refused))


def list_trash() -> tuple[TrashEntry, ...]:
    """Everything in the trash of the folder that is open, what went last first."""
    return _trash().list()


def get_trashed(name: str) -> TrashEntry:
    """One deleted discussion; raises TrashNotFoundError."""
    return _trash().get(name)


def plan_restore(name: str) -> TrashEntry:
    """What would be put back. Raises as `restore_trashed`."""
    return _trash().check_restore(name)


def restore_trashed(name: str, *, actor: str) -> TrashEntry:
    """Put a deleted discussion back where it was, with its history.

    Raises TrashNotFoundError, TrashClashError, InvalidError or RefusedError.
    """
    require_changes_allowed()
    entry = _trash().get(name)
    with contextlib.ExitStack() as stack:
        stack.enter_context(explaining_disk_errors("The discussion"))
        if entry.ref:
            stack.enter_context(DiscussionLock(get_public_folder().discussions_root, entry.ref).hold())
        _trash().restore(name)
        if entry.ref and has_rows(parked_name(name)):  # None are there when deleting was cut off before they went.
            move_rows(parked_name(name), entry.ref.text)
    if entry.ref:
        refresh_discussions([entry.ref])
        note(actor, "discussion-restored", entry.ref.text, trash=name)
    return entry


def purge_trashed(names: Sequence[str], *, actor: str, count: int) -> int:
    """Delete for ever; returns how many discussions went. Raises InvalidError unless `count` is how many there are."""
    require_changes_allowed()
    wanted = list(dict.fromkeys(names))
    require_count(count, len(wanted), "deleted discussion")
    for name in wanted:
        with explaining_disk_errors("The trash"):
            entry = _trash().purge(name)
        delete_rows(parked_name(name))
        note(actor, "discussion-purged", entry.ref.text if entry.ref else name, files=entry.file_count)
    return len(wanted)


def require_count(asked: int, found: int, what: str) -> None:
    """Raises InvalidError unless a person said how many things go."""
    if not found:
        raise InvalidError(f"Choose at least one {what}.", field="count")
    if asked != found:
        raise InvalidError(f"{format_count(found, what)} would go, not {asked:,}. Type the number.", field="count")


def _trash() -> TrashFolder:
    return TrashFolder(get_public_folder())


__all__ = [
    "TrashEntry",
    "Trashed",
    "Trashing",
    "get_trashed",
    "list_trash",
    "plan_restore",
    "plan_trashing",
    "purge_trashed",
    "require_count",
    "restore_trashed",
    "trash_discussion",
    "trash_many",
]
