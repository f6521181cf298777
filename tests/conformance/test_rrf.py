from __future__ import annotations

from typing import Any

import pytest

from memory.engine.ranking import FUSION_K, merge_ranks
from tests.conformance.vectors import cases


@pytest.mark.parametrize("case", cases("memory", "rrf"))
def test_rrf(case: dict[str, Any]) -> None:
    given = case["input"]

    merged = merge_ranks(given["lists"], k=given.get("k", FUSION_K))

    assert merged == case["expected"]["ids"]
