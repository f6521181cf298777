"""How far memory has got, set by hand: the vector boundary, the hash log, the condensation tracker, a pending time."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from memory.engine.blast_radius import BlastRadius, Change, Consequence, Weight
from memory.engine.ledger_changes import Layers, check_hash, get_entry
from memory.engine.new_messages import HISTORY_DEPTH
from memory.engine.timestamps import PENDING
from memory.engine.versions import log_version
from memory.engine.wording import format_count
from memory.journal.authorship import writing_as
from memory.queries.transcripts import find_message_hash
from memory.services.audit import note
from memory.services.editing import (
    Clash,
    Edited,
    Editor,
    Outcome,
    PlannedChange,
    change_layers,
    check_mode,
    explaining_disk_errors,
    measure_change,
)
from memory.services.notes import CondensedEntry
from memory.services.notes_database import DatabaseAttemptLog
from memory.services.row_editing import RowChange, list_log, make_change
from memory.stores.contents import check_usable
from memory.stores.discussion_files import DiscussionFiles
from memory.stores.vector_writes import delete_progress, log_progress
from memory.types import ObjectFile
from memory.wiring import get_public_folder, open_discussion
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.errors import InvalidError, NotFoundError

Row = Mapping[str, object]

NOTHING_CONDENSED = CondensedEntry("", "")


@dataclass(frozen=True, slots=True)
class _LogPlan:
    """What shall become of the hash log."""

    action: str
    removed: tuple[Row, ...] = ()
    added: str | None = None


def move_vector_boundary(editor: Editor, message_hash: str, *, version: str | None = None) -> Outcome:
    """Let vector memory go on behind the message with that hash.

    A hash that is logged cuts the log back to it; any other is logged anew. Raises InvalidError for what is no hash.
    """
    check_hash(message_hash)

    def plan(rows: Sequence[Row]) -> _LogPlan:
        at = next(
            (place for place in range(len(rows) - 1, -1, -1) if rows[place]["message_hash"] == message_hash), None
        )
        if at is None:
            return _LogPlan("Moved the boundary of vector memory", added=message_hash)
        return _LogPlan("Moved the boundary of vector memory back", tuple(rows[at + 1 :]))

    return _change_log(editor, plan, version)


def move_vector_boundary_to(editor: Editor, number: int, *, version: str | None = None) -> Outcome:
    """The same, with a message named by its number in the transcript."""
    found = find_message_hash(editor.ref, number)
    if not found:
        raise InvalidError(
            f"There is no message {number} that memory could have processed. Attach the chat, or give a hash.",
            field="message",
        )
    return move_vector_boundary(editor, found, version=version)


def cut_log(editor: Editor, keep: int, *, version: str | None = None) -> Outcome:
    """Keep the oldest `keep` rows of the hash log; 0 lets the whole conversation be processed again."""

    def plan(rows: Sequence[Row]) -> _LogPlan:
        if not 0 <= keep <= len(rows):
            raise InvalidError(
                f"The hash log has {format_count(len(rows), 'row')}; keep 0 to all of them.", field="keep"
            )
        what = format_count(len(rows) - keep, "row")
        return _LogPlan(f"Cut the hash log back by {what}", tuple(rows[keep:]))

    return _change_log(editor, plan, version)


def drop_repeated_rows(editor: Editor) -> Outcome:
    """Keep only the newest log row of every message."""

    def plan(rows: Sequence[Row]) -> _LogPlan:
        newest = {row["message_hash"]: row["id"] for row in rows}
        repeated = tuple(row for row in rows if row["id"] is not None and newest[row["message_hash"]] != row["id"])
        return _LogPlan(f"Removed {format_count(len(repeated), 'repeated row')} of the hash log", repeated)

    return _change_log(editor, plan, None)


def adopt_tracker(editor: Editor) -> Outcome:
    """Log the message that the first generation's tracker names, for today's WilmerAI reads the log alone (W09)."""

    def plan(rows: Sequence[Row]) -> _LogPlan:
        if any(row["id"] is not None for row in rows) or not rows:
            return _LogPlan("The hash log has rows already")
        return _LogPlan("Logged the hash of the older tracker", added=str(rows[-1]["message_hash"]))

    return _change_log(editor, plan, None)


def set_condensation(editor: Editor, number: int | None) -> Outcome:
    """Let condensation go on behind a chunk; None removes the tracker, so that every chunk counts as new."""

    def plan(layers: Layers) -> PlannedChange:
        if number is None:
            after = replace(layers, tracker="")
            return PlannedChange("Removed the condensation tracker", after, "condensation-moved", touches_texts=False)
        tracker = get_entry(layers.ledger, number).hash
        if not tracker:
            raise InvalidError(f"Chunk {number} has no hash, so the tracker cannot name it.", field="chunk")
        action = f"Moved the condensation tracker to chunk {number}"
        after = replace(layers, tracker=tracker)
        return PlannedChange(action, after, "condensation-moved", number, touches_texts=False)

    outcome = change_layers(editor, plan)
    if isinstance(outcome, Edited) and outcome.is_changed:
        # Else the next run would take the tracker for one that a crash left behind, and move it on again (W35).
        DatabaseAttemptLog(get_public_folder().discussions_root).save_condensed(editor.ref, NOTHING_CONDENSED)
    return outcome


def delete_pending_timestamp(editor: Editor) -> Edited:
    """Forget the time that waits for its message. Raises NotFoundError when none does."""
    files = open_discussion(editor.ref, editor.keys)
    action = "Deleted the pending timestamp"
    text = "The answer that was being generated gets the time of the next turn instead."
    radius = BlastRadius((Consequence("pending-time", text, Weight.NOTHING),))
    if editor.is_dry_run:
        _read_times(files)
        return Edited(action, radius)
    with files.lock():
        now = _read_times(files)
        check_mode(now.report)
        kept = {key: value for key, value in now.values.items() if key != PENDING}
        with writing_as(editor.actor, action) as signed, explaining_disk_errors(now.report.path.name):
            files.write_timestamps(kept, expected_etag=now.report.etag)
    note(editor.actor, "timestamp-deleted", editor.ref.text)
    return Edited(action, radius, signed.batch)


def _read_times(files: DiscussionFiles) -> ObjectFile:
    now = files.read_timestamps()
    check_usable(now.report)
    if PENDING not in now.values:
        raise NotFoundError("No timestamp waits for its message.")
    return now


def _change_log(editor: Editor, plan: Callable[[Sequence[Row]], _LogPlan], version: str | None) -> Outcome:
    files = open_discussion(editor.ref, editor.keys)
    if editor.is_dry_run:
        rows = list_log(files)
        planned = plan(rows)
        return Edited(planned.action, _measure(editor, rows, _apply(rows, planned)), version=_version_of(rows))
    with files.lock():
        rows = list_log(files)
        if version not in (None, _version_of(rows)):
            newest = str(rows[-1]["message_hash"]) if rows else None
            return Clash("the hash log", newest, "", _version_of(rows))
        planned = plan(rows)
        radius = _measure(editor, rows, _apply(rows, planned))
        if not planned.removed and planned.added is None:
            return Edited(planned.action, radius, version=_version_of(rows))
        batch = _write(editor, files, planned)
        return Edited(planned.action, radius, batch, version=_version_of(list_log(files)))


def _write(editor: Editor, files: DiscussionFiles, planned: _LogPlan) -> uuid.UUID:
    path, discussion_id = files.vector_path(), editor.ref.discussion_id
    row_ids = [int(str(row["id"])) for row in planned.removed if row["id"] is not None]
    has_tracker = any(row["id"] is None for row in planned.removed)

    def write() -> None:
        if planned.removed:
            delete_progress(path, discussion_id, row_ids=row_ids, tracker=has_tracker)
        if planned.added is not None:
            log_progress(path, discussion_id, planned.added, now=utc_now())

    change = RowChange(planned.action, "hash-log-changed", changes_log=True, details={"removed": len(planned.removed)})
    return make_change(editor, files, change, write)


def _apply(rows: Sequence[Row], planned: _LogPlan) -> list[Row]:
    kept = [row for row in rows if row not in planned.removed]
    return [*kept, {"id": 0, "message_hash": planned.added, "timestamp": ""}] if planned.added is not None else kept


def _measure(editor: Editor, before: Sequence[Row], after: Sequence[Row]) -> BlastRadius:
    change = Change(Layers(progress=_known(before)), Layers(progress=_known(after)), touches_texts=False)
    return measure_change(editor.ref, change)


def _known(rows: Sequence[Row]) -> tuple[str, ...]:
    """What the writer looks at: the newest rows, newest first (memory.md §12 step 3)."""
    return tuple(str(row["message_hash"]) for row in reversed(rows))[:HISTORY_DEPTH]


def _version_of(rows: Sequence[Row]) -> str:
    newest = rows[-1] if rows else {"id": None, "message_hash": ""}
    row_id = None if newest["id"] is None else int(str(newest["id"]))
    return log_version(len(rows), row_id, str(newest["message_hash"]))
