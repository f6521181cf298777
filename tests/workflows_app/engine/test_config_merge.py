"""Two people's changes are brought together where they do not touch."""

from __future__ import annotations

import json
from typing import Any

from workflows_app.engine.config_merge import Merge, merge_texts

A = {"title": "A", "prompt": "one"}
B = {"title": "B", "prompt": "two"}
C = {"title": "C", "type": "StaticResponse"}


def merge(base: Any, ours: Any, theirs: Any) -> Merge:
    return merge_texts(json.dumps(base), json.dumps(ours), json.dumps(theirs))


def merged(base: Any, ours: Any, theirs: Any) -> Any:
    found = merge(base, ours, theirs)
    assert found.conflicts == []
    return json.loads(found.text)


def test_different_properties_of_one_node_both_count() -> None:
    assert merged([A], [{**A, "prompt": "ours"}], [{**A, "preset": "theirs"}]) == [
        {**A, "prompt": "ours", "preset": "theirs"}
    ]


def test_a_node_never_gets_the_headers_of_a_stranger_of_its_type() -> None:
    mail = {"type": "CurlCommand", "url": "https://mail", "headers": {"Authorization": "one"}}
    map_ = {"type": "CurlCommand", "url": "https://map", "headers": {"Authorization": "two"}}
    ours = [A, {**mail, "timeout": 5}]

    found = merge([A, mail], ours, [A, C, map_])

    assert json.loads(found.text) == [A, C, map_, ours[1]]
    assert len(found.conflicts) == 1


def test_different_nodes_both_count() -> None:
    ours, theirs = [{**A, "prompt": "x"}, B], [A, {**B, "prompt": "y"}]
    assert merged([A, B], ours, theirs) == [{**A, "prompt": "x"}, {**B, "prompt": "y"}]


def test_the_same_change_is_no_conflict() -> None:
    changed = [{**A, "prompt": "x"}]
    assert merged([A], changed, changed) == changed
    assert merged([A], [A, C], [A, C]) == [A, C]


def test_the_same_property_is_a_conflict_and_ours_stays() -> None:
    found = merge([A], [{**A, "prompt": "x"}], [{**A, "prompt": "y"}])
    assert json.loads(found.text) == [{**A, "prompt": "x"}]
    assert [(one.base, one.ours, one.theirs) for one in found.conflicts] == [("one", "x", "y")]


def test_added_nodes_find_their_places() -> None:
    assert merged([A, B], [A, B, {**C, "title": "Ours"}], [A, C, B]) == [A, C, B, {**C, "title": "Ours"}]
    assert merged([A], [A], [C, A]) == [C, A]


def test_a_removed_node_goes_unless_we_changed_it() -> None:
    assert merged([A, B], [A, {**B, "prompt": "x"}], [B]) == [{**B, "prompt": "x"}]
    found = merge([A, B], [{**A, "prompt": "x"}, B], [B])
    assert json.loads(found.text) == [{**A, "prompt": "x"}, B]
    assert len(found.conflicts) == 1


def test_a_node_that_we_removed_and_they_changed_is_a_conflict() -> None:
    found = merge([A, B], [B], [{**A, "prompt": "x"}, B])
    assert json.loads(found.text) == [B]
    assert len(found.conflicts) == 1


def test_their_order_is_told_and_ours_kept() -> None:
    found = merge([A, B], [A, B], [B, A])
    assert json.loads(found.text) == [A, B]
    assert "Order" in found.conflicts[0].where


def test_keys_of_other_configs_are_merged() -> None:
    assert merged({"a": 1, "b": 1}, {"a": 2, "b": 1}, {"a": 1, "c": 3}) == {"a": 2, "c": 3}


def test_our_way_of_writing_stays() -> None:
    ours = '{"a":2,\n\t"b" : 1.0 }'
    assert merge_texts('{"a": 1, "b": 1.0}', ours, '{"a": 1, "b": 7}').text == '{"a":2,\n\t"b" : 7 }'
