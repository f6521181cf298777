"""Numeric node properties."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conformance.vectors import cases
from tests.conformance.workflow_world import World
from workflows_app.engine.coercion import coerce_numbers
from workflows_app.engine.variables import build_early_variables


@pytest.mark.parametrize("case", cases("workflows", "coercion"))
def test_coercion(case: dict[str, Any], tmp_path: Path) -> None:
    early = build_early_variables(World(tmp_path, case).scope())

    assert coerce_numbers(case["input"]["node"], early) == case["expected"]["node"]
