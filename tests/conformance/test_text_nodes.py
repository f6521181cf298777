"""Nodes that make text out of text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conformance.vectors import cases
from tests.conformance.workflow_world import World, run_node
from wilmer_site.lib.errors import WilmerError
from workflows_app.nodes.text.handler import HANDLERS

FILES = ["conditional", "arithmetic", "json_extractor", "tag_extractor", "delimited_chunker", "string_concat"]


@pytest.mark.parametrize("case", [case for file in FILES for case in cases("workflows", file)])
def test_text_node(case: dict[str, Any], tmp_path: Path) -> None:
    world = World(tmp_path, case)
    node = case["input"]["node"]
    if "error" in case["expected"]:
        with pytest.raises(WilmerError):
            run_node(HANDLERS[node["type"]], world.context(node))
        return

    result = run_node(HANDLERS[node["type"]], world.context(node))

    expected = case["expected"]["result"]
    # A streamed answer is recorded in the pieces it was sent in; its text is what a node must give.
    assert result == ("".join(expected["tokens"]) if isinstance(expected, dict) else expected)
