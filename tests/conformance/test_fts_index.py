from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from memory.stores.vector_writes import MemoryBatch, NewMemory, add_memories, create_database
from tests.conformance.vectors import cases
from tests.memory.stores.vector_builders import DISCUSSION, run_sql

COLUMNS = "title, summary, entities, key_phrases, memory_text_unweighted"


@pytest.mark.parametrize("case", cases("memory", "fts_index"))
def test_fts_index(case: dict[str, Any], tmp_path: Path) -> None:
    given, expected = case["input"], case["expected"]
    path = tmp_path / "vector_memory.db"
    create_database(path)
    batch = MemoryBatch((NewMemory(given["memory_text"], given["metadata"]),), index_topics=given["index_topics"])

    added = add_memories(path, DISCUSSION, batch, now=datetime.fromisoformat(given["now"]))

    assert bool(added.ids) == expected["stored"]
    assert run_sql(path, "SELECT count(*) FROM memories") == [(expected["rows"],)]
    assert run_sql(path, "SELECT count(*) FROM memories_fts") == [(expected["index_rows"],)]
    if expected["stored"]:
        row = run_sql(path, "SELECT memory_text, metadata_json, date_added FROM memories")[0]
        assert row == (expected["memory_text"], expected["metadata_json"], expected["date_added"])
        assert run_sql(path, f"SELECT {COLUMNS} FROM memories_fts")[0] == tuple(expected["index"].values())
