"""Required behaviour of whole runs: finished work stays, one entry per chunk, blank answers, summaries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory.engine.summary_plan import parse_summary_node
from memory.engine.triggers import WriterPath
from memory.services.creation import create_memories
from memory.services.summaries import SummaryRun, get_summary_text, needs_update, update_summary
from tests.conformance.discussion_world import DiscussionWorld, ScriptedModel
from tests.conformance.readings import messages_of
from tests.conformance.vectors import cases
from wilmer_site.lib.errors import UpstreamError


@pytest.mark.parametrize("case", cases("memory", "improvements", "file_run"))
def test_file_run(case: dict[str, Any], tmp_path: Path) -> None:
    given = case["input"]
    world = DiscussionWorld(tmp_path, "amber")
    world.write("memories.json", given["memories_before"])
    model = ScriptedModel(list(given["replies"]))

    rounds = [run_round(world, given, model, take) for take in given["take"]]

    assert rounds == case["expected"]["rounds"]


def run_round(world: DiscussionWorld, given: dict[str, Any], model: ScriptedModel, take: int) -> dict[str, Any]:
    model.calls.clear()
    messages = messages_of(given["conversation"][:take])
    failed = False
    try:
        create_memories(world.workshop(given["config"], model), messages, path=WriterPath.FILE)
    except UpstreamError:
        failed = True
    return {"calls": len(model.calls), "failed": failed, "memories": world.read("memories.json")}


@pytest.mark.parametrize("case", cases("memory", "improvements", "full"))
def test_full(case: dict[str, Any], tmp_path: Path) -> None:
    world = DiscussionWorld(tmp_path, "amber")
    world.write("memories.json", case["input"]["memories"])
    world.write("chat_summary.json", case["input"]["chat_summary"])

    starts = needs_update(world.files)

    assert starts is case["expected"]["starts_workflow"]
    assert (None if starts else get_summary_text(world.files)) == case["expected"]["text"]


@pytest.mark.parametrize("case", cases("memory", "improvements", "summarise"))
def test_summarise(case: dict[str, Any], tmp_path: Path) -> None:
    given = case["input"]
    world = DiscussionWorld(tmp_path, "amber")
    world.write("memories.json", given["memories"])
    world.write("chat_summary.json", given["chat_summary"])
    model = ScriptedModel(list(given["replies"]))

    update_summary(SummaryRun(world.files, parse_summary_node(given["node"]), model))

    assert len(model.calls) == case["expected"]["calls"]
    assert world.read("chat_summary.json") == case["expected"]["chat_summary"]
