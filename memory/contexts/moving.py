"""Copying, forking, renaming and rolling back a discussion: what is asked, and what would follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memory.contexts.addresses import discussion_api_address, page_address
from memory.contexts.discussions import DiscussionStrip
from memory.engine.wording import format_count
from memory.results import DiscussionHeader
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


@dataclass(frozen=True, slots=True)
class MovingContext:
    """A form about a whole discussion."""

    discussion: DiscussionStrip
    form: Any
    has_chat: bool
    form_url: str
    back_url: str
    api_url: str

    @classmethod
    def build(cls, header: DiscussionHeader, form: Any, name: str, *, has_chat: bool) -> MovingContext:
        """`name` is that of the page and of its twin: `discussion-copy`."""
        ref = header.card.ref
        return cls(
            discussion=DiscussionStrip.build(header, ""),
            form=form,
            has_chat=has_chat,
            form_url=page_address(name, ref),
            back_url=page_address("discussion-detail", ref),
            api_url=discussion_api_address(ref, name.removeprefix("discussion-")),
        )


@dataclass(frozen=True, slots=True)
class RollbackContext:
    """Where to cut, and what that would leave."""

    discussion: DiscussionStrip
    form: Any
    plan: RollbackPlan | None
    lines: tuple[str, ...]
    has_chat: bool
    form_url: str
    transcript_url: str
    api_url: str

    @classmethod
    def build(
        cls, header: DiscussionHeader, form: Any, plan: RollbackPlan | None, *, has_chat: bool
    ) -> RollbackContext:
        """The page that asks, with the plan once a point is named."""
        ref = header.card.ref
        return cls(
            discussion=DiscussionStrip.build(header, ""),
            form=form,
            plan=plan,
            lines=tuple(_describe(plan)) if plan else (),
            has_chat=has_chat,
            form_url=page_address("discussion-rollback", ref),
            transcript_url=page_address("transcript-detail", ref),
            api_url=discussion_api_address(ref, "rollback"),
        )


def _describe(plan: RollbackPlan) -> list[str]:
    kept = len(plan.after.ledger)
    lines = [f"{format_count(plan.chunks_removed, 'chunk')} of {len(plan.before.ledger):,} go, {kept:,} stay."]
    if plan.memory_total:
        gone = format_count(len(plan.log.memory_ids), "vector memory", "vector memories")
        rows = format_count(len(plan.log.removed), "row")
        lines.append(f"{gone} of {plan.memory_total:,} go, with {rows} of the hash log.")
    lines += [SUMMARIES[plan.summary], STATES[plan.state]]
    if plan.timestamps_removed:
        lines.append(f"{format_count(plan.timestamps_removed, 'timestamp')} go.")
    return [*lines, *plan.notes]
