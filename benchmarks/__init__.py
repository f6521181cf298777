"""Measurements of what must stay fast. `python -m benchmarks` runs all, `python -m benchmarks search` one.

A module of this package joins by having `measure() -> Table`. Each runs in a process of its own, prints its table and
writes `benchmarks/results/<name>.json`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

Cell = str | int | float


@dataclass(frozen=True, slots=True)
class Table:
    """What a benchmark found: a title, what was measured on, and one mapping of column to value per row."""

    title: str
    setup: str
    rows: Sequence[Mapping[str, Cell]]


def best_milliseconds(work: Callable[[], object], *, rounds: int = 5) -> float:
    """The fastest of several rounds: what the work costs when the machine does nothing else."""
    best = float("inf")
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - started)
    return round(best * 1000, 3)
