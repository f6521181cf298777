"""Which entries of a ledger are merged next, and what becomes of the links (memory.md §15, W34)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.engine.memory_settings import MemorySettings
from memory.engine.model_calls import ModelCall, Purpose, ResolveVariables
from memory.engine.prompts import (
    CONDENSE_PROMPT,
    CONDENSE_SYSTEM_PROMPT,
    MEMORY_SEPARATOR,
    NO_PRECEDING_MEMORIES,
    build_prompt,
)
from memory.types import Entry

CONTEXT_COUNT = 3
"""How many entries before the batch are shown to the model."""


@dataclass(frozen=True, slots=True)
class CondensationPlan:
    """One batch of a ledger to be merged into one entry."""

    start: int
    end: int
    batch: tuple[Entry, ...]
    before: tuple[Entry, ...]

    @property
    def batch_text(self) -> str:
        """The texts to merge."""
        return MEMORY_SEPARATOR.join(entry.text for entry in self.batch)

    @property
    def before_text(self) -> str:
        """What came before, or the sentence that nothing did."""
        return MEMORY_SEPARATOR.join(entry.text for entry in self.before) if self.before else NO_PRECEDING_MEMORIES

    @property
    def hash(self) -> str:
        """The hash of the condensed entry, and of the tracker afterwards."""
        return self.batch[-1].hash


def find_condensation(
    entries: Sequence[Entry], tracker: str | None, settings: MemorySettings
) -> CondensationPlan | None:
    """The batch that is due now; None when nothing is, or the settings do not ask for condensation."""
    size = settings.memories_before_condensation
    if not settings.condenses or size is None or size < 1 or not entries:
        return None
    first = 1 + next((at for at, entry in enumerate(entries) if entry.hash == tracker), -1)
    if len(entries) - first < size + settings.condensation_buffer:
        return None
    return build_plan(entries, first, first + size)


def build_plan(entries: Sequence[Entry], start: int, end: int) -> CondensationPlan:
    """The plan to merge the entries `[start, end)`."""
    before = tuple(entries[max(0, start - CONTEXT_COUNT) : start])
    return CondensationPlan(start, end, tuple(entries[start:end]), before)


def build_call(plan: CondensationPlan, settings: MemorySettings, resolve: ResolveVariables) -> ModelCall:
    """The call that asks for the merged text."""
    system = settings.text("condenseMemoriesSystemPrompt") or CONDENSE_SYSTEM_PROMPT
    prompt = settings.text("condenseMemoriesPrompt") or CONDENSE_PROMPT
    shared = {"[Memories_Before_Memories_to_Condense]": plan.before_text, "[TextChunk]": plan.batch_text}
    return ModelCall(
        settings.condensation_target,
        build_prompt(system, shared, resolve),
        build_prompt(prompt, {**shared, "[MemoriesToCondense]": plan.batch_text}, resolve),
        Purpose.CONDENSATION,
    )


def condense(entries: Sequence[Entry], plan: CondensationPlan, text: str) -> list[Entry]:
    """The ledger with the batch replaced by one entry."""
    return [*entries[: plan.start], Entry(text, plan.hash), *entries[plan.end :]]


def move_link(entries: Sequence[Entry], plan: CondensationPlan, summary_hash: str) -> str:
    """The hash the rolling summary must point to afterwards, so that its link is not cut (W34).

    If it pointed into the batch but not at its last entry, it points at the entry before the batch (empty: none).
    """
    if summary_hash == plan.hash or summary_hash not in {entry.hash for entry in plan.batch}:
        return summary_hash
    return entries[plan.start - 1].hash if plan.start else ""
