"""Vectors for memories, as far as an embeddings endpoint is there (memory.md §16)."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from memory.engine.model_calls import Embedder
from memory.services.workshop import Progress, Step, Workshop
from memory.stores.vector_embeddings import EmbeddingRow, store_embeddings
from memory.stores.vector_embeddings import embed_memories as embed_stored_memories
from memory.stores.vector_reindex import Progress as StoreProgress
from wilmer_site.lib.errors import InvalidError, UpstreamError, WilmerError

logger = logging.getLogger(__name__)

BULK_BATCH_SIZE = 32
"""Texts in one request of a bulk run."""


def embed_memories(workshop: Workshop, texts: Mapping[int, str]) -> int:
    """Embed new memories by id, and some older ones along with them, in one request; returns how many.

    Every failure is logged and ignored: the memories stay searchable by keywords.
    """
    embedder = workshop.embedder
    if embedder is None or not texts:
        return 0
    try:
        wanted = {**texts, **_list_backfill(workshop, embedder, texts)}
        count = _embed(workshop, embedder, wanted)
    except WilmerError as error:
        logger.warning("Memories of %s were not embedded: %s", workshop.ref.text, error.code)
        workshop.report(Progress(Step.EMBEDDING_FAILED, detail=error.message))
        return 0
    workshop.report(Progress(Step.EMBEDDED, count, len(wanted)))
    return count


def embed_everything(workshop: Workshop, *, replace: bool = False, batch_size: int = BULK_BATCH_SIZE) -> StoreProgress:
    """Embed every memory that has no vector of the endpoint's model, with `replace` every memory.

    Stops after three failures in a row, which the result's `problem` says, or when the workshop is cancelled.
    Raises InvalidError without an embeddings endpoint.
    """
    embedder = workshop.embedder
    if embedder is None:
        raise InvalidError("No embeddings endpoint is set; name one as embeddingEndpointName in the memory settings.")
    last = StoreProgress(0, 0)
    steps = embed_stored_memories(
        workshop.database.path,
        embedder.model,
        lambda texts: request_vectors(embedder, texts),
        batch_size=batch_size,
        replace=replace,
    )
    for last in steps:
        workshop.report(Progress(Step.EMBEDDED, last.done, last.total, last.problem or ""))
        if workshop.is_cancelled():
            break
    return last


def request_vectors(embedder: Embedder, texts: Sequence[str]) -> list[list[float]]:
    """A non-empty vector for every text; raises UpstreamError."""
    vectors = embedder.embed(texts)
    if vectors is None:
        raise UpstreamError("The embeddings endpoint gave no answer.")
    if len(vectors) != len(texts) or not all(vectors):
        raise UpstreamError(
            f"The embeddings endpoint gave {len(vectors)} vectors for {len(texts)} texts, or an empty one."
        )
    return vectors


def _list_backfill(workshop: Workshop, embedder: Embedder, new: Mapping[int, str]) -> dict[int, str]:
    size = workshop.settings.backfill_size
    if not size:
        return {}
    candidates = workshop.database.list_unembedded(embedder.model, limit=size + len(new))
    older = [memory for memory in candidates if memory.id not in new]
    return {memory.id: memory.text for memory in older[:size]}


def _embed(workshop: Workshop, embedder: Embedder, texts: Mapping[int, str]) -> int:
    vectors = request_vectors(embedder, list(texts.values()))
    rows = [EmbeddingRow(key, vector, text) for (key, text), vector in zip(texts.items(), vectors, strict=True)]
    return store_embeddings(workshop.database.path, embedder.model, rows)
