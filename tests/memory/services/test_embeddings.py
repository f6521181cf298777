from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory.services.embeddings import embed_everything
from memory.services.workshop import Workshop
from memory.stores.vector_writes import MemoryBatch, NewMemory, add_memories
from tests.memory.services.worlds import FakeModel, build_workshop
from wilmer_site.lib.errors import InvalidError, UpstreamError


@dataclass
class FakeEmbedder:
    model: str = "m"
    fails: bool = False
    requests: list[list[str]] = field(default_factory=list)

    def embed(self, texts: Sequence[str]) -> list[list[float]] | None:
        self.requests.append(list(texts))
        if self.fails:
            raise UpstreamError("No embeddings today.")
        return [[1.0, 2.0] for _ in texts]


def workshop_with(tmp_path: Path, embedder: FakeEmbedder | None, count: int) -> Workshop:
    workshop = build_workshop(tmp_path, FakeModel(), {}, embedder=embedder)
    batch = MemoryBatch(tuple(NewMemory(str(n), {"title": "", "summary": str(n)}) for n in range(count)))
    add_memories(workshop.database.path, workshop.ref.discussion_id, batch, now=datetime(2026, 1, 1, tzinfo=UTC))
    return workshop


def test_everything_is_embedded_in_batches(tmp_path: Path) -> None:
    embedder = FakeEmbedder()
    workshop = workshop_with(tmp_path, embedder, 5)

    result = embed_everything(workshop, batch_size=2)

    assert [len(request) for request in embedder.requests] == [2, 2, 1]
    assert (result.done, workshop.database.embedding_counts()) == (5, {"m": 5})


def test_three_failures_end_a_bulk_run(tmp_path: Path) -> None:
    embedder = FakeEmbedder(fails=True)

    result = embed_everything(workshop_with(tmp_path, embedder, 9), batch_size=1)

    assert (result.done, len(embedder.requests)) == (0, 3)
    assert result.problem


def test_without_an_endpoint_a_bulk_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidError):
        embed_everything(workshop_with(tmp_path, None, 1))
