"""Carrying memory over: a discussion copied into a new one, whole, in part, or as it was at a message."""

from __future__ import annotations

import stat
from collections.abc import Callable
from dataclasses import dataclass

from memory.engine.rollback import RollbackPoint
from memory.queries.transcripts import find_transcript
from memory.results import ApiKeys
from memory.services.arrivals import build_ref, check_free, copy_transcript, note_arrival
from memory.services.audit import note
from memory.services.editing import explaining_disk_errors
from memory.services.permission import require_changes_allowed
from memory.services.rollback import RollbackPlan, plan_rollback, roll_back
from memory.services.trash import purge_trashed, trash_discussion
from memory.stores.contents import inspect_place
from memory.stores.discussion_files import DiscussionFiles
from memory.stores.staging import DiscussionExistsError, building, copy_place, rename_rows, snapshot_database
from memory.types import Artefact, DiscussionRef, FileState, Generation
from memory.wiring import get_public_folder, open_discussion
from wilmer_site.lib.errors import InvalidError, NotFoundError

GROUPS: dict[str, tuple[Artefact, ...]] = {
    "chunks": (Artefact.MEMORIES, Artefact.CONDENSATION_TRACKER),
    "summary": (Artefact.SUMMARY,),
    "vector": (Artefact.VECTOR_MEMORY,),
    "state": (Artefact.STATE_DOCUMENT, Artefact.STATE_DOCUMENT_BACKUP),
    "rest": (Artefact.TIMESTAMPS, Artefact.VISION_RESPONSES, Artefact.COMPACTOR_OLD, Artefact.COMPACTOR_OLDEST),
}
"""What can be carried over on its own."""

_LINES = {Generation.GUIDE_NESTED, Generation.GUIDE_FLAT}


@dataclass(frozen=True, slots=True)
class CopyOrder:
    """What goes where."""

    new_id: str
    groups: tuple[str, ...] = tuple(GROUPS)
    with_transcript: bool = True
    point: RollbackPoint | None = None
    """A fork: everything from there on is left out of the copy."""


@dataclass(frozen=True, slots=True)
class Copied:
    """The new discussion."""

    ref: DiscussionRef
    files: int
    messages: int


def copy_discussion(ref: DiscussionRef, order: CopyOrder, *, actor: str, keys: ApiKeys) -> Copied:
    """Make a new discussion of an old one; the old one is only read.

    The copy is under the same key, and its files lie where WilmerAI keeps them today. Raises UnsafeDiscussionIdError,
    DiscussionExistsError, InvalidError for nothing to copy, or what reading a file or rolling back raises.
    """
    require_changes_allowed()
    target = build_ref(order.new_id, ref)
    check_free(target)
    files = open_discussion(ref, keys)
    if order.point is not None:
        plan_rollback(ref, order.point, keys)  # Says what is wrong before anything is made.
    with files.lock():
        count = _copy_files(files, target, _list_wanted(files, order))
    message = order.point.message if order.point else None
    up_to = None if message is None else message - 1
    messages = copy_transcript(ref, target, up_to=up_to, actor=actor) if order.with_transcript else 0
    note_arrival(target, actor=actor, action=f"Copied from {ref.discussion_id}")
    note(actor, "discussion-copied", target.text, source=ref.text, files=count)
    if order.point is not None:
        _cut(ref, target, order.point, actor=actor, keys=keys)
    return Copied(target, count, messages)


def plan_copy(ref: DiscussionRef, order: CopyOrder, *, keys: ApiKeys) -> tuple[Copied, RollbackPlan | None]:
    """What a copy would hold, and for a fork what would be left out. Raises as `copy_discussion`."""
    target = build_ref(order.new_id, ref)
    check_free(target)
    plan = plan_rollback(ref, order.point, keys) if order.point else None
    files = len(_list_wanted(open_discussion(ref, keys), order))
    return Copied(target, files, _count_messages(ref, order)), plan


def try_copy(
    ref: DiscussionRef, order: CopyOrder, *, actor: str, keys: ApiKeys, say: Callable[[str], None]
) -> Copied | None:
    """As `copy_discussion`; what is wrong with the order is said, and nothing is made."""
    try:
        return copy_discussion(ref, order, actor=actor, keys=keys)
    except (InvalidError, DiscussionExistsError, NotFoundError) as error:
        say(error.message)
        return None


def _cut(ref: DiscussionRef, target: DiscussionRef, point: RollbackPoint, *, actor: str, keys: ApiKeys) -> None:
    """Roll the copy back; the chat and the times of the old one say where. A copy that cannot be cut goes again."""
    try:
        roll_back(target, point, actor=actor, keys=keys, chat=ref)
    except BaseException:
        purge_trashed([trash_discussion(target, actor=actor).name], actor=actor, count=1)
        raise


def _list_wanted(files: DiscussionFiles, order: CopyOrder) -> list[Artefact]:
    unknown = [name for name in order.groups if name not in GROUPS]
    if unknown or not order.groups:
        raise InvalidError(f"Choose at least one of {', '.join(GROUPS)}.", field="groups")
    wanted = [artefact for name in dict.fromkeys(order.groups) for artefact in GROUPS[name]]
    there = [name for name in wanted if inspect_place(files.place(name)).state is not FileState.ABSENT]
    if not there:
        raise InvalidError("None of the files chosen exists, so there is nothing to copy.", field="groups")
    return there


def _count_messages(ref: DiscussionRef, order: CopyOrder) -> int:
    card = find_transcript(ref) if order.with_transcript else None
    if card is None:
        return 0
    return order.point.message - 1 if order.point and order.point.message else card.message_count


def _copy_files(files: DiscussionFiles, target: DiscussionRef, wanted: list[Artefact]) -> int:
    folder = get_public_folder()
    with explaining_disk_errors("The copy"), building(folder, target) as staging:
        for artefact in wanted:
            place = files.place(artefact)
            # JSON lines keep the name that says so.
            is_lines = place.generation in _LINES and place.path.suffix.lower() == ".jsonl"
            temp = staging.add_lines(artefact) if is_lines else staging.add_current(artefact)
            if artefact is Artefact.VECTOR_MEMORY:
                snapshot_database(files.vector_path(), temp)
                rename_rows(temp, files.ref.discussion_id, target.discussion_id)
            else:
                copy_place(place, temp)
            # Memory of the copy is to be written on, whatever protects the old one.
            temp.chmod(stat.S_IMODE(temp.stat().st_mode) | stat.S_IRUSR | stat.S_IWUSR)
        staging.commit()
    return len(wanted)
