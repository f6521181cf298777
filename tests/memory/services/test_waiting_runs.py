"""What a run finds that had to wait for its turn: the stores may have changed since it decided to wait."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory.engine.triggers import WriterPath
from memory.services.creation import create_memories
from memory.services.results import CreationStatus
from memory.services.workshop import Workshop
from tests.memory.services.worlds import FILE_SETTINGS, VECTOR_SETTINGS, FakeModel, build_workshop, memory_json, talk

STORES = {
    WriterPath.FILE: ("memories.json", FILE_SETTINGS, "damaged"),
    WriterPath.VECTOR: ("vector_memory.db", VECTOR_SETTINGS, "not an SQLite database"),
}


@pytest.mark.parametrize("path", WriterPath)
def test_a_store_that_was_damaged_meanwhile_is_left_alone(
    path: WriterPath, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, settings, reason = STORES[path]
    workshop = build_workshop(tmp_path, FakeModel(memory_json), settings)
    create_memories(workshop, talk(3), path=path)
    store = next(tmp_path.rglob(name))
    before = "[ no store " * 100

    @contextlib.contextmanager
    def wait(self: Workshop, *args: Any) -> Iterator[None]:
        store.write_text(before, encoding="utf-8")
        yield

    monkeypatch.setattr(Workshop, "processing", wait)
    result = create_memories(workshop, talk(9), path=path)

    assert (result.status, store.read_text(encoding="utf-8")) == (CreationStatus.UNREADABLE, before)
    assert reason in (result.problem or "")
