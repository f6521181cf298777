"""Repairs of the vector database: its index, rows that are left over, and its log."""

from __future__ import annotations

from collections.abc import Callable

from memory.engine.wording import format_count
from memory.journal.authorship import current_authorship
from memory.services.editing import Editor, Outcome, check_mode, explaining_disk_errors
from memory.services.repair_kinds import Fix, Repaired, Repairer, by_editing
from memory.services.trackers_editing import adopt_tracker, drop_repeated_rows
from memory.stores.contents import check_usable
from memory.stores.discussion_files import DiscussionFiles
from memory.stores.journaling import RowState
from memory.stores.vector_reindex import delete_orphans, reindex_memories
from memory.stores.vector_restore import list_memory_dates, read_rows
from memory.types import Artefact
from memory.wiring import get_memory_settings, open_discussion
from wilmer_site.lib.errors import WilmerError

RECORDED_MEMORIES = 2_000
"""Of larger databases the rebuilding is noted without the index rows: they hold nothing that is not in the memories."""


def _rebuild_index(repairer: Repairer) -> Repaired:
    try:
        topics = get_memory_settings().indexes_topics
    except WilmerError:
        topics = False

    def rebuild(files: DiscussionFiles) -> str:
        for _ in reindex_memories(files.vector_path(), index_topics=topics):
            pass
        return "Rebuilt the search index"

    return _change_database(repairer, rebuild)


def _remove_orphans(repairer: Repairer) -> Repaired:
    def remove(files: DiscussionFiles) -> str:
        gone = delete_orphans(files.vector_path())
        return f"Removed {format_count(gone, 'row')} of memories that are gone"

    return _change_database(repairer, remove)


def _change_database(repairer: Repairer, change: Callable[[DiscussionFiles], str]) -> Repaired:
    files = open_discussion(repairer.ref, repairer.keys)
    report = files.report(Artefact.VECTOR_MEMORY)
    check_usable(report)
    check_mode(report)
    with files.lock(), explaining_disk_errors(report.path.name), files.recording_rows(_read_all(files)) as record:
        action = change(files)
        record.after = _read_all(files)
    return Repaired(action, current_authorship().batch)


def _read_all(files: DiscussionFiles) -> RowState:
    """Every memory, for a database of ordinary size; nothing for one that is larger or cannot be read."""
    try:
        ids = [memory_id for memory_id, _ in list_memory_dates(files.vector_path())]
        return read_rows(files.vector_path(), files.ref.discussion_id, ids[:RECORDED_MEMORIES]) if ids else RowState()
    except WilmerError:
        return RowState()


def _drop_repeated(editor: Editor, chunk: int) -> Outcome:  # noqa: ARG001 - one signature for all
    return drop_repeated_rows(editor)


def _adopt_tracker(editor: Editor, chunk: int) -> Outcome:  # noqa: ARG001 - one signature for all
    return adopt_tracker(editor)


REBUILD_INDEX = Fix(
    "Rebuilt the search index",
    "Every row of the index is written anew from the memory it belongs to; rows without a memory go. Memories and "
    "embeddings stay as they are, and WilmerAI can go on writing meanwhile.",
    _rebuild_index,
)
REMOVE_ORPHANS = Fix(
    "Removed rows of memories that are gone",
    "Vectors and index rows whose memory is gone are removed, so that no new memory inherits them.",
    _remove_orphans,
)
DROP_REPEATED_ROWS = Fix(
    "Removed repeated rows of the hash log",
    "Of every message that is logged more than once the newest row stays and the older ones go. No memory is changed.",
    by_editing(_drop_repeated, asks=False),
    _drop_repeated,
)
ADOPT_TRACKER = Fix(
    "Logged the hash of the older tracker",
    "The message that the first generation's table names is written into the hash log, where today's WilmerAI looks. "
    "The older table stays.",
    by_editing(_adopt_tracker, asks=False),
    _adopt_tracker,
)
