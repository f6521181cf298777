"""The whole answer of a vector memory search in every mode."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest

from memory.queries.retrieval import recall, search_vector_memories
from memory.stores.vector_embeddings import EmbeddingRow, store_embeddings
from memory.stores.vector_recall import RecallRequest
from memory.stores.vector_writes import MemoryBatch, NewMemory, add_memories
from tests.conformance.discussion_world import DiscussionWorld
from tests.conformance.vectors import cases, load
from wilmer_site.lib.errors import UpstreamError

NOW = datetime(2026, 3, 2, tzinfo=UTC)


@dataclass
class OneVectorEmbedder:
    model: str
    vector: Any
    requests: list[list[str]] = field(default_factory=list)

    def embed(self, texts: Sequence[str]) -> list[list[float]] | None:
        self.requests.append(list(texts))
        if self.vector == "error":
            raise UpstreamError("The call fails, as scripted.")
        return None if self.vector == "cancelled" else [self.vector]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> DiscussionWorld:
    data = load("memory", "semantic_search")
    world = DiscussionWorld(tmp_path_factory.mktemp("semantic"), "amber")
    world.home.mkdir(parents=True)
    for row in data["rows"]:
        metadata = {"title": "", "summary": "", "entities": [], "key_phrases": []}
        batch = MemoryBatch((NewMemory(row["memory_text"], metadata),))
        date = datetime.fromisoformat(data["date_added"])
        (memory_id,) = add_memories(world.database_path, world.ref.discussion_id, batch, now=date).ids
        if row["vector"] is not None:
            store_embeddings(world.database_path, "model-a", [EmbeddingRow(memory_id, row["vector"])])
    return world


@pytest.mark.parametrize("case", cases("memory", "semantic_search"))
def test_semantic_search(case: dict[str, Any], world: DiscussionWorld) -> None:
    given, expected = case["input"], case["expected"]
    embedder = OneVectorEmbedder(given["query_model"], given["query_vector"]) if given["embedding_endpoint"] else None
    request = RecallRequest(
        given["keywords"],
        given["search_mode"],
        given["limit"],
        semantic_query=given["semantic_query"],
        model=embedder.model if embedder else None,
    )

    found = recall(world.files, request, now=NOW, embedder=embedder)
    requests = list(embedder.requests) if embedder else []
    text = search_vector_memories(world.files, request, now=NOW, embedder=embedder, with_dates=given["include_dates"])

    assert requests == expected["embedded_texts"]
    assert [memory.id for memory in found] == expected["final_ids"]
    assert text == expected["text"]
