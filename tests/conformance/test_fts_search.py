from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from memory.engine.ranking import NO_DISCUSSION_TEXT, format_result_text
from memory.results import SearchRequest, SearchResult
from memory.stores.vector_db import VectorDatabase
from memory.stores.vector_search import search
from tests.conformance.vectors import cases, load
from tests.memory.stores.vector_builders import DISCUSSION, NOW, REF, build_corpus


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> dict[str | None, VectorDatabase]:
    folder = tmp_path_factory.mktemp("corpora")
    rows = load("memory", "fts_search")["corpora"]["main"]
    return {
        "main": build_corpus(folder / "main.db", rows),
        "topics_indexed": build_corpus(folder / "topics.db", rows, index_topics=True),
        None: VectorDatabase(folder / "absent.db", DISCUSSION),
    }


def run(database: VectorDatabase, given: dict[str, Any], weights: object) -> SearchResult:
    now = datetime.fromisoformat(given["now"]) if "now" in given else NOW
    request = SearchRequest(
        given["query"],
        limit=given.get("limit", 5),
        weights=weights,  # type: ignore[arg-type]
        use_recency=given.get("use_recency", False),
    )
    return search(database, request, now=now, discussion=REF)


@pytest.mark.parametrize(
    "case", [case for case in cases("memory", "fts_search") if "ids" in case.values[0]["expected"]]
)
def test_fts_search(case: dict[str, Any], corpora: dict[str | None, VectorDatabase]) -> None:
    given, expected = case["input"], case["expected"]
    is_ignored = case.get("weakness") == "W28"

    result = run(corpora[given["corpus"]], given, given["bm25_weights"])

    assert result.match_text == expected["match"]
    if is_ignored:
        assert result.hits == run(corpora[given["corpus"]], given, None).hits
        return
    assert [hit.memory.id for hit in result.hits] == expected["ids"]
    assert [hit.bm25 for hit in result.hits] == pytest.approx(expected["scores"], abs=1e-6)
    order = [hit.score for hit in result.hits]
    assert order == pytest.approx(expected.get("order_scores", expected["scores"]), abs=1e-6)
    boosts = expected.get("boosts", [1.0] * len(result.hits))
    assert [hit.recency_factor for hit in result.hits] == pytest.approx(boosts, abs=1e-6)
    scores = {hit.memory.id: hit.score for hit in result.hits}
    assert all(len({scores[row_id] for row_id in group}) == 1 for group in expected["ties"])


@pytest.mark.parametrize("case", cases("memory", "fts_search", kind="text"))
def test_fts_search_text(case: dict[str, Any], corpora: dict[str | None, VectorDatabase]) -> None:
    given, expected = case["input"], case["expected"]
    if not given.get("discussion_id", DISCUSSION):
        assert expected["text"] == NO_DISCUSSION_TEXT
        return

    hits = run(corpora[given["corpus"]], given, None).hits

    rows = [(hit.memory.text, hit.memory.date_added) for hit in hits]
    assert format_result_text(rows, with_dates=given.get("include_dates", False)) == expected["text"]
