from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory.engine import keyword_search as search
from memory.queries.retrieval import RECENT_MEMORIES, KeywordRequest, search_by_keywords
from tests.conformance.discussion_world import DiscussionWorld
from tests.conformance.readings import messages_of
from tests.conformance.vectors import cases


def keyed(scores: dict[int, int]) -> dict[str, int]:
    return {str(number): score for number, score in scores.items()}


@pytest.mark.parametrize("case", cases("memory", "keyword_search", "index"))
def test_index(case: dict[str, Any]) -> None:
    assert search.build_index(case["input"]["lines"]) == case["expected"]["index"]


@pytest.mark.parametrize("case", cases("memory", "keyword_search", "scores"))
def test_scores(case: dict[str, Any]) -> None:
    lines, query = case["input"]["lines"], case["input"]["query"]

    assert search.list_tokens(query) == case["expected"]["tokens"]
    assert keyed(search.score_lines(lines, query)) == case["expected"]["scores"]


@pytest.mark.parametrize("case", cases("memory", "keyword_search", "proximity"))
def test_proximity(case: dict[str, Any]) -> None:
    lines, query = case["input"]["lines"], case["input"]["query"]

    scores = search.add_proximity(lines, query, search.score_lines(lines, query), case["input"]["limit"])

    assert keyed(scores) == case["expected"]["scores"]


@pytest.mark.parametrize("case", cases("memory", "keyword_search", "basic"))
def test_basic(case: dict[str, Any]) -> None:
    given = case["input"]

    assert search.search_basic(given["chunks"], given["query"], given["max_hits"]) == case["expected"]["chunks"]


@pytest.mark.parametrize("case", cases("memory", "keyword_search", "advanced"))
def test_advanced(case: dict[str, Any]) -> None:
    given = case["input"]

    found = search.search_advanced(given["chunks"], given["query"], given["max_excerpts"], given["proximity_limit"])

    assert found == case["expected"]["chunks"]


@pytest.mark.parametrize("case", cases("memory", "keyword_search", "speakers"))
def test_speakers(case: dict[str, Any]) -> None:
    given = case["input"]

    assert search.remove_speakers(given["keywords"], messages_of(given["messages"])) == case["expected"]["keywords"]


@pytest.mark.parametrize("case", cases("memory", "keyword_search", "conversation"))
def test_conversation(case: dict[str, Any]) -> None:
    given = case["input"]

    found = search.search_conversation(messages_of(given["messages"]), given["keywords"], given["lookback_start_turn"])

    assert found == case["expected"]["result"]


@pytest.mark.parametrize(
    "case", [*cases("memory", "keyword_search", "memories"), *cases("memory", "keyword_search", "target")]
)
def test_node(case: dict[str, Any], tmp_path: Path) -> None:
    given = case["input"]
    world = DiscussionWorld(tmp_path, given.get("discussion_id") or "unused")
    world.write("memories.json", given.get("memories"))
    files = world.files if given.get("discussion_id", "yes") else None
    request = KeywordRequest(given.get("keywords", "x"), given.get("target", RECENT_MEMORIES))

    assert search_by_keywords(files, messages_of(given["messages"]), request) == case["expected"]["result"]
