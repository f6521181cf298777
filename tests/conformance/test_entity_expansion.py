from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from memory.engine.ranking import format_result_text
from memory.engine.search_query import parse_query, parse_weights
from memory.results import SearchRequest
from memory.stores.vector_db import VectorDatabase, read_memories
from memory.stores.vector_ranking import RankOptions
from memory.stores.vector_recall import RecallRequest, recall_memories
from memory.stores.vector_search import expand_by_entities, run_keyword_pass, search
from memory.stores.vector_state import reading
from tests.conformance.vectors import cases, load
from tests.memory.stores.vector_builders import REF, build_corpus

FILE = load("memory", "entity_expansion")
NOW = datetime.fromisoformat(FILE["now"])


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> dict[str, VectorDatabase]:
    folder = tmp_path_factory.mktemp("corpora")
    return {name: build_corpus(folder / f"{name}.db", rows) for name, rows in FILE["corpora"].items()}


def run_passes(database: VectorDatabase, given: dict[str, Any]) -> list[dict[str, Any]]:
    """The searches that are made, in the form of the recording."""
    weights, _ = parse_weights(given["bm25_weights"])
    options = RankOptions(given["limit"], weights, NOW if given["use_recency"] else None)
    with reading(database.path) as connection:
        connection.execute("BEGIN")
        base = [
            row.id for row in run_keyword_pass(connection, database.path, parse_query(given["keywords"]), options).rows
        ]
        passes = [{"query": given["keywords"], "ids": base}]
        memories = read_memories(connection, base)
        names = expand_by_entities([memories[row_id] for row_id in base], given["keywords"])
        if given["use_entity_expansion"] and names.terms:
            found = run_keyword_pass(connection, database.path, names, options)
            passes.append({"query": "; ".join(names.terms), "ids": [row.id for row in found.rows]})
    return passes


@pytest.mark.parametrize("case", cases("memory", "entity_expansion"))
def test_entity_expansion(case: dict[str, Any], corpora: dict[str, VectorDatabase]) -> None:
    given, expected = case["input"], case["expected"]
    database, expands = corpora[given["corpus"]], given["use_entity_expansion"]
    asked = {"weights": given["bm25_weights"], "use_recency": given["use_recency"], "expand_entities": expands}
    request = RecallRequest(given["keywords"], limit=given["limit"], **asked)

    recalled = recall_memories(database, request, now=NOW)
    found = search(database, SearchRequest(given["keywords"], given["limit"], **asked), now=NOW, discussion=REF)

    assert [hit.memory.id for hit in found.hits] == [memory.id for memory in recalled]
    if case.get("weakness") == "W29":
        return
    assert run_passes(database, given) == expected["passes"]
    assert [memory.id for memory in recalled] == expected["final_ids"]
    rows = [(memory.text, memory.date_added) for memory in recalled]
    assert format_result_text(rows, with_dates=given["include_dates"]) == expected["text"]
