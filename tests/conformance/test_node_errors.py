"""Single nodes: what they need, what they say when it is missing, and their fixed texts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.vectors import cases
from tests.conformance.workflow_world import World, fill_public, run_node
from wilmer_site.lib.errors import WilmerError
from workflows_app.engine.node_types import FAMILIES
from workflows_app.errors import SwitchedOffError
from workflows_app.nodes.registry import build_registry

OWN_CHECKS = {"ValueError", "MCPToolCallError", "_AddressNotAllowedError"}
"""Failures whose words are WilmerAI's own, not Python's."""


@pytest.mark.parametrize("case", cases("workflows", "node_errors"))
def test_node(case: dict[str, Any], tmp_path: Path) -> None:
    case = fill_public(case, tmp_path)
    node, expected = case["input"]["node"], case["expected"]
    world = World(tmp_path, case)
    handler, context = build_registry()[node["type"]], world.context(node)

    if node["type"] == "PythonModule" and "module_path" in node:
        # This console runs no Python; it says so.
        with pytest.raises(SwitchedOffError, match="does not run Python"):
            run_node(handler, context)
    elif "error" in expected:
        words = re.escape(expected["message"]) if has_own_words(node, expected) else None
        with pytest.raises(WilmerError, match=words):
            run_node(handler, context)
    else:
        assert run_node(handler, context) == as_text(expected["result"])
    if node["type"] == "WebFetch":
        assert world.web.seen == expected.get("web_requests", [])


def has_own_words(node: dict[str, Any], expected: dict[str, Any]) -> bool:
    return expected["error"] in OWN_CHECKS and node["type"] in FAMILIES["files and outside"]


def as_text(result: Any) -> Any:
    """An exception object is its text, and a list with the summary is the summary (memory.md §25, W22)."""
    if isinstance(result, dict) and "unserialisable" in result:
        return result["text"]
    return result[0] if isinstance(result, list) else result
