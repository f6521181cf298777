from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory.engine.model_calls import ModelCall
from memory.services.condensing import condense_memories
from tests.conformance.discussion_world import DiscussionWorld, ScriptedModel, call_as_json, recorded_call
from tests.conformance.vectors import cases


@pytest.mark.parametrize("case", cases("memory", "condensation"))
def test_condensation(case: dict[str, Any], tmp_path: Path) -> None:
    given, expected = case["input"], case["expected"]
    world = DiscussionWorld(tmp_path, "amber")
    world.write("memories.json", given["memories"])
    world.write("condensation_tracker.json", given["tracker"])
    model = ScriptedModel([given["reply"]])

    condense_memories(world.workshop(given["config"], model))

    assert world.read("memories.json") == expected["memories"]
    assert world.read("condensation_tracker.json") == expected["tracker"]
    check_calls(model, expected["call"], case)


def check_calls(model: ScriptedModel, recorded: dict[str, Any] | None, case: dict[str, Any]) -> None:
    assert len(model.calls) == (recorded is not None)
    if recorded is None:
        return
    call = model.calls[0]
    assert isinstance(call, ModelCall)
    if "weakness" in case:
        # W18: text inside memories is never taken for a placeholder.
        batch = "\n--------------\n".join(
            entry["text_block"] for entry in case["input"]["memories"] if entry["text_block"] in call.prompt
        )
        assert batch in call.prompt
    elif "prompt_contains" in recorded:
        assert all(part in call.system_prompt + call.prompt for part in recorded["prompt_contains"])
    else:
        assert call_as_json(call) == recorded_call(recorded)
