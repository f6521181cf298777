"""The context compactor (memory.md §23)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.engine.compaction import (
    CompactionPlan,
    CompactionReason,
    CompactionState,
    CompactorSettings,
    build_neutral_call,
    build_old_call,
    build_old_entries,
    build_oldest_call,
    build_oldest_entries,
    format_compaction,
    format_messages,
    plan_compaction,
)
from memory.engine.model_calls import Model, ModelCall, ResolveVariables, keep_variables
from memory.services.workshop import SAFE_STATES
from memory.stores.discussion_files import DiscussionFiles
from memory.types import Message
from wilmer_site.lib.files import DiscussionBusyError


@dataclass(frozen=True, slots=True)
class Compactor:
    """Who compacts what: a discussion, its settings and the model."""

    files: DiscussionFiles
    settings: CompactorSettings
    model: Model
    resolve: ResolveVariables = keep_variables

    def ask(self, call: ModelCall) -> str:
        """The answer; empty for a blank one."""
        answer = self.model.ask(call)
        return answer if answer and answer.strip() else ""


@dataclass(frozen=True, slots=True)
class CompactionResult:
    """What the node gives, and why it did or did not ask a model."""

    text: str
    reason: CompactionReason | None = None
    is_busy: bool = False


def compact_context(compactor: Compactor | None, messages: Sequence[Message]) -> CompactionResult:
    """Summarise what became old since the last run; empty text without a discussion or settings.

    When another run is at work on the discussion, or a file cannot be read, the kept text is given.
    """
    if compactor is None:
        return CompactionResult("")
    state = read_compaction(compactor.files)
    if state is None:
        return CompactionResult("")
    plan = plan_compaction(messages, state, compactor.settings)
    if not plan.is_due:
        return CompactionResult(format_compaction(state), plan.reason)
    try:
        with compactor.files.processing(0):
            return CompactionResult(format_compaction(_run(compactor, plan, state)), plan.reason)
    except DiscussionBusyError:
        return CompactionResult(format_compaction(state), plan.reason, is_busy=True)


def read_compaction(files: DiscussionFiles) -> CompactionState | None:
    """What is kept so far; None when a file cannot be read and must not be written over."""
    old, oldest = files.read_compactor_old(), files.read_compactor_oldest()
    if old.report.state not in SAFE_STATES or oldest.report.state not in SAFE_STATES:
        return None
    return CompactionState(old.entries, oldest.entries)


def _run(compactor: Compactor, plan: CompactionPlan, state: CompactionState) -> CompactionState:
    text = compactor.ask(build_old_call(plan, compactor.settings, compactor.resolve))
    old = build_old_entries(plan, text or format_messages(plan.old_messages))
    compactor.files.write_compactor_old(old)
    if not plan.moved_messages:
        return CompactionState(tuple(old), state.oldest)
    moved = compactor.ask(build_neutral_call(plan, compactor.settings, compactor.resolve))
    content = moved or format_messages(plan.moved_messages)
    merged = compactor.ask(build_oldest_call(state.oldest_text, content, compactor.settings, compactor.resolve))
    oldest = build_oldest_entries(plan, merged or state.oldest_text)
    compactor.files.write_compactor_oldest(oldest)
    return CompactionState(tuple(old), tuple(oldest))
