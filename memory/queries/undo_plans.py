"""What taking back a batch of writes would do, and whether somebody has written since."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from django.db.models import QuerySet

from memory.journal.contents import read_bytes
from memory.journal.rows import parse_rows
from memory.models import Revision
from memory.results import ApiKeys
from memory.stores.contents import read_whole
from memory.stores.discussion_files import DiscussionFiles
from memory.stores.journaling import RowState
from memory.stores.vector_restore import read_rows
from memory.stores.vector_rows import StoredMemory
from memory.types import Artefact, DiscussionRef
from memory.wiring import get_public_folder, open_or_create_discussion
from wilmer_site.lib.errors import NotFoundError
from wilmer_site.lib.files import etag_of


class RevisionNotFoundError(NotFoundError):
    """The journal has no such revision or batch of this discussion; it may have been dropped to save space."""

    code = "revision-not-found"


@dataclass(frozen=True, slots=True)
class FileStep:
    """One file that goes back to what it was."""

    artefact: Artefact
    wanted: bytes | None
    """What it will hold; None: it will be removed."""
    expected: bytes | None
    """What the batch left."""
    found: bytes | None
    """What it holds now."""
    is_interleaved: bool = False
    """Somebody else wrote between two writes of the batch."""

    @property
    def is_conflict(self) -> bool:
        """Whether going back would lose what somebody else wrote."""
        return self.is_interleaved or self.expected != self.found

    @property
    def found_etag(self) -> str:
        """The version that was looked at; empty for no file."""
        return "" if self.found is None else etag_of(self.found)


@dataclass(frozen=True, slots=True)
class RowStep:
    """Vector memories and log rows that go back to what they were."""

    wanted: RowState
    expected: RowState
    found: RowState
    taken: frozenset[int]
    """Ids that another memory has by now; the old one comes back under a new id."""
    log_ids: tuple[int | None, ...] = ()
    is_interleaved: bool = False

    @property
    def clashes(self) -> tuple[int, ...]:
        """Ids of memories that are no longer what the batch left."""
        expected, found = _by_id(self.expected.memories), _by_id(self.found.memories)
        ids = [*expected, *self.expected.absent]
        return tuple(memory_id for memory_id in ids if memory_id not in self.taken and
                     expected.get(memory_id) != found.get(memory_id))  # fmt: skip

    @property
    def is_log_changed(self) -> bool:
        """Whether the log rows are no longer what the batch left."""
        return _log_facts(self.expected.progress) != _log_facts(self.found.progress)

    @property
    def is_conflict(self) -> bool:
        """Whether going back would lose what somebody else wrote."""
        return bool(self.clashes) or self.is_log_changed or self.is_interleaved


@dataclass(frozen=True, slots=True)
class UndoPlan:
    """What taking back a batch would do."""

    batch: uuid.UUID
    action: str
    actor: str
    at: datetime
    files: tuple[FileStep, ...]
    rows: RowStep | None
    undone_by: uuid.UUID | None = None
    """The batch that took this one back already, unless that was taken back as well."""

    @property
    def is_conflict(self) -> bool:
        """Whether somebody has written since, so that a person must decide."""
        return any(step.is_conflict for step in self.files) or (self.rows is not None and self.rows.is_conflict)

    @property
    def artefacts(self) -> tuple[Artefact, ...]:
        """The files it is about."""
        rows = (Artefact.VECTOR_MEMORY,) if self.rows else ()
        return (*(step.artefact for step in self.files), *rows)


def plan_undo(ref: DiscussionRef, batch: uuid.UUID, keys: ApiKeys) -> UndoPlan:
    """Compare what a batch left with what is there now. Raises RevisionNotFoundError."""
    revisions = _list_batch(ref, batch)
    files = open_or_create_discussion(ref, keys)
    first = revisions[0]
    return UndoPlan(
        batch=batch,
        action=first.action,
        actor=first.actor,
        at=first.created_at,
        files=tuple(_file_steps(files, [item for item in revisions if not is_of_rows(item)])),
        rows=_row_step(files, [item for item in revisions if is_of_rows(item)]),
        undone_by=find_undoing(ref, batch),
    )


def find_undoing(ref: DiscussionRef, batch: uuid.UUID) -> uuid.UUID | None:
    """The batch that took another one back; None when there is none, or when that one was taken back as well."""
    undo = list_revisions(ref).filter(undoes=batch, state=Revision.State.DONE).order_by("-id").first()
    return None if undo is None or find_undoing(ref, undo.batch) else undo.batch


def require_batch(ref: DiscussionRef, batch: uuid.UUID) -> None:
    """Raise RevisionNotFoundError unless the history of a discussion has this batch."""
    if not list_revisions(ref).filter(batch=batch).exists():
        raise _missing(ref, batch)


def list_revisions(ref: DiscussionRef) -> QuerySet[Revision]:
    """All revisions of one discussion of the folder that is open."""
    return Revision.objects.filter(folder=str(get_public_folder().discussions_root), discussion=ref.text)


def is_of_rows(revision: Revision) -> bool:
    """Whether it is about rows of the vector database rather than a file."""
    return revision.artefact == Artefact.VECTOR_MEMORY


def plan_rows(files: DiscussionFiles, states: Sequence[tuple[RowState, RowState | None]]) -> RowStep:
    """What putting rows back takes, for changes in the order they were made: before and after each."""
    pairs = [(before, after or RowState()) for before, after in states]
    wanted = _fold([(after, before) for before, after in reversed(pairs)])
    expected = _fold(pairs)
    ids = dict.fromkeys([*_ids(wanted), *_ids(expected)])
    log_ids = tuple(dict.fromkeys(row["id"] for pair in pairs for state in pair for row in state.progress))
    found = read_rows(files.vector_path(), files.ref.discussion_id, ids, log_ids)
    taken = set(expected.absent) & {memory.id for memory in found.memories} & {memory.id for memory in wanted.memories}
    is_unknown = any(after is None for _, after in states)
    return RowStep(wanted, expected, found, frozenset(taken), log_ids, is_unknown or _is_interleaved(states))


def _list_batch(ref: DiscussionRef, batch: uuid.UUID) -> list[Revision]:
    found = list_revisions(ref).filter(batch=batch, state=Revision.State.DONE)
    revisions = list(found.select_related("before", "after").order_by("id"))
    if not revisions:
        raise _missing(ref, batch)
    return revisions


def _missing(ref: DiscussionRef, batch: uuid.UUID) -> RevisionNotFoundError:
    return RevisionNotFoundError(
        f"The history of {ref.discussion_id!r} has no such change. It may have been dropped to save space "
        "(WILMER_HISTORY_MB).",
        batch=str(batch),
    )


def _file_steps(files: DiscussionFiles, revisions: Sequence[Revision]) -> Iterable[FileStep]:
    for name in dict.fromkeys(item.artefact for item in revisions):
        own = [item for item in revisions if item.artefact == name]
        pairs = pairwise(own)
        yield FileStep(
            artefact=Artefact(name),
            wanted=read_bytes(own[0].before),
            expected=read_bytes(own[-1].after),
            found=read_whole(files.place(Artefact(name))),
            is_interleaved=any(later.before_id != earlier.after_id for earlier, later in pairs),
        )


def _row_step(files: DiscussionFiles, revisions: Sequence[Revision]) -> RowStep | None:
    if not revisions:
        return None
    return plan_rows(files, [_states_of(item) for item in revisions])


def _states_of(revision: Revision) -> tuple[RowState, RowState | None]:
    before, after = read_bytes(revision.before), read_bytes(revision.after)
    return parse_rows(before) if before else RowState(), parse_rows(after) if after else None


def _fold(changes: Iterable[tuple[RowState, RowState]]) -> RowState:
    """What is there after several changes: each takes its first state away and puts its second in the place."""
    rows: dict[int, StoredMemory | None] = {}
    log: dict[int | None, Mapping[str, Any] | None] = {}
    for gone, there in changes:
        rows |= dict.fromkeys([*_ids(gone), *there.absent])
        rows |= _by_id(there.memories)
        log |= dict.fromkeys(row["id"] for row in gone.progress)
        log |= {row["id"]: row for row in there.progress}
    memories = tuple(memory for memory in rows.values() if memory)
    absent = tuple(key for key, memory in rows.items() if memory is None)
    return RowState(memories, absent, tuple(row for row in log.values() if row))


def _is_interleaved(states: Sequence[tuple[RowState, RowState | None]]) -> bool:
    """Whether a row was something else at the beginning of a change than the change before had left it."""
    left: dict[int, StoredMemory | None] = {}
    for before, after in states:
        if any(memory.id in left and left[memory.id] != memory for memory in before.memories):
            return True
        if after is not None:
            left |= dict.fromkeys(after.absent)
            left |= _by_id(after.memories)
    return False


def _ids(state: RowState) -> list[int]:
    return [*(memory.id for memory in state.memories), *state.absent]


def _by_id(memories: Iterable[StoredMemory]) -> dict[int, StoredMemory]:
    return {memory.id: memory for memory in memories}


def _log_facts(rows: Iterable[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    return sorted((str(row["id"]), str(row["message_hash"]), str(row["timestamp"])) for row in rows)
