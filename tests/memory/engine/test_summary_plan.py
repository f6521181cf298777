from __future__ import annotations

import pytest

from memory.engine.summary_plan import SummaryNode, list_batches, parse_summary_node
from memory.types import Entry


def entries(count: int) -> list[Entry]:
    return [Entry(str(number), f"h{number}") for number in range(count)]


@pytest.mark.parametrize(
    ("count", "sizes"), [(0, []), (2, []), (3, [3]), (4, [3]), (6, [3, 3]), (7, [3, 3]), (9, [3, 3, 3])]
)
def test_a_remainder_below_the_minimum_waits(count: int, sizes: list[int]) -> None:
    assert [len(batch) for batch in list_batches(entries(count), SummaryNode())] == sizes


@pytest.mark.parametrize("limit", [0, -4])
def test_a_limit_below_one_counts_as_one(limit: int) -> None:
    node = parse_summary_node({"loopIfMemoriesExceed": limit, "minMemoriesPerSummary": 1})

    assert [len(batch) for batch in list_batches(entries(3), node)] == [1, 1, 1]
