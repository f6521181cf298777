from __future__ import annotations

import json

from memory.contexts.search import build_node_json, search_parameters
from memory.results import SearchMode, SearchRequest
from tests.builders import build_ref


def test_usual_values_are_left_out_of_the_url() -> None:
    given = [(name, value) for name, value in search_parameters(SearchRequest("a"), None) if value not in ("", False)]

    assert given == [("query", "a")]


def test_everything_else_is_in_the_url() -> None:
    request = SearchRequest("a", 3, (1.0, 2.0, 0.5, 1.0, 1.0), True, True, SearchMode.EXACT_TEXT)

    given = dict(search_parameters(request, build_ref("anna")))

    assert given["discussion"] == "anna" and given["mode"] == "exact-text" and given["limit"] == 3
    assert given["recency"] is True and given["expand"] is True and given["weight_entities"] == "0.5"


def test_node_asks_the_same_as_the_search() -> None:
    node = json.loads(build_node_json(SearchRequest("a; b", 7, None, True)))

    assert node["type"] == "VectorMemorySearch" and node["input"] == "a; b" and node["limit"] == 7
    assert node["useRecencyScoring"] is True and node["useEntityExpansion"] is False and "bm25Weights" not in node
