"""What rolling back would leave, in sentences: the page and the command say the same."""

from __future__ import annotations

from memory.engine.wording import format_count
from memory.services.rollback import RollbackPlan

SUMMARIES = {
    "none": "There is no rolling summary.",
    "stays": "The rolling summary stays: it reaches no further.",
    "restored": "The rolling summary goes back to its newest version that reaches no further.",
    "removed": "The rolling summary goes: no earlier version is known that reaches no further.",
}
STATES = {
    "none": "There is no state document.",
    "stays": "The state document stays: it has not changed since.",
    "restored": "The state document goes back to what it was when that message was sent.",
    "unknown": "The state document stays: the history does not tell what it was then.",
}


def describe_plan(plan: RollbackPlan) -> list[str]:
    """One sentence for each layer, whether it changes or not."""
    lines = [_describe_chunks(plan)]
    if plan.memory_total:
        count = len(plan.log.memory_ids)
        gone, rows = format_count(count, "vector memory", "vector memories"), format_count(len(plan.log.removed), "row")
        lines.append(f"{gone} of {plan.memory_total:,} {_verb(count)}, with {rows} of the hash log.")
    lines += [SUMMARIES[plan.summary], STATES[plan.state]]
    if plan.timestamps_removed:
        lines.append(f"{format_count(plan.timestamps_removed, 'timestamp')} {_verb(plan.timestamps_removed)}.")
    if plan.compactor:
        lines.append("What the context compactor holds goes: it reaches further, and is made anew from the chat.")
    return [*lines, *plan.notes]


def _describe_chunks(plan: RollbackPlan) -> str:
    gone, kept = plan.chunks_removed, plan.chunks_kept
    there = f"{format_count(gone, 'chunk')} of {len(plan.before.ledger):,} {_verb(gone)}, {kept:,} stay."
    if not plan.chunks_restored:
        return there
    back = format_count(plan.chunks_restored, "chunk")
    verb = "comes" if plan.chunks_restored == 1 else "come"
    return f"{there} {back} that a later condensation had swallowed {verb} back from the history."


def _verb(count: int) -> str:
    return "goes" if count == 1 else "go"
