"""Template substitution."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conformance.vectors import cases
from tests.conformance.workflow_world import World
from wilmer_site.lib.errors import WilmerError
from workflows_app.engine.templates import resolve_early
from workflows_app.engine.variables import build_early_variables


@pytest.mark.parametrize("case", cases("workflows", "variables"))
def test_variables(case: dict[str, Any], tmp_path: Path) -> None:
    world = World(tmp_path, case)
    template = case["input"]["template"]
    if case["input"].get("mode") == "early":
        assert resolve_early(template, build_early_variables(world.scope())) == case["expected"]["result"]
        return
    context = world.context(case["input"].get("node") or {})
    if "error" in case["expected"]:
        with pytest.raises(WilmerError):
            context.resolve(template)
        return

    assert context.resolve(template) == case["expected"]["result"].replace("<PUBLIC>", str(world.public))
