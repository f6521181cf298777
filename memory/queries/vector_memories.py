"""The vector database of one discussion. It is never encrypted, so no key is needed (W33)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

from memory.engine.versions import memory_version
from memory.errors import MemoryNotFoundError
from memory.results import DatabaseState, VectorStore
from memory.stores.vector_db import VectorDatabase
from memory.types import Artefact, DiscussionRef, FileState, VectorMemory
from memory.wiring import open_discussion, open_vector_database
from wilmer_site.lib.paging import Page, PageRequest


def get_vector_store(ref: DiscussionRef) -> VectorStore:
    """State, counts and generation; `state` tells the kinds of nothing apart (traps V8).

    Raises DiscussionNotFoundError.
    """
    discussion = open_discussion(ref)
    report = discussion.report(Artefact.VECTOR_MEMORY)
    if report.state is FileState.UNREADABLE:
        return VectorStore(report, DatabaseState.UNREADABLE, report.problem, 0, {}, "")
    found = VectorDatabase(discussion.vector_path(), ref.discussion_id).describe()
    return VectorStore(
        report=report,
        state=found.state,
        problem=found.problem,
        memory_count=found.memory_count,
        embedding_counts=found.embedding_counts,
        schema_generation=found.schema_generation,
    )


def list_vector_memories(
    ref: DiscussionRef, page: PageRequest, *, contains: str = "", newest_first: bool = True
) -> Page[VectorMemory]:
    """One page of memories, those whose text or metadata contain a text; empty when the database cannot be read.

    Raises DiscussionNotFoundError.
    """
    if get_vector_store(ref).state in {DatabaseState.ABSENT, DatabaseState.UNREADABLE}:
        return Page([], 0, page.number, page.size)
    database = open_vector_database(ref)
    items = database.list_memories(offset=page.offset, limit=page.size, contains=contains, newest_first=newest_first)
    return Page(items, database.count_memories(contains=contains), page.number, page.size)


def list_versions(ref: DiscussionRef, *, contains: str = "", limit: int) -> dict[int, str | None]:
    """What each memory that contains a text is now, by its id, for changes that must not hit another (see `versions`).

    Raises what keeps the database from being read.
    """
    found = open_vector_database(ref).list_memories(offset=0, limit=limit, contains=contains)
    return {memory.id: memory_version(memory.text, memory.metadata_json) for memory in found}


def list_texts(ref: DiscussionRef, memory_ids: Iterable[int]) -> dict[int, str]:
    """Texts by id; ids that no memory has are left out. Raises what keeps the database from being read."""
    database, found = open_vector_database(ref), {}
    for memory_id in memory_ids:
        with contextlib.suppress(MemoryNotFoundError):
            found[memory_id] = database.get_memory(memory_id).text
    return found


def get_vector_memory(ref: DiscussionRef, memory_id: int) -> VectorMemory:
    """One memory by its row id.

    Raises DiscussionNotFoundError, MemoryNotFoundError, or what keeps the database from being read.
    """
    return open_vector_database(ref).get_memory(memory_id)
