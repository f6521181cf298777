"""Giving a discussion another id: files, database rows, and what the console keeps of it."""

from __future__ import annotations

from collections.abc import Callable

from memory.catalogue.refresh import refresh_discussions
from memory.services.arrivals import build_ref, check_free
from memory.services.audit import note
from memory.services.console_rows import check_no_open_job, has_rows, move_rows
from memory.services.editing import explaining_disk_errors
from memory.services.permission import require_changes_allowed
from memory.stores.belongings import list_belongings
from memory.stores.locks import DiscussionLock
from memory.stores.rename_notes import RenameNote, RenameNotes
from memory.stores.renaming import finish_renaming, rename_files
from memory.stores.staging import DiscussionExistsError
from memory.types import DiscussionRef
from memory.wiring import get_public_folder, is_read_only, open_discussion
from wilmer_site.lib.errors import InvalidError, WilmerError

WAIT_SECONDS = 2.0


def rename_discussion(ref: DiscussionRef, new_id: str, *, actor: str) -> DiscussionRef:
    """The discussion under its new id, under the same key; history, transcript and notes go along.

    Chat front ends name discussions by their id, so the chat must name the new one from then on. Raises
    UnsafeDiscussionIdError (W24), DiscussionExistsError, JobOpenError, DiscussionBusyError or LinkedFolderError.
    """
    require_changes_allowed()
    finish_renames()
    files, target, folder = open_discussion(ref), build_ref(new_id, ref), get_public_folder()
    check_free(target)
    check_no_open_job(ref)
    other = DiscussionLock(folder.discussions_root, target)
    with (
        explaining_disk_errors("The discussion"),
        files.processing(WAIT_SECONDS),
        files.lock(),
        other.hold(),
        RenameNotes(folder.discussions_root).noting(ref, target, actor=actor),
    ):
        count = rename_files(folder, ref, target)
        move_rows(ref.text, target.text)
    refresh_discussions([ref, target])
    note(actor, "discussion-renamed", target.text, old=ref.text, files=count)
    return target


def finish_renames() -> int:
    """Finish renamings whose process died in the middle; returns how many. One that is under way is left alone."""
    if is_read_only():
        return 0
    return sum(_finish(note) for note in RenameNotes(get_public_folder().discussions_root).list())


def _finish(unfinished: RenameNote) -> bool:
    folder, old, new = get_public_folder(), unfinished.old, unfinished.new
    locks = [DiscussionLock(folder.discussions_root, ref) for ref in (old, new)]
    try:
        with locks[0].hold(0), locks[1].hold(0), explaining_disk_errors("The discussion"):
            if not unfinished.is_there():
                return False
            count = finish_renaming(folder, old, new)
            if has_rows(old.text):
                move_rows(old.text, new.text)
            unfinished.delete()
    except WilmerError:
        return False
    refresh_discussions([old, new])
    note(unfinished.actor, "discussion-renamed", new.text, old=old.text, files=count)
    return True


def plan_rename(ref: DiscussionRef, new_id: str) -> tuple[DiscussionRef, int]:
    """What it would be called, and how many files would be renamed. Raises as `rename_discussion`."""
    open_discussion(ref)
    target = build_ref(new_id, ref)
    check_free(target)
    check_no_open_job(ref)
    return target, len(list_belongings(get_public_folder(), ref))


def try_rename(ref: DiscussionRef, new_id: str, *, actor: str, say: Callable[[str], None]) -> DiscussionRef | None:
    """As `rename_discussion`; what is wrong with the id is said, and nothing is renamed."""
    try:
        return rename_discussion(ref, new_id, actor=actor)
    except (InvalidError, DiscussionExistsError) as error:
        say(error.message)
        return None
