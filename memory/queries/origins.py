"""Which messages and chunks a vector memory probably came from; its own row does not say."""

from __future__ import annotations

from dataclasses import dataclass

from memory.engine.coverage import Coverage, MemoryOrigin
from memory.engine.log_rows import find_row_of, parse_moment
from memory.engine.origin_evidence import OriginEvidence, weigh_origin
from memory.queries.coverage import find_coverage
from memory.queries.transcripts import list_messages
from memory.queries.vector_memories import get_vector_memory
from memory.results import ApiKeys
from memory.stores.vector_db import VectorDatabase
from memory.types import DiscussionRef
from memory.wiring import open_vector_database
from wilmer_site.lib.errors import WilmerError

LOG_LIMIT = 100_000
MAX_WEIGHED = 500
"""So many messages are searched for the words of a memory."""


def find_origin(ref: DiscussionRef, memory_id: int, keys: ApiKeys) -> MemoryOrigin | None:
    """Where a memory came from: the row of the hash log that was written with it, laid on the chat.

    None without a transcript, or when no row fits its time. Raises DiscussionNotFoundError or MemoryNotFoundError.
    """
    memory = get_vector_memory(ref, memory_id)
    coverage = find_coverage(ref, keys)
    rows = _list_rows(open_vector_database(ref))
    position = find_row_of(rows, memory.date_added)
    if coverage is None or position is None:
        return None
    stored, logged = parse_moment(memory.date_added), parse_moment(str(rows[position]["timestamp"]))
    waited = (logged - stored).total_seconds() if stored and logged else 0.0
    return _lay(coverage, rows[position]["id"], waited)


@dataclass(frozen=True, slots=True)
class WeighedOrigin:
    """An origin, and what speaks for it."""

    origin: MemoryOrigin
    evidence: OriginEvidence


def find_origin_evidence(ref: DiscussionRef, memory_id: int, keys: ApiKeys) -> WeighedOrigin | None:
    """The same with how sure it is; the first messages of a very long stretch are looked at. Raises as above."""
    origin = find_origin(ref, memory_id, keys)
    if origin is None:
        return None
    memory = get_vector_memory(ref, memory_id)
    terms = [*memory.listed("entities"), *memory.listed("key_phrases")]
    lines = list_messages(ref, origin.first, min(origin.last, origin.first + MAX_WEIGHED) + 1)
    evidence = weigh_origin(terms, memory.text, (line.text for line in lines), waited_seconds=origin.waited_seconds)
    return WeighedOrigin(origin, evidence)


def _list_rows(database: VectorDatabase) -> list[dict[str, object]]:
    try:
        rows = database.list_progress(LOG_LIMIT)
    except WilmerError:
        return []
    return [{"id": row.row_id or 0, "timestamp": row.timestamp} for row in reversed(rows)]


def _lay(coverage: Coverage, row_id: object, waited_seconds: float) -> MemoryOrigin | None:
    covered = next((item for item in coverage.log if item.number == row_id), None)
    if covered is None or covered.first is None or covered.last is None:
        return None
    chunks = tuple(
        chunk.number
        for chunk in coverage.chunks
        if chunk.first is not None and chunk.last is not None
        if chunk.first <= covered.last and chunk.last >= covered.first
    )
    return MemoryOrigin(covered.first, covered.last, chunks, waited_seconds)
