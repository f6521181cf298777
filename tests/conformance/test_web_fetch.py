"""`WebFetch` against scripted pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conformance.vectors import cases
from tests.conformance.workflow_world import World, fill_public, run_node
from wilmer_site.lib.errors import WilmerError
from workflows_app.nodes.web.handler import HANDLERS


@pytest.mark.parametrize("case", cases("workflows", "web_fetch"))
def test_web_fetch(case: dict[str, Any], tmp_path: Path) -> None:
    case = fill_public(case, tmp_path)
    expected = case["expected"]
    world = World(tmp_path, case)
    context = world.context(case["input"]["node"])

    if "error" in expected:
        with pytest.raises(WilmerError):
            run_node(HANDLERS["WebFetch"], context)
    else:
        wanted = expected["result"]
        assert run_node(HANDLERS["WebFetch"], context) == (
            "".join(wanted["tokens"]) if isinstance(wanted, dict) else wanted
        )
    assert world.web.seen == expected.get("web_requests", [])
