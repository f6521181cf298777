"""The improvements that are pure rules; those of files and runs have their own modules."""

from __future__ import annotations

from typing import Any

import pytest

from memory.engine.condensation import build_plan, move_link
from memory.engine.discussion_ids import may_create
from memory.engine.llm_json import parse_reply
from memory.engine.messages import drop_system
from memory.engine.new_messages import find_new_messages
from memory.engine.prompts import fill_template
from tests.conformance.readings import entries_of, messages_of
from tests.conformance.vectors import cases


@pytest.mark.parametrize("case", cases("memory", "improvements", "span"))
def test_span(case: dict[str, Any]) -> None:
    given = case["input"]

    span = find_new_messages(drop_system(messages_of(given["messages"])), given["known"], given["lookback"]).span

    assert (span and [span.start, span.end]) == case["expected"]["span"]


@pytest.mark.parametrize("case", cases("memory", "improvements", "parse"))
def test_parse(case: dict[str, Any]) -> None:
    assert parse_reply(case["input"]["output"]).value == case["expected"]["value"]


@pytest.mark.parametrize("case", cases("memory", "improvements", "fill"))
def test_fill(case: dict[str, Any]) -> None:
    assert fill_template(case["input"]["template"], case["input"]["values"]) == case["expected"]["text"]


@pytest.mark.parametrize("case", cases("memory", "improvements", "identity"))
def test_identity(case: dict[str, Any]) -> None:
    assert may_create(case["input"]["discussion_id"]) is case["expected"]["may_create"]


@pytest.mark.parametrize("case", cases("memory", "improvements", "link"))
def test_link(case: dict[str, Any]) -> None:
    entries = entries_of(case["input"]["memories"])

    moved = move_link(entries, build_plan(entries, *case["input"]["batch"]), case["input"]["summary_hash"])

    assert moved == case["expected"]["summary_hash"]
