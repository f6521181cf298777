from __future__ import annotations

from typing import Any

from workflows_app.llm.client import Usage
from workflows_app.models import NodeRun
from workflows_app.services.metering import Measure
from workflows_app.services.node_facts import add_measure, count_tokens, cut_body, list_touches


def build_row(*calls: dict[str, Any]) -> NodeRun:
    return NodeRun(calls=[{"url": "u", "body": {}, "type": "", "milliseconds": None, **call} for call in calls])


def test_tokens_are_measured_when_every_call_was() -> None:
    row = build_row({}, {})
    for _ in row.calls:
        assert add_measure(row, Measure("t", 1.0, Usage(10, 2)))

    count_tokens(row)

    assert (row.prompt_tokens, row.completion_tokens, row.is_measured) == (20, 4, True)
    assert not add_measure(row, Measure("t", 1.0, Usage()))


def test_tokens_are_estimated_when_one_call_was_not_counted() -> None:
    row = build_row(
        {"body": {"messages": [{"role": "user", "content": "one two three"}]}}, {"body": {"prompt": "four"}}
    )
    row.output = '"five six"'

    count_tokens(row)

    assert not row.is_measured
    assert (row.prompt_tokens or 0) > (row.completion_tokens or 0) > 0


def test_pictures_and_long_texts_are_cut() -> None:
    body = cut_body({"messages": [{"url": "data:image/png;base64,AAAA", "text": "x" * 300_000}]})

    assert body["messages"][0]["url"] == "[picture bde6da8e9d3902a8, 26 characters]"
    assert len(body["messages"][0]["text"]) < 201_000


def test_touches_tell_what_happened_to_each_file() -> None:
    before, after = {"a": (1, 1), "b": (1, 1), "c": (1, 1)}, {"a": (1, 1), "b": (2, 2), "d": (3, 3)}

    touches = list_touches(before, after, ["a", "a"])

    assert [(touch["name"], touch["action"], touch["bytes"]) for touch in touches] == [
        ("a", "read", 1),
        ("b", "written", 2),
        ("c", "deleted", None),
        ("d", "made", 3),
    ]
