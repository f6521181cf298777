"""What a workflow's vector memory search answers: keyword, semantic or hybrid, with expansion (memory.md §14)."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memory.engine.ranking import blend_expansion, merge_ranks
from memory.engine.search_query import ParsedQuery, format_semantic_query, parse_query, parse_weights
from memory.stores.vector_db import VectorDatabase, read_memories
from memory.stores.vector_matrices import list_nearest
from memory.stores.vector_ranking import RankOptions
from memory.stores.vector_schema import list_tables
from memory.stores.vector_search import expand_by_entities, is_searchable, run_keyword_pass
from memory.stores.vector_state import reading
from memory.types import VectorMemory
from wilmer_site.lib.errors import NotFoundError

Embed = Callable[[str], Sequence[float] | None]
"""Turns a text into a vector; None when the call failed or was cancelled."""

MODES = ("keyword", "semantic", "hybrid")

_MOST_ROWS = 2**31


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """What a node asks for. `model` is the name its vectors are stored under; None without an embeddings endpoint."""

    keywords: str
    mode: str = "keyword"
    limit: int = 5
    weights: object = None
    use_recency: bool = False
    expand_entities: bool = False
    semantic_query: object = None
    model: str | None = None


def parse_mode(mode: object) -> str:
    """One of `keyword`, `semantic`, `hybrid`; letter case is ignored, anything else is keyword (memory.md §14.3)."""
    name = str(mode or "").strip().lower()
    return name if name in MODES else "keyword"


def recall_memories(
    database: VectorDatabase, request: RecallRequest, *, now: datetime, embed: Embed | None = None
) -> list[VectorMemory]:
    """The memories, best first. An absent database has none.

    `embed` is called before the database is opened. Raises what reading a damaged or locked database raises.
    """
    mode = parse_mode(request.mode) if request.model and embed else "keyword"
    text = format_semantic_query(request.semantic_query, request.keywords)
    vector = embed(text) if embed and mode != "keyword" and text else None
    try:
        with reading(database.path) as connection:
            connection.execute("BEGIN")
            if "memories" not in list_tables(connection):
                return []
            return _Recall(connection, database, request, now).run(mode, vector)
    except NotFoundError:
        return []


class _Recall:
    """One answer being put together on one open connection."""

    def __init__(
        self, connection: sqlite3.Connection, database: VectorDatabase, request: RecallRequest, now: datetime
    ) -> None:
        self._connection = connection
        self._path = database.path
        # A number from a workflow may be larger than SQLite's; no database has more rows than this.
        self._request = request = replace(request, limit=max(-1, min(request.limit, _MOST_ROWS)))
        weights, _ = parse_weights(request.weights)
        self._options = RankOptions(request.limit, weights, now if request.use_recency else None)

    def run(self, mode: str, vector: Sequence[float] | None) -> list[VectorMemory]:
        base = self._base_ids(mode, vector)
        ids = self._expanded(base) if self._request.expand_entities and base else base
        memories = read_memories(self._connection, ids)
        return [memories[memory_id] for memory_id in ids]

    def _base_ids(self, mode: str, vector: Sequence[float] | None) -> list[int]:
        near = self._semantic_ids(vector) if mode != "keyword" else []
        if mode == "semantic" and near:
            return near
        found = self._keyword_ids(parse_query(self._request.keywords))
        if mode == "hybrid" and near and found:
            limit = self._request.limit
            merged = merge_ranks([found, near])
            return merged if limit < 0 else merged[:limit]
        return found or near

    def _semantic_ids(self, vector: Sequence[float] | None) -> list[int]:
        model, limit = self._request.model, self._request.limit
        if vector is None or model is None or "memory_embeddings" not in list_tables(self._connection):
            return []
        return [row_id for row_id, _ in list_nearest(self._connection, self._path, model, vector, limit=limit)]

    def _keyword_ids(self, query: ParsedQuery) -> list[int]:
        if not is_searchable(query):
            return []
        return [row.id for row in run_keyword_pass(self._connection, self._path, query, self._options).rows]

    def _expanded(self, base: list[int]) -> list[int]:
        memories = read_memories(self._connection, base)
        names = expand_by_entities([memories[memory_id] for memory_id in base], self._request.keywords)
        return blend_expansion(base, self._keyword_ids(names), limit=self._request.limit)
