from __future__ import annotations

from memory.engine.condensation import build_call, condense, find_condensation
from memory.engine.memory_settings import MemorySettings
from memory.engine.model_calls import keep_variables
from memory.types import Entry

ENTRIES = [Entry(f"text {number}", f"h{number}") for number in range(1, 8)]
SETTINGS = MemorySettings({"condenseMemories": True, "memoriesBeforeCondensation": 3, "memoryCondensationBuffer": 1})


def test_batch_starts_behind_the_tracker() -> None:
    plan = find_condensation(ENTRIES, "h2", SETTINGS)

    assert plan is not None
    assert (plan.start, plan.end, plan.hash) == (2, 5, "h5")
    assert condense(ENTRIES, plan, "all")[2] == Entry("all", "h5")


def test_buffer_keeps_newer_memories_out() -> None:
    assert find_condensation(ENTRIES[:3], None, SETTINGS) is None


def test_built_in_prompt_shows_batch_and_context() -> None:
    plan = find_condensation(ENTRIES, "h2", SETTINGS)
    assert plan is not None

    call = build_call(plan, SETTINGS, keep_variables)

    assert "text 3\n--------------\ntext 4" in call.prompt
    assert "text 1\n--------------\ntext 2" in call.prompt
    assert call.target.max_tokens == 500


def test_a_batch_size_below_one_condenses_nothing() -> None:
    settings = MemorySettings({"condenseMemories": True, "memoriesBeforeCondensation": 0})

    assert find_condensation(ENTRIES, None, settings) is None
