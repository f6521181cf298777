"""Cleaning a reply, whole and streamed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conformance.vectors import cases
from workflows_app.llm.cleaning import CleaningRules, StreamCleaner, clean_reply, find_generation_prompt


def stream(pieces: list[str], rules: CleaningRules) -> str:
    cleaner = StreamCleaner(rules)
    return "".join([cleaner.feed(piece) for piece in pieces] + [cleaner.finish()])


@pytest.mark.parametrize("case", cases("workflows", "response_cleaning"))
def test_response_cleaning(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    rules = CleaningRules.of(
        given.get("node") or {},
        given.get("endpoint_config") or {},
        given.get("user") or {},
        find_generation_prompt(given.get("generation_prompt", "")),
    )
    pieces = given.get("chunks") or [given["text"]]

    assert clean_reply("".join(pieces), rules) == expected["complete"]
    assert stream(pieces, rules) == expected.get("streamed_in_one_piece", expected.get("streamed"))
    assert stream(list("".join(pieces)), rules) == expected.get("streamed_by_character", expected.get("streamed"))
