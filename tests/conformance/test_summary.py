from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory.engine.chunk_facts import count_behind
from memory.engine.prompts import NO_SUMMARY_YET
from memory.engine.readers import format_unsummarised
from memory.engine.summary_plan import list_unsummarised, parse_summary_node
from memory.queries.retrieval import get_full_summary
from memory.services.summaries import SummaryRun, save_summary, update_summary
from tests.conformance.discussion_world import DiscussionWorld, ScriptedModel, recorded_call
from tests.conformance.readings import entries_as_json, entries_of
from tests.conformance.vectors import cases
from wilmer_site.lib.errors import WilmerError


def build_world(case: dict[str, Any], tmp_path: Path) -> DiscussionWorld:
    world = DiscussionWorld(tmp_path, "amber")
    world.write("memories.json", case["input"]["memories"])
    world.write("chat_summary.json", case["input"]["chat_summary"])
    return world


@pytest.mark.parametrize("case", cases("memory", "summary", "count"))
def test_count(case: dict[str, Any]) -> None:
    summary, memories = entries_of(case["input"]["chat_summary"]), entries_of(case["input"]["memories"])

    assert count_behind(summary, memories) == case["expected"]["count"]


@pytest.mark.parametrize("case", cases("memory", "summary", "unsummarised"))
def test_unsummarised(case: dict[str, Any]) -> None:
    summary, memories = entries_of(case["input"]["chat_summary"]), entries_of(case["input"]["memories"])

    assert entries_as_json(list_unsummarised(summary, memories)) == case["expected"]["memories"]
    assert format_unsummarised(summary, memories) == case["expected"]["joined"]


@pytest.mark.parametrize("case", cases("memory", "summary", "summarise"))
def test_summarise(case: dict[str, Any], tmp_path: Path) -> None:
    world = build_world(case, tmp_path)
    weakness = case.get("weakness")
    model = ScriptedModel(list(case["input"]["replies"]), is_strict=weakness != "W21")

    result = update_summary(SummaryRun(world.files, parse_summary_node(case["input"]["node"]), model))

    seen = [{"system_prompt": call.system_prompt, "prompt": call.prompt} for call in model.calls]
    expected = case["expected"]
    if weakness == "W21":
        assert len(seen) == len(case["input"]["memories"])
        assert world.read("chat_summary.json")[0]["hash"] == case["input"]["memories"][-1]["hash"]
    elif weakness == "W23":
        assert (world.read("chat_summary.json"), result.text) == (case["input"]["chat_summary"], NO_SUMMARY_YET)
    elif weakness == "W18":
        assert case["input"]["chat_summary"][0]["text_block"] in seen[0]["prompt"]
    else:
        assert seen == [recorded_call(call) for call in expected["calls"]]
        assert (world.read("chat_summary.json") or []) == expected["chat_summary"]
        assert result.text == expected["result"]


@pytest.mark.parametrize("case", cases("memory", "summary", "full"))
def test_full(case: dict[str, Any], tmp_path: Path) -> None:
    world = build_world(case, tmp_path)
    summary = case["input"]["chat_summary"] or []

    full = get_full_summary(world.files, is_manual=bool(case["input"]["node"].get("isManualConfig")))

    if "weakness" in case:
        # W22: always text, and no workflow without memories.
        expected = summary[0]["text_block"] if summary else "No summary found"
        assert (full.starts_workflow, full.text) == (False, expected)
    else:
        assert full.starts_workflow is (case["expected"]["workflow"] is not None)
        assert full.text == case["expected"]["result"]


@pytest.mark.parametrize("case", cases("memory", "summary", "write"))
def test_write(case: dict[str, Any], tmp_path: Path) -> None:
    world = build_world(case, tmp_path)
    files = world.files if case["input"]["discussion_id"] else None
    text = case["input"]["node"].get("input")

    if "raises" in case["expected"]:
        with pytest.raises(WilmerError):
            save_summary(files, text)
        assert world.read("chat_summary.json") == case["input"]["chat_summary"]
        return
    assert save_summary(files, text) == case["expected"]["result"]
    # W23: an empty text never replaces a summary.
    kept = case["input"]["chat_summary"] if case.get("weakness") == "W23" else case["expected"]["chat_summary"]
    assert world.read("chat_summary.json") == kept
