"""Exact-text search: what the word index cannot find (memory.md W19). WilmerAI itself has nothing like it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from memory.results import KeywordShare, SearchHit, SearchResult
from memory.stores.vector_db import read_memories
from memory.stores.vector_text_match import count_occurrences, list_texts, register_text_match
from memory.types import DiscussionRef, VectorMemory

_FIND_SQL = "SELECT id, text_match(memory_text, metadata_json) AS found FROM memories WHERE found > 0"
_METADATA_COLUMNS = ("title", "entities", "key_phrases", "topics")


def search_exact_text(connection: sqlite3.Connection, empty: SearchResult, discussion: DiscussionRef) -> SearchResult:
    """Memories whose text or metadata contain any keyword as it is written, letter case ignored.

    Those with more of the keywords come first, then newer ones. Works without the search table. Scores are 0.
    """
    searched = int(connection.execute("SELECT count(*) FROM memories").fetchone()[0])
    if not empty.keywords:
        return replace(empty, searched=searched)
    register_text_match(connection, *empty.keywords)
    found = sorted((-row[1], -row[0]) for row in connection.execute(_FIND_SQL))
    limit = empty.request.limit
    ids = [-negative for _, negative in (found if limit < 0 else found[:limit])]
    memories = read_memories(connection, ids)
    hits = tuple(
        SearchHit(discussion, memory, rank, 0.0, 0.0, 1.0, _shares(memory, empty.keywords))
        for rank, memory in enumerate((memories[memory_id] for memory_id in ids), start=1)
    )
    return replace(empty, hits=hits, matched=len(found), searched=searched)


def _shares(memory: VectorMemory, keywords: Sequence[str]) -> tuple[KeywordShare, ...]:
    columns = [("memory_text", memory.text)]
    columns += [(name, "\n".join(list_texts(memory.metadata.get(name)))) for name in _METADATA_COLUMNS]
    counted = ((keyword, count_occurrences(keyword, columns)) for keyword in keywords)
    return tuple(KeywordShare(keyword, 0.0, counts) for keyword, counts in counted if counts)
