"""Vectors of memories: written in one place, made anew in batches (memory.md §16)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from memory.engine.similarity import pack_vector
from memory.stores.vector_reindex import Progress
from memory.stores.vector_schema import list_tables
from memory.stores.vector_state import reading
from memory.stores.vector_writes import changing
from wilmer_site.lib.errors import NotFoundError, UpstreamError, WilmerError

MAX_FAILURES = 3
"""Consecutive failed calls after which re-embedding stops."""

EmbedBatch = Callable[[list[str]], Sequence[Sequence[float]]]
"""Turns texts into as many vectors; raises a WilmerError when the call fails."""


@dataclass(frozen=True, slots=True)
class EmbeddingRow:
    """A vector for a memory, and the text it was made from."""

    memory_id: int
    vector: Sequence[float]
    text: str | None = None
    """When given, the vector is stored only while the memory still has this text."""


def embed_memories(
    path: Path, model: str, embed: EmbedBatch, *, batch_size: int = 32, replace: bool = False
) -> Iterator[Progress]:
    """Give every memory without a vector of this model one, and with `replace` every memory a new one.

    No transaction is open while `embed` runs. A failing call is tried with the next batch; after three failures in a
    row the last progress has the `problem` and the work ends.
    """
    todo = _list_for_embedding(path, model, replace=replace)
    done = skipped = failures = 0
    for start in range(0, len(todo), batch_size):
        ids = todo[start : start + batch_size]
        texts = _read_texts(path, ids)
        try:
            vectors = list(embed(list(texts.values()))) if texts else []
            _check_vectors(vectors, len(texts))
        except WilmerError as error:
            failures, skipped = failures + 1, skipped + len(ids)
            yield Progress(done, len(todo), skipped, error.message)
            if failures == MAX_FAILURES:
                return
            continue
        failures = 0
        rows = [EmbeddingRow(key, vector, text) for (key, text), vector in zip(texts.items(), vectors, strict=True)]
        stored = store_embeddings(path, model, rows)
        done, skipped = done + stored, skipped + len(ids) - stored
        yield Progress(done, len(todo), skipped)


def store_embeddings(path: Path, model: str, rows: Sequence[EmbeddingRow]) -> int:
    """Write vectors and return how many; those of memories gone or changed meanwhile are left out.

    A vector without its memory would be inherited by the next one (traps V2).
    """
    if not rows or not path.exists():
        return 0
    statement = (
        "INSERT OR REPLACE INTO memory_embeddings (memory_id, model, dim, vector)"
        " SELECT id, ?, ?, ? FROM memories WHERE id = ? AND (? IS NULL OR memory_text = ?)"
    )
    with changing(path) as connection:
        return sum(
            connection.execute(
                statement,
                (model, len(row.vector), pack_vector(row.vector), row.memory_id, row.text, row.text),
            ).rowcount
            for row in rows
        )


def _list_for_embedding(path: Path, model: str, *, replace: bool) -> list[int]:
    with contextlib.suppress(NotFoundError), reading(path) as connection:
        tables = list_tables(connection)
        if "memories" not in tables:
            return []
        known: set[int] = set()
        if not replace and "memory_embeddings" in tables:
            rows = connection.execute("SELECT memory_id FROM memory_embeddings WHERE model = ?", (model,))
            known = {row[0] for row in rows}
        return [row[0] for row in connection.execute("SELECT id FROM memories ORDER BY id") if row[0] not in known]
    return []


def _read_texts(path: Path, ids: Sequence[int]) -> dict[int, str]:
    marks = ", ".join("?" for _ in ids)
    with reading(path) as connection:
        rows = connection.execute(f"SELECT id, memory_text FROM memories WHERE id IN ({marks}) ORDER BY id", tuple(ids))
        return {row[0]: str(row[1]) for row in rows}


def _check_vectors(vectors: Sequence[Sequence[float]], wanted: int) -> None:
    if len(vectors) != wanted or not all(len(vector) for vector in vectors):
        raise UpstreamError(f"The embeddings endpoint answered {len(vectors)} usable vectors for {wanted} texts.")
