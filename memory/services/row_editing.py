"""Changes by people to rows of the vector database: one short transaction, recorded, under the discussion's lock."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from memory.journal.authorship import writing_as
from memory.services.audit import note
from memory.services.editing import Editor, check_mode, explaining_disk_errors
from memory.stores.discussion_files import DiscussionFiles
from memory.stores.journaling import RowState
from memory.stores.vector_db import VectorDatabase
from memory.stores.vector_restore import read_progress, read_rows
from memory.types import Artefact


@dataclass(frozen=True, slots=True)
class RowChange:
    """A change to rows, ready to be made."""

    action: str
    audit: str
    memory_ids: Sequence[int] = ()
    """Memories that are changed or removed."""
    changes_log: bool = False
    details: Mapping[str, object] = field(default_factory=dict)


def open_database(files: DiscussionFiles) -> VectorDatabase:
    """The vector database of an opened discussion; it may not exist."""
    return VectorDatabase(files.vector_path(), files.ref.discussion_id)


def list_log(files: DiscussionFiles) -> tuple[Mapping[str, object], ...]:
    """All log rows, the oldest first; the row of the first-generation tracker (its id is None) is older than all."""
    rows = read_progress(files.vector_path(), files.ref.discussion_id)
    return tuple(sorted(rows, key=lambda row: -1 if row["id"] is None else int(row["id"])))


def make_change(editor: Editor, files: DiscussionFiles, change: RowChange, write: Callable[[], object]) -> uuid.UUID:
    """Do what `write` does, signed and recorded; returns the batch that takes it back.

    If `write` returns a list of ids, those memories were made by it.
    """
    check_mode(files.report(Artefact.VECTOR_MEMORY))
    name = files.vector_path().name
    with files.lock(), explaining_disk_errors(name), writing_as(editor.actor, change.action) as signed:
        before = _read(files, change.memory_ids, change)
        with files.recording_rows(before) as record:
            made = write()
            ids = [*change.memory_ids, *(made if isinstance(made, list) else ())]
            record.after = _read(files, ids, change)
    note(editor.actor, change.audit, editor.ref.text, **change.details)
    return signed.batch


def _read(files: DiscussionFiles, ids: Sequence[int], change: RowChange) -> RowState:
    path, discussion_id = files.vector_path(), files.ref.discussion_id
    log = tuple(list_log(files)) if change.changes_log else ()
    rows = read_rows(path, discussion_id, ids)
    return RowState(rows.memories, rows.absent, log)
