"""The file path of the writer, run on real files with a scripted model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from memory.engine.chunking import pack_messages
from memory.engine.memory_settings import MemorySettings
from memory.engine.triggers import Decision, WriterPath
from memory.services.creation import create_memories, preview_creation
from memory.services.results import CreationResult, CreationStatus
from tests.conformance.discussion_world import (
    UNSCRIPTED,
    DiscussionWorld,
    ScriptedModel,
    call_as_json,
    messages_of_steps,
    recorded_calls,
)
from tests.conformance.readings import messages_of
from tests.conformance.vectors import cases
from wilmer_site.lib.errors import UpstreamError


@pytest.mark.parametrize("case", cases("memory", "file_flow"))
def test_file_flow(case: dict[str, Any], tmp_path: Path) -> None:
    given = case["input"]
    world = DiscussionWorld(tmp_path, given["discussion_id"], given.get("api_key"))
    for name, content in given["initial"].items():
        world.write(f"{name}.json", content)

    for (step, raw), expected in zip(messages_of_steps(given), case["expected"]["steps"], strict=True):
        if step.get("delete_memories_before"):
            world.write("memories.json", None)
        if "weakness" in case:
            check_improved_step(world, given["config"], step, raw)
        else:
            check_step(world, given["config"], step, raw, expected)


def check_step(
    world: DiscussionWorld, config: Mapping[str, Any], step: Mapping[str, Any], raw: Any, expected: Mapping[str, Any]
) -> None:
    existed = world.read("memories.json") is not None
    model = ScriptedModel(list(step["replies"]))
    has_id = bool(step.get("discussion_id", "yes"))

    result = run(world, config, model, raw, has_id=has_id)

    assert existed is expected["memory_file_existed"]
    assert result is None if "raises" in expected else result is not None
    if result is not None:
        assert result.decision.outcome == expected["reason"]
        check_numbers(result.decision, expected)
    assert [call_as_json(call) for call in model.calls] == recorded_calls(expected)
    check_files(world, expected)


def run(
    world: DiscussionWorld, config: Mapping[str, Any], model: ScriptedModel, raw: Any, *, has_id: bool = True
) -> CreationResult | None:
    """The result; None if a call failed."""
    workshop = world.workshop(config, model) if has_id else None
    try:
        return create_memories(workshop, messages_of(raw), path=WriterPath.FILE)
    except UpstreamError:
        return None


def check_numbers(decision: Decision, expected: Mapping[str, Any]) -> None:
    if "new_messages" in expected:
        assert len(decision.messages) == expected["new_messages"]
        assert decision.token_estimate == expected["estimated_tokens"]
        assert decision.thresholds.chunk_size == expected["token_threshold"]


def check_files(world: DiscussionWorld, expected: Mapping[str, Any]) -> None:
    for name in ("memories", "chat_summary", "condensation_tracker"):
        if name in expected:
            assert world.read(f"{name}.json") == expected[name]
    if "memories_text" in expected:
        assert (world.home / "memories.json").read_text(encoding="utf-8") == expected["memories_text"]


def check_improved_step(world: DiscussionWorld, config: Mapping[str, Any], step: Mapping[str, Any], raw: Any) -> None:
    """One entry per chunk, blank answers asked for again, finished work kept (W01, W02, W07, W15, W16)."""
    before = world.read("memories.json")
    model = ScriptedModel(list(step["replies"]), is_strict=False)
    decision = preview_creation(world.workshop(config, model), messages_of(raw), path=WriterPath.FILE)

    result = run(world, config, model, raw)

    if isinstance(before, dict):
        assert result is not None
        assert (result.status, world.read("memories.json")) == (CreationStatus.UNREADABLE, before)
        return
    added, calls, fails = required_entries(decision, MemorySettings(config), step["replies"])
    kept = [{"text_block": entry["text_block"], "hash": entry.get("hash", "")} for entry in before or ()]
    assert world.read("memories.json") == kept + added
    assert len(model.calls) == calls
    assert (result is None) is fails


def required_entries(
    decision: Decision, settings: MemorySettings, replies: Sequence[Any]
) -> tuple[list[dict[str, str]], int, bool]:
    """Entries, number of calls and whether the run fails, for replies in order."""
    entries: list[dict[str, str]] = []
    calls = 0
    rest = list(replies)
    for chunk in pack_messages(decision.messages, settings.file_thresholds.chunk_size) if decision.is_triggered else ():
        for _ in range(2):
            calls += 1
            reply = rest.pop(0) if rest else f"{UNSCRIPTED} {calls}"
            if isinstance(reply, Mapping):
                return entries, calls, True
            if reply and reply.strip():
                entries.append({"text_block": reply, "hash": chunk.hash})
                break
        else:
            return entries, calls, False
    return entries, calls, False
