"""Rolling a discussion back to a message or a chunk, in every layer at once, as one change that can be taken back."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from memory.engine.blast_radius import BlastRadius, Change, measure
from memory.engine.ledger_changes import Layers
from memory.engine.rollback import (
    LogCut,
    LogRow,
    RollbackPoint,
    count_kept_rows,
    cut_log,
    cut_tracker,
    find_first_forgotten,
    find_row,
)
from memory.errors import ChunkNotFoundError
from memory.journal.authorship import writing_as
from memory.queries.consequences import build_outlook
from memory.queries.coverage import list_message_hashes
from memory.queries.noticing import notice_writes
from memory.queries.transcripts import find_transcript, list_messages, no_transcript
from memory.queries.undo_plans import FileStep, RowStep
from memory.results import ApiKeys
from memory.services.audit import note
from memory.services.console_rows import check_no_open_job
from memory.services.editing import check_mode, explaining_disk_errors, read_layers, write_layers
from memory.services.permission import require_changes_allowed
from memory.services.restoring import put_back, put_rows
from memory.services.rollback_layers import plan_compactor, plan_state, plan_summary, plan_timestamps
from memory.services.rollback_ledger import LedgerCut, cut_ledger
from memory.stores.contents import check_usable, read_whole
from memory.stores.discussion_files import DiscussionFiles
from memory.stores.journaling import RowState
from memory.stores.vector_restore import list_memory_dates, read_progress, read_rows
from memory.types import Artefact, DiscussionRef
from memory.wiring import open_discussion
from wilmer_site.lib.errors import ConflictError, InvalidError, NotFoundError, WilmerError

PROGRESS_ROWS = 10
"""So many newest log rows count as progress (memory.md §6)."""


_TOUCHED = (
    Artefact.MEMORIES,
    Artefact.SUMMARY,
    Artefact.CONDENSATION_TRACKER,
    Artefact.TIMESTAMPS,
    Artefact.STATE_DOCUMENT,
    Artefact.COMPACTOR_OLD,
    Artefact.COMPACTOR_OLDEST,
)


class RollbackChangedError(ConflictError):
    """The discussion is not what it was when the rollback was shown."""

    code = "rollback-changed"


@dataclass(frozen=True, slots=True)
class RollbackPlan:
    """What rolling back would leave, in numbers."""

    point: RollbackPoint
    before: Layers
    after: Layers
    log: LogCut
    memory_total: int
    summary: str
    """`none`, `stays`, `restored` from the history, or `removed`."""
    state: str
    """`none`, `stays`, `restored` from the history, or `unknown` when the history does not reach back."""
    state_bytes: bytes | None
    timestamps: Mapping[str, str] | None
    """What is left of them; None: nothing goes."""
    timestamps_removed: int
    radius: BlastRadius
    chunks_kept: int = 0
    """How many of the chunks there are stay."""
    chunks_restored: int = 0
    """How many come back that a later condensation had swallowed."""
    compactor: tuple[Artefact, ...] = ()
    """Files of the context compactor that go."""
    notes: tuple[str, ...] = ()
    digest: str = ""
    """Of everything it was worked out from."""

    @property
    def chunks_removed(self) -> int:
        """How many chunks go."""
        return len(self.before.ledger) - self.chunks_kept

    @property
    def is_empty(self) -> bool:
        """Whether nothing would change."""
        return (
            self.before == self.after
            and not self.log.removed
            and not self.timestamps_removed
            and not self.compactor
            and self.state != "restored"
        )


@dataclass(frozen=True, slots=True)
class RolledBack:
    """A rollback that was made."""

    batch: uuid.UUID
    plan: RollbackPlan


def plan_rollback(
    ref: DiscussionRef, point: RollbackPoint, keys: ApiKeys, *, chat: DiscussionRef | None = None
) -> RollbackPlan:
    """Work out what would go. `chat` names the discussion whose transcript counts, for a copy of it.

    Raises NotFoundError without the transcript that a message needs, ChunkNotFoundError, InvalidError for a message
    that the chat does not have, and what keeps a file from being read.
    """
    notice_writes(chat or ref, keys)  # What WilmerAI condensed since the last look can then come back, too.
    return _plan(open_discussion(ref, keys), point, _read_chat(chat or ref, point), history=chat or ref)


def try_plan(
    ref: DiscussionRef, point: RollbackPoint, keys: ApiKeys, *, say: Callable[[str], None]
) -> RollbackPlan | None:
    """As `plan_rollback`; a point that is not there is said."""
    try:
        return plan_rollback(ref, point, keys)
    except (InvalidError, NotFoundError) as error:
        say(error.message)
        return None


def roll_back(  # noqa: PLR0913 - the digest and the chat are asked for only by some
    ref: DiscussionRef,
    point: RollbackPoint,
    *,
    actor: str,
    keys: ApiKeys,
    digest: str = "",
    chat: DiscussionRef | None = None,
) -> RolledBack:
    """Forget everything from a point on: chunks, vector memories with their log, summary, tracker, times, state.

    `digest` is that of the plan a person saw; another one raises RollbackChangedError. Raises JobOpenError, and what
    planning and writing raise; then nothing was changed.
    """
    require_changes_allowed()
    check_no_open_job(ref)
    notice_writes(chat or ref, keys)
    files, hashes = open_discussion(ref, keys), _read_chat(chat or ref, point)
    with explaining_disk_errors("The discussion"), files.lock():
        plan = _plan(files, point, hashes, history=chat or ref)
        if digest and digest != plan.digest:
            raise RollbackChangedError("The discussion was changed since this was worked out. Look at it again.")
        with writing_as(actor, _describe(point)) as signed:
            _write(files, plan)
    note(actor, "rolled-back", ref.text, chunks=plan.chunks_removed, memories=len(plan.log.memory_ids))
    return RolledBack(signed.batch, plan)


def _describe(point: RollbackPoint) -> str:
    return f"Rolled back to before message {point.message}" if point.message else f"Rolled back to chunk {point.chunk}"


@dataclass(frozen=True, slots=True)
class _Chat:
    """The identities of all messages."""

    ref: DiscussionRef
    hashes: tuple[str, ...] = ()

    def positions(self) -> dict[str, tuple[int, ...]]:
        """Hash → numbers of the messages that have it."""
        found: dict[str, tuple[int, ...]] = {}
        for number, value in enumerate(self.hashes, 1):
            if value:
                found[value] = (*found.get(value, ()), number)
        return found

    def sent_at(self, message: int | None) -> datetime | None:
        """When a message was sent; None when that is not known."""
        line = next(iter(list_messages(self.ref, message, message + 1)), None) if message else None
        return line.sent_at if line else None


def _read_chat(ref: DiscussionRef, point: RollbackPoint) -> _Chat:
    card = find_transcript(ref)
    if point.message is None:
        return _Chat(ref, tuple(list_message_hashes(card.id)) if card else ())
    if card is None:
        raise no_transcript(ref)
    if point.message > card.message_count:
        raise InvalidError(f"The chat has {card.message_count:,} messages, not {point.message:,}.", field="message")
    return _Chat(ref, tuple(list_message_hashes(card.id)))


def _plan(files: DiscussionFiles, point: RollbackPoint, chat: _Chat, *, history: DiscussionRef) -> RollbackPlan:
    layers = read_layers(files)
    cut, message = _cut_ledger(files, layers, point, chat, history)
    rows = _read_log(files)
    memories = list_memory_dates(files.vector_path())
    boundary = cut.entries[-1].hash if cut.entries else ""
    log, notes = _cut_vectors(rows, memories, boundary, (message, chat.hashes))
    before = replace(layers, progress=_progress(rows))
    summary, entries = plan_summary(history, files, layers, cut)
    after = replace(
        before,
        ledger=cut.entries,
        summary=entries,
        tracker=cut_tracker(layers.tracker, layers.ledger, cut.kept),
        progress=_progress(log.kept),
    )
    state, data = plan_state(history, files, chat.sent_at(message))
    positions = chat.positions()
    times, gone = plan_timestamps(files, message, positions)
    return RollbackPlan(
        point=point,
        before=before,
        after=after,
        log=log,
        memory_total=len(memories),
        summary=summary,
        state=state,
        state_bytes=data,
        timestamps=times,
        timestamps_removed=gone,
        radius=_measure(before, after, cut, history),
        chunks_kept=cut.kept,
        chunks_restored=cut.restored,
        compactor=plan_compactor(files, message, positions),
        notes=tuple(notes),
        digest=_digest(before, after, rows, memories, point),
    )


def _measure(before: Layers, after: Layers, cut: LedgerCut, history: DiscussionRef) -> BlastRadius:
    removed = tuple(range(cut.kept + 1, len(before.ledger) + 1))
    return measure(Change(before, after, removed, touches_texts=False), build_outlook(history))


def _cut_ledger(
    files: DiscussionFiles, layers: Layers, point: RollbackPoint, chat: _Chat, history: DiscussionRef
) -> tuple[LedgerCut, int | None]:
    """What stays of the chunks, and the first message that is forgotten, if the chat tells."""
    if point.message is not None:
        return cut_ledger(history, files, layers.ledger, chat.hashes, point.message), point.message
    kept = point.chunk or 0
    if kept > len(layers.ledger):
        raise ChunkNotFoundError(f"There is no chunk {kept}; the ledger holds {len(layers.ledger)}.", number=kept)
    message = find_first_forgotten(layers.ledger, chat.hashes, kept)
    return LedgerCut(layers.ledger[:kept], kept), message


def _cut_vectors(
    rows: tuple[LogRow, ...],
    memories: tuple[tuple[int, str], ...],
    boundary: str,
    asked: tuple[int | None, tuple[str, ...]],
) -> tuple[LogCut, list[str]]:
    """`boundary` is the hash of the newest chunk that stays; `asked` the first message to forget, and the chat."""
    message, hashes = asked
    if not rows:
        text = "Vector memory has no hash log, so it cannot be told which memories are older; all stay."
        return LogCut((), (), ()), [text] if memories else []
    if message is not None:
        return cut_log(rows, count_kept_rows(rows, hashes, message), memories), []
    found = find_row(rows, boundary) if boundary else 0
    if found is None:
        text = (
            "The hash log does not name the last message of that chunk, so the vector memories stay as they are. "
            "With the chat attached they can be told apart."
        )
        return LogCut(rows, (), ()), [text]
    return cut_log(rows, found, memories), []


def _write(files: DiscussionFiles, plan: RollbackPlan) -> None:
    """Everything or nothing: what was written is put back when a later part cannot be."""
    old = {name: read_whole(files.place(name)) for name in _TOUCHED}
    try:
        write_layers(files, replace(plan.before, progress=()), replace(plan.after, progress=()))
        with explaining_disk_errors("The discussion"):
            if plan.timestamps is not None:
                files.write_timestamps(plan.timestamps)
            if plan.state == "restored" and plan.state_bytes is not None:
                files.restore_bytes(Artefact.STATE_DOCUMENT, plan.state_bytes)
            for name in plan.compactor:
                files.delete_file(name)
            if plan.log.removed:
                _write_rows(files, plan.log)
    except WilmerError:
        now = {name: read_whole(files.place(name)) for name in old}
        put_back(files, [FileStep(name, old[name], now[name], now[name]) for name in old], None)
        raise


def _write_rows(files: DiscussionFiles, log: LogCut) -> None:
    check_usable(files.report(Artefact.VECTOR_MEMORY))
    check_mode(files.report(Artefact.VECTOR_MEMORY))
    log_ids = tuple(row.row_id for row in log.removed)
    found = read_rows(files.vector_path(), files.ref.discussion_id, log.memory_ids, log_ids)
    wanted = RowState((), log.memory_ids, ())
    put_rows(files, RowStep(wanted, found, found, frozenset(), log_ids))


def _read_log(files: DiscussionFiles) -> tuple[LogRow, ...]:
    """Oldest first; the first-generation tracker is older than every log row (W09)."""
    rows = read_progress(files.vector_path(), files.ref.discussion_id)
    found = [LogRow(row["id"], str(row["message_hash"]), str(row["timestamp"])) for row in rows]
    return tuple(sorted(found, key=lambda row: -1 if row.row_id is None else row.row_id))


def _progress(rows: tuple[LogRow, ...]) -> tuple[str, ...]:
    return tuple(row.message_hash for row in reversed(rows[-PROGRESS_ROWS:]))


def _digest(*facts: object) -> str:
    return hashlib.sha256(repr(facts).encode("utf-8", "backslashreplace")).hexdigest()[:32]
