from __future__ import annotations

from typing import Any

import pytest

from memory.engine.tokens import MARGIN, estimate_tokens, level_factor, scale_threshold
from tests.conformance.vectors import cases


@pytest.mark.parametrize("case", cases("memory", "tokens", "estimate"))
def test_estimate(case: dict[str, Any]) -> None:
    given = case["input"]
    repeat = given.get("repeat")
    text = repeat["joiner"].join([repeat["unit"]] * repeat["count"]) if repeat else given["text"]

    assert estimate_tokens(text, given.get("safety_margin", MARGIN)) == case["expected"]["tokens"]


@pytest.mark.parametrize("case", cases("memory", "tokens", "level"))
def test_level(case: dict[str, Any]) -> None:
    factor = level_factor(case["input"]["config"].get("wilmerContextEstimationLevel"))

    found = {"multiplier": factor, "effective": scale_threshold(case["input"]["threshold"], factor)}
    assert found == case["expected"]
