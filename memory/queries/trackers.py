"""Everything that says how far memory has got."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memory.engine.chunk_facts import chunk_numbers
from memory.engine.versions import log_version
from memory.results import ApiKeys, DatabaseState, HashMeaning, Trackers
from memory.stores.discussion_files import DiscussionFiles
from memory.stores.readings import recall_list, recall_object
from memory.stores.vector_db import VectorDatabase
from memory.types import Artefact, DiscussionRef, FileReport, FileState, ListFile, ProgressHash
from memory.wiring import open_discussion

PROGRESS_LIMIT = 200
"""How many log rows are shown."""

PENDING_KEY = "PLACEHOLDER_TIMESTAMP_HASH_0000"
"""The one timestamp whose message is not known yet (memory.md §4)."""


def get_trackers(ref: DiscussionRef, keys: ApiKeys) -> Trackers:
    """Trackers, hash log, timestamps and caches, each hash with what it points at.

    Files that are locked or damaged count as empty and their reports say so. Raises DiscussionNotFoundError.
    """
    discussion = open_discussion(ref, keys)
    timestamps = recall_object(discussion, Artefact.TIMESTAMPS)
    condensation = recall_object(discussion, Artefact.CONDENSATION_TRACKER)
    vision = recall_object(discussion, Artefact.VISION_RESPONSES)
    meaning = _explain_with(recall_list(discussion, Artefact.MEMORIES), timestamps.values)
    tracked = condensation.values.get("lastCondensationHash")
    progress, progress_total = _list_progress(discussion, ref)
    return Trackers(
        condensation=meaning(str(tracked)) if tracked else None,
        condensation_report=condensation.report,
        progress=tuple((row, meaning(row.message_hash)) for row in progress),
        progress_total=progress_total,
        timestamps_report=timestamps.report,
        timestamp_count=len(timestamps.values.keys() - {PENDING_KEY}),
        has_pending_timestamp=PENDING_KEY in timestamps.values,
        compactor=_list_compactor(discussion),
        vision_report=vision.report,
        vision_count=len(vision.values),
        log_version=log_version(progress_total, *_name_newest(progress)),
    )


def _explain_with(ledger: ListFile, timestamps: Mapping[str, Any]) -> Callable[[str], HashMeaning]:
    numbers = chunk_numbers(ledger.entries)

    def meaning(message_hash: str) -> HashMeaning:
        stamp = timestamps.get(message_hash)
        return HashMeaning(message_hash, numbers.get(message_hash, ()), None if stamp is None else str(stamp))

    return meaning


def _list_progress(discussion: DiscussionFiles, ref: DiscussionRef) -> tuple[list[ProgressHash], int]:
    if discussion.report(Artefact.VECTOR_MEMORY).state is FileState.UNREADABLE:
        return [], 0
    database = VectorDatabase(discussion.vector_path(), ref.discussion_id)
    if database.describe().state in {DatabaseState.ABSENT, DatabaseState.UNREADABLE}:
        return [], 0
    return database.list_progress(PROGRESS_LIMIT), database.count_progress()


def _name_newest(progress: Sequence[ProgressHash]) -> tuple[int | None, str]:
    return (progress[0].row_id, progress[0].message_hash) if progress else (None, "")


def _list_compactor(discussion: DiscussionFiles) -> tuple[tuple[FileReport, str], ...]:
    """Old, then oldest; the text is that of the first entry (memory.md §23)."""
    files = [recall_list(discussion, part) for part in (Artefact.COMPACTOR_OLD, Artefact.COMPACTOR_OLDEST)]
    return tuple((file.report, file.entries[0].text if file.entries else "") for file in files)
