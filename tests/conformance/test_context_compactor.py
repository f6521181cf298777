from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory.engine.compaction import CompactorSettings
from memory.services.compaction import Compactor, compact_context
from tests.conformance.discussion_world import DiscussionWorld, ScriptedModel, call_as_json, recorded_calls
from tests.conformance.readings import messages_of
from tests.conformance.vectors import cases
from wilmer_site.lib.errors import UpstreamError


@pytest.mark.parametrize("case", cases("memory", "context_compactor"))
def test_context_compactor(case: dict[str, Any], tmp_path: Path) -> None:
    given = case["input"]
    world = DiscussionWorld(tmp_path, given["discussion_id"] or "unused")
    for name, content in given["files"].items():
        world.write(f"{name}.json", content)

    for step, expected in zip(given["steps"], case["expected"]["steps"], strict=True):
        model = ScriptedModel(list(step["replies"]))
        result = run(world, given, model, step)

        assert result == expected.get("result")
        seen = [call_as_json(call) for call in model.calls]
        recorded = recorded_calls(expected)
        assert len(seen) == len(recorded)
        assert [{key: call[key] for key in old} for call, old in zip(seen, recorded, strict=True)] == recorded
        assert (world.read("context_compactor_old.json") or []) == (expected["old"] or [])
        assert (world.read("context_compactor_oldest.json") or []) == (expected["oldest"] or [])


def run(world: DiscussionWorld, given: dict[str, Any], model: ScriptedModel, step: dict[str, Any]) -> str | None:
    """The node's text; None if a call failed."""
    has_both = given["discussion_id"] and given["settings"] is not None
    compactor = Compactor(world.files, CompactorSettings(given["settings"]), model) if has_both else None
    try:
        return compact_context(compactor, messages_of(step["messages"])).text
    except UpstreamError:
        return None
