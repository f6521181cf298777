from __future__ import annotations

import re
from typing import Any

import pytest

from memory.engine.llm_json import parse_json, parse_reply
from tests.conformance.vectors import cases


@pytest.mark.parametrize("case", cases("memory", "parse_llm_json"))
def test_reply(case: dict[str, Any]) -> None:
    output, expected = case["input"]["output"], case["expected"]

    reply = parse_reply(output)

    if "raises" in expected:
        # W06: a fence with nothing inside counts as unparseable, and what follows it is read.
        assert case["weakness"] == "W06"
        empty_fence = re.search(r"```json\s*```", output)
        assert empty_fence is not None
        assert reply.value == parse_json(output[empty_fence.end() :])
    else:
        assert reply.value == expected["value"]
        assert (0 if reply.is_recovered else len(reply.memories)) == expected["usable"]
