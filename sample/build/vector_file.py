"""Writes a vector database from hand-written memories, through the same store that the product uses."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Any

import numpy as np
import wordllama

from memory.stores.vector_embeddings import embed_memories
from memory.stores.vector_writes import MemoryBatch, NewMemory, add_memories
from memory.types import DiscussionId
from sample.build.replay import VectorChunk
from sample.build.sources import SourceError

EMBEDDING_MODEL = "wordllama-l2-256"
"""What the endpoint `Built-In-Embeddings` calls its model."""

_TABLES = {
    "memories": "SELECT * FROM memories ORDER BY id",
    "memories_fts": "SELECT rowid, * FROM memories_fts ORDER BY rowid",
    "vector_memory_hash_log": "SELECT * FROM vector_memory_hash_log ORDER BY id",
    "memory_embeddings": "SELECT memory_id, model, dim, vector FROM memory_embeddings ORDER BY memory_id, model",
}
_LARGEST_DIFFERENCE = 1e-5
"""Between vectors of the same text on two processors."""


@dataclass(frozen=True, slots=True)
class VectorPlan:
    """What goes into the database of one discussion."""

    discussion_id: str
    chunks: Sequence[VectorChunk]
    memories: Mapping[str, Sequence[Mapping[str, Any]]]
    has_embeddings: bool
    """False for databases from before July 2026 (memory.md §3.4)."""


def build_database(path: Path, plan: VectorPlan) -> None:
    """Create the database at `path`, which must not exist."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for chunk in plan.chunks:
        _store_chunk(path, plan, chunk)
    if plan.has_embeddings:
        _add_embeddings(path)
    else:
        _forget_embeddings(path)


def list_rows(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table, by table; a table that is absent is left out."""
    with contextlib.closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        known = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        return {name: list(connection.execute(sql)) for name, sql in _TABLES.items() if name in known}


def has_same_rows(one: Path, other: Path) -> bool:
    """Whether two databases say the same; vectors may differ in their last digits."""
    left, right = list_rows(one), list_rows(other)
    vectors = [tables.pop("memory_embeddings", []) for tables in (left, right)]
    return left == right and _have_same_vectors(*vectors)


def embed_texts(texts: Iterable[str]) -> list[list[float]]:
    """Vectors of 256 numbers from the built-in static embedder; nothing is downloaded."""
    folder = Path(wordllama.__file__).parent
    embedder = wordllama.WordLlama.load(cache_dir=folder, disable_download=True)
    return [[float(value) for value in vector] for vector in embedder.embed(list(texts))]


def _store_chunk(path: Path, plan: VectorPlan, chunk: VectorChunk) -> None:
    written = plan.memories.get(chunk.covers)
    if not written:
        raise SourceError(f"{plan.discussion_id}: vector_memories.json says nothing of messages {chunk.covers}.")
    batch = MemoryBatch(
        tuple(NewMemory(memory["summary"], memory) for memory in written), message_hash=chunk.hash, index_topics=True
    )
    added = add_memories(path, DiscussionId(plan.discussion_id), batch, now=chunk.stored.replace(tzinfo=UTC))
    if added.refused:
        raise SourceError(f"{plan.discussion_id}: a memory of messages {chunk.covers} is refused: {added.refused}.")


def _add_embeddings(path: Path) -> None:
    problems = [progress.problem for progress in embed_memories(path, EMBEDDING_MODEL, embed_texts)]
    if any(problems):
        raise SourceError(f"{path.name}: embedding failed: {problems}.")


def _forget_embeddings(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TABLE memory_embeddings")


def _have_same_vectors(one: list[tuple[Any, ...]], other: list[tuple[Any, ...]]) -> bool:
    if [row[:3] for row in one] != [row[:3] for row in other]:
        return False
    pairs = ((np.frombuffer(a[3], "<f4"), np.frombuffer(b[3], "<f4")) for a, b in zip(one, other, strict=True))
    return all(np.allclose(a, b, atol=_LARGEST_DIFFERENCE) for a, b in pairs)
