from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory.results import SearchRequest
from memory.stores.vector_db import VectorDatabase
from memory.stores.vector_search import search
from memory.stores.vector_writes import create_database
from tests.conformance.vectors import cases
from tests.memory.stores.vector_builders import NOW, REF, run_sql

OWN_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'memories_fts_*' ORDER BY name"


@pytest.mark.parametrize("case", cases("memory", "old_databases"))
def test_old_databases(case: dict[str, Any], tmp_path: Path) -> None:
    given, expected = case["input"], case["expected"]
    path = tmp_path / "vector_memory.db"
    run_sql(path, *given["statements"])
    database = VectorDatabase(path, given["discussion_id"])
    before = [item.message_hash for item in database.list_progress()]

    create_database(path)

    tables = [row[0] for row in run_sql(path, OWN_TABLES) if not row[0].startswith("sqlite_")]
    assert tables == expected["tables_after"]
    assert [item.message_hash for item in database.list_progress()] == expected["required_history"] == before
    result = search(database, SearchRequest(given["query"], limit=5), now=NOW, discussion=REF)
    assert [hit.memory.id for hit in result.hits] == expected["search_ids"]
