"""One regeneration for many discussions: what each would send, before anything is spent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memory.contexts.addresses import page_address
from memory.contexts.labels import format_id
from memory.contexts.regeneration import KINDS, KindLink, regeneration_address
from memory.engine.regeneration import Kind
from memory.engine.wording import format_count
from memory.services.regeneration_bulk import BULK_KINDS, BulkOutlook, BulkPlan
from memory.types import DiscussionRef


class BulkRow(NamedTuple):
    """One discussion with its own job."""

    name: str
    plan: BulkPlan
    start: str
    """Names the discussion and the plan that was seen; empty when there can be no job."""
    url: str
    """Its own page with every prompt."""


@dataclass(frozen=True, slots=True)
class BulkContext:
    """What to make anew in several discussions, and what that would send."""

    what: str
    kinds: tuple[KindLink, ...]
    kind: str
    title: str
    rows: tuple[BulkRow, ...]
    calls: int
    token_estimate: int
    drafts: int
    endpoints: tuple[str, ...]
    problem: str
    self_url: str
    back_url: str

    @classmethod
    def build(
        cls, refs: Sequence[DiscussionRef], kind: Kind | None, outlook: BulkOutlook, selection: str
    ) -> BulkContext:
        """The page; `selection` is the part of the query that names the discussions."""
        base, plans = page_address("regeneration-bulk"), outlook.plans
        return cls(
            what=format_count(len(refs), "discussion"),
            kinds=tuple(
                KindLink(KINDS[known].title, KINDS[known].text, f"{base}?{selection}&kind={known.value}", known is kind)
                for known in BULK_KINDS
            ),
            kind=kind.value if kind else "",
            title=KINDS[kind].title if kind else "",
            rows=tuple(_row(plan, kind) for plan in plans if kind),
            calls=sum(plan.calls for plan in plans),
            token_estimate=sum(plan.token_estimate for plan in plans),
            drafts=sum(plan.drafts for plan in plans),
            endpoints=tuple(dict.fromkeys(endpoint for plan in plans for endpoint in plan.endpoints)),
            problem=outlook.problem,
            self_url=f"{base}?{selection}&kind={kind.value}" if kind else "",
            back_url=page_address("discussion-list"),
        )

    @property
    def job_count(self) -> int:
        """How many jobs the button starts."""
        return sum(bool(row.start) for row in self.rows)

    @property
    def button(self) -> str:
        """What it says, with the number."""
        return f"Start {format_count(self.job_count, 'job')}"


def _row(plan: BulkPlan, kind: Kind) -> BulkRow:
    start = "" if plan.problem else f"{plan.digest}:{plan.ref.text}"
    return BulkRow(format_id(plan.ref.discussion_id), plan, start, regeneration_address(plan.ref, kind))
