"""Work on the vector database that leaves every text as it is: new vectors, a new search index."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from memory.engine.model_calls import Watch
from memory.engine.regeneration import Kind
from memory.services.embeddings import BULK_BATCH_SIZE, request_vectors
from memory.services.regeneration_site import Site
from memory.stores.vector_embeddings import embed_memories
from memory.stores.vector_reindex import Progress, reindex_memories
from memory.wiring import build_embedder
from wilmer_site.lib.errors import InvalidError, UpstreamError


@dataclass(frozen=True, slots=True)
class UpkeepPlan:
    """What such work would do."""

    memories: int
    """How many it is about."""
    calls: int
    """Requests to an embeddings endpoint."""
    endpoint: str
    model: str


def plan_upkeep(site: Site) -> UpkeepPlan:
    """How much there is to do; raises InvalidError without memories, or without an endpoint to embed with."""
    database = site.workshop.database
    count = database.count_memories()
    if not count:
        raise InvalidError("There are no vector memories in this discussion.", field="kind")
    if site.request.kind is Kind.INDEX:
        return UpkeepPlan(count, 0, "", "")
    endpoint = site.workshop.settings.text("embeddingEndpointName")
    embedder = build_embedder(endpoint)
    if embedder is None:
        raise InvalidError(
            "No embeddings endpoint is set; name one as embeddingEndpointName in the memory settings.", field="kind"
        )
    left = count if site.request.replaces else len(database.list_unembedded(embedder.model, limit=count))
    if not left:
        raise InvalidError(
            f"Nothing to do: each of the {count:,} memories has a vector of the model {embedder.model!r}.", field="kind"
        )
    return UpkeepPlan(left, -(-left // BULK_BATCH_SIZE), endpoint, embedder.model)


def run_upkeep(site: Site) -> Iterator[Progress]:
    """Do it, telling of each step; stopping between two steps is safe.

    Cancelling ends a request to a silent server. Raises UpstreamError after three failures.
    """
    path, settings = site.workshop.database.path, site.workshop.settings
    if site.request.kind is Kind.INDEX:
        yield from reindex_memories(path, index_topics=settings.indexes_topics)
        return
    embedder = build_embedder(settings.text("embeddingEndpointName"), Watch(site.workshop.is_cancelled))
    if embedder is None:
        raise InvalidError("No embeddings endpoint is set any more (embeddingEndpointName).")
    last = Progress(0, 0)
    steps = embed_memories(
        path,
        embedder.model,
        lambda texts: request_vectors(embedder, texts),
        batch_size=BULK_BATCH_SIZE,
        replace=site.request.replaces,
    )
    for last in steps:
        yield replace(last, problem=None)
    if last.problem:
        raise UpstreamError(last.problem)
