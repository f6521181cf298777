"""Vector memories added, changed and deleted by hand, in all their places at once (traps V1 to V5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memory.engine.blast_radius import BlastRadius, Consequence, Weight
from memory.engine.log_rows import find_row_of, parse_moment
from memory.engine.versions import memory_version
from memory.engine.wording import format_count
from memory.errors import MemoryNotFoundError
from memory.queries.consequences import get_settings_in_force
from memory.services.editing import Clash, Edited, Editor, Outcome, check_text, keep_line_ends
from memory.services.row_editing import RowChange, list_log, make_change, open_database
from memory.stores.discussion_files import DiscussionFiles
from memory.stores.vector_index_row import UnstorableMemoryError, build_index_row
from memory.stores.vector_writes import (
    MemoryBatch,
    MemoryChange,
    MemoryChangedError,
    NewMemory,
    add_memories,
    delete_memories,
    delete_progress,
    edit_memory,
    get_stored_memory,
)
from memory.types import VectorMemory
from memory.wiring import open_discussion
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.errors import InvalidError

REQUIRED_KEYS = {"title": "", "entities": [], "key_phrases": []}
"""What WilmerAI's own memories always have besides `summary` (memory.md §12.1)."""


MAX_REMOVAL = 10_000
"""So many go in one transaction, which keeps it far below the five seconds that WilmerAI waits (traps V5)."""


@dataclass(frozen=True, slots=True)
class MemoryEdit:
    """What a memory shall be: its text, and metadata that are laid over those it has; None removes a key."""

    text: str
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MemoryRemoval:
    """Which memories go, each with the version that was seen; None takes whatever is there."""

    versions: Mapping[int, str | None]
    cuts_log: bool = False
    """Cut the hash log back, so that the messages these memories came from are processed again."""


def add_memory(editor: Editor, edit: MemoryEdit) -> Edited:
    """Store a new memory. Raises InvalidError or UnstorableMemoryError for what cannot be stored."""
    check_text(edit.text, "A memory")
    metadata = {**REQUIRED_KEYS, **_without_nothing(edit.metadata), "summary": edit.text}
    topics = get_settings_in_force().indexes_topics
    build_index_row(edit.text, metadata, index_topics=topics)
    files = open_discussion(editor.ref, editor.keys)
    radius = BlastRadius((_found_by_search(), _without_embeddings(0)))
    if editor.is_dry_run:
        return Edited("Added a vector memory", radius)
    made: list[int] = []

    def write() -> list[int]:
        batch = MemoryBatch((NewMemory(edit.text, metadata),), index_topics=topics)
        added = add_memories(files.vector_path(), editor.ref.discussion_id, batch, now=utc_now())
        if added.refused:
            raise UnstorableMemoryError(added.refused[0][1])
        made.extend(added.ids)
        return made

    batch = make_change(editor, files, RowChange("Added a vector memory", "vector-memory-added"), write)
    stored = get_stored_memory(files.vector_path(), made[0])
    version = memory_version(stored.text, stored.metadata_json)
    return Edited("Added a vector memory", radius, batch, made[0], version)


def change_memory(editor: Editor, memory_id: int, edit: MemoryEdit, *, version: str | None = None) -> Outcome:
    """Change a memory's text and metadata; keys that are not named stay. Its vectors go when its text changes."""
    check_text(edit.text, "A memory")
    files = open_discussion(editor.ref, editor.keys)
    now = open_database(files).get_memory(memory_id)
    seen = memory_version(now.text, now.metadata_json)
    text = keep_line_ends(now.text, edit.text)
    metadata = _without_nothing({**now.metadata, **edit.metadata, "summary": text})
    is_same = text == now.text and metadata == now.metadata
    if version not in (None, seen) and not is_same:
        return Clash(f"vector memory {memory_id}", now.text, text, seen, memory_id)
    build_index_row(text, metadata, index_topics=False)
    radius = _measure_edit(now, text)
    action = f"Edited vector memory {memory_id}"
    if editor.is_dry_run or is_same:
        return Edited(action, radius, number=memory_id, version=seen)
    change = MemoryChange(text, metadata, expected_version=seen)
    row_change = RowChange(action, "vector-memory-edited", [memory_id], details={"id": memory_id})
    try:
        batch = make_change(editor, files, row_change, lambda: edit_memory(files.vector_path(), memory_id, change))
    except MemoryChangedError as error:
        theirs = memory_version(error.extra["text"], error.extra["metadata_json"])
        return Clash(f"vector memory {memory_id}", error.extra["text"], text, theirs, memory_id)
    stored = get_stored_memory(files.vector_path(), memory_id)
    return Edited(action, radius, batch, memory_id, memory_version(stored.text, stored.metadata_json))


def remove_memories(editor: Editor, removal: MemoryRemoval) -> Outcome:
    """Delete memories with their search rows and vectors. Raises MemoryNotFoundError for an id without a version."""
    if not 0 < len(removal.versions) <= MAX_REMOVAL:
        raise InvalidError(f"Choose 1 to {MAX_REMOVAL:,} memories to delete at once.", field="ids")
    files = open_discussion(editor.ref, editor.keys)
    found = _find(files, list(removal.versions))
    for memory_id, seen in removal.versions.items():
        memory = found.get(memory_id)
        if memory is None and seen is None:
            raise MemoryNotFoundError(f"There is no vector memory {memory_id}.", id=memory_id)
        now = memory_version(memory.text, memory.metadata_json) if memory else ""
        if seen not in (None, now):
            return Clash(f"vector memory {memory_id}", memory.text if memory else None, "", now, memory_id)
    return _remove(editor, files, list(found.values()), cuts_log=removal.cuts_log)


def _remove(editor: Editor, files: DiscussionFiles, memories: Sequence[VectorMemory], *, cuts_log: bool) -> Edited:
    ids = [memory.id for memory in memories]
    what = f"vector memory {ids[0]}" if len(ids) == 1 else format_count(len(ids), "vector memory", "vector memories")
    rows = list(list_log(files))
    first = find_row_of(rows, min((memory.date_added for memory in memories), default=""))
    cut = rows[first:] if cuts_log and first is not None else []
    radius = _measure_removal(files, memories, len(rows[first:]) if first is not None else 0, cuts_log=bool(cut))
    if editor.is_dry_run:
        return Edited(f"Deleted {what}", radius)
    path, discussion_id = files.vector_path(), editor.ref.discussion_id

    def write() -> None:
        delete_memories(path, ids)
        if cut:
            row_ids = [int(str(row["id"])) for row in cut if row["id"] is not None]
            delete_progress(path, discussion_id, row_ids=row_ids, tracker=any(row["id"] is None for row in cut))

    change = RowChange(
        f"Deleted {what}", "vector-memories-deleted", ids, changes_log=bool(cut), details={"count": len(ids)}
    )
    return Edited(f"Deleted {what}", radius, make_change(editor, files, change, write))


def _find(files: DiscussionFiles, ids: Sequence[int]) -> dict[int, VectorMemory]:
    database = open_database(files)
    found = {}
    for memory_id in ids:
        try:
            found[memory_id] = database.get_memory(memory_id)
        except MemoryNotFoundError:
            continue
    return found


def _without_nothing(metadata: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in metadata.items() if value is not None}


def _measure_edit(now: VectorMemory, text: str) -> BlastRadius:
    nothing = Consequence("text-only", "Nothing is processed again.", Weight.NOTHING)
    if text == now.text:
        kept = Consequence("embeddings-stay", "The text stays, and with it its embeddings.", Weight.NOTHING)
        return BlastRadius((nothing, kept))
    return BlastRadius((nothing, _found_by_search(), _without_embeddings(len(now.embedding_models))))


def _found_by_search() -> Consequence:
    return Consequence("search", "Keyword search finds the new words at once, and only those.", Weight.NOTHING)


def _without_embeddings(count: int) -> Consequence:
    if count:
        text = f"Its embeddings of {format_count(count, 'model')} describe the old text and are dropped."
    else:
        text = "It has no embedding yet."
    text += " Semantic search finds it again once WilmerAI or this console has embedded it."
    return Consequence("embeddings-dropped", text, Weight.NOTE if count else Weight.NOTHING, {"embeddings": count})


def _measure_removal(
    files: DiscussionFiles, memories: Sequence[VectorMemory], behind: int, *, cuts_log: bool
) -> BlastRadius:
    count = len(memories)
    if not cuts_log:
        text = "Not made again: the hash log says that their messages were processed."
        return BlastRadius((Consequence("not-regenerated", text, Weight.NOTE, {"memories_deleted": count}),))
    oldest = min(memory.date_added for memory in memories)
    later = _count_since(files, oldest) - count
    found = [
        Consequence(
            "reprocessed",
            f"The messages behind {format_count(behind, 'logged chunk')} are processed again into vector memories.",
            Weight.WARNING,
            {"chunks_of_messages_again": behind},
        )
    ]
    if later > 0:
        text = f"{format_count(later, 'later memory', 'later memories')} that stay will be made a second time."
        found.append(Consequence("made-twice", text, Weight.WARNING, {"memories_twice": later}))
    return BlastRadius(tuple(found))


def _count_since(files: DiscussionFiles, date: str) -> int:
    """How many memories were stored at that time or later."""
    database, since = open_database(files), parse_moment(date)
    memories = database.list_memories(offset=0, limit=database.count_memories())
    moments = [parse_moment(memory.date_added) for memory in memories]
    return sum(moment >= since for moment in moments if moment and since)
