from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory.engine.state_document_guard import format_state_document
from memory.services.state_documents import update_state_document
from tests.conformance.discussion_world import DiscussionWorld, ScriptedModel, call_as_json
from tests.conformance.vectors import cases


@pytest.mark.parametrize("case", cases("memory", "state_document", "update"))
def test_update(case: dict[str, Any], tmp_path: Path) -> None:
    given, expected = case["input"], case["expected"]
    world = DiscussionWorld(tmp_path, "amber")
    world.write("state_document.md", given["document"])
    model = ScriptedModel([given["workflow_returns"]])

    verdict = update_state_document(world.workshop(given["config"], model), given["new_texts"])

    inputs = [call_as_json(call)["scoped_inputs"] for call in model.calls]
    assert inputs == ([] if expected["scoped_inputs"] is None else [expected["scoped_inputs"]])
    assert world.read("state_document.md") == expected["document"]
    assert world.read("state_document.md.bak") == expected["backup"]
    assert verdict.is_replaced is expected["replaced"]


@pytest.mark.parametrize("case", cases("memory", "state_document", "read"))
def test_read(case: dict[str, Any], tmp_path: Path) -> None:
    world = DiscussionWorld(tmp_path, "amber")
    world.write("state_document.md", case["input"]["document"])

    assert format_state_document(world.files.read_state_document().text) == case["expected"]["text"]
