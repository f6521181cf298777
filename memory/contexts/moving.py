"""Copying, forking, renaming and rolling back a discussion: what is asked, and what would follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memory.contexts.addresses import discussion_api_address, page_address
from memory.contexts.discussions import DiscussionStrip
from memory.results import DiscussionHeader
from memory.services.rollback import RollbackPlan
from memory.services.rollback_words import describe_plan


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
            lines=tuple(describe_plan(plan)) if plan else (),
            has_chat=has_chat,
            form_url=page_address("discussion-rollback", ref),
            transcript_url=page_address("transcript-detail", ref),
            api_url=discussion_api_address(ref, "rollback"),
        )
