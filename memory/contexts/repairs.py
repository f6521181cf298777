"""What mending a finding would do."""

from __future__ import annotations

from dataclasses import dataclass

from memory.contexts.addresses import discussion_api_address, page_address
from memory.contexts.discussions import DiscussionStrip
from memory.contexts.labels import HEALTH, Label
from memory.forms_repairs import RepairForm
from memory.results import DiscussionHeader
from memory.services.repairs import RepairPlan


@dataclass(frozen=True, slots=True)
class RepairDetailContext:
    """The page that asks before anything is mended."""

    discussion: DiscussionStrip
    plan: RepairPlan
    level: Label
    form: RepairForm
    form_url: str
    back_url: str
    api_url: str

    @classmethod
    def build(cls, header: DiscussionHeader, plan: RepairPlan, form: RepairForm) -> RepairDetailContext:
        """Words for one repair."""
        ref, code = header.card.ref, plan.check.code
        return cls(
            discussion=DiscussionStrip.build(header, "health-list"),
            plan=plan,
            level=HEALTH[plan.check.level],
            form=form,
            form_url=page_address("repair-detail", ref, code),
            back_url=page_address("health-list", ref),
            api_url=discussion_api_address(ref, "health"),
        )
