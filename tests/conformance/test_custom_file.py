"""`GetCustomFile` and `SaveCustomFile`, one after another on the same folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conformance.vectors import cases
from tests.conformance.workflow_world import World, fill_public, run_node
from wilmer_site.lib.errors import WilmerError
from workflows_app.nodes.registry import build_registry


@pytest.mark.parametrize("case", cases("workflows", "custom_file"))
def test_custom_file(case: dict[str, Any], tmp_path: Path) -> None:
    case = fill_public(case, tmp_path)
    world = World(tmp_path, case)
    work = tmp_path / "work"
    work.mkdir()
    for name, content in case["input"]["work"].items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_bytes(content.encode())
    outputs = dict(case["input"].get("agent_outputs") or {})

    for number, node in enumerate(case["input"]["nodes"], start=1):
        expected = case["expected"]["results"][number - 1]
        result = run_one(world, node, outputs)
        assert result == (None if isinstance(expected, dict) else expected)
        outputs.setdefault(f"agent{number}Output", result)

    found = {path.relative_to(work).as_posix(): path for path in work.rglob("*") if path.is_file()}
    assert {name: path.read_bytes().decode() for name, path in found.items()} == case["expected"]["work"]


def run_one(world: World, node: dict[str, Any], outputs: dict[str, Any]) -> Any:
    """The node's result; None if it failed."""
    try:
        return run_node(build_registry()[node["type"]], world.context(node, outputs=outputs))
    except WilmerError:
        return None
