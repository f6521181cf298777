"""The same regeneration for many discussions: what each would cost, before one job is started for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.engine.regeneration import Kind, RegenerationRequest
from memory.errors import TranscriptMissingError
from memory.results import ApiKeys
from memory.services.jobs import require_free_layer
from memory.services.regeneration import plan_regeneration
from memory.types import DiscussionRef
from wilmer_site.lib.errors import InvalidError, WilmerError

MOST = 100
"""So many discussions go in one step: every one of them is opened for its plan."""
BULK_KINDS = (Kind.EVERYTHING, Kind.CONDENSE, Kind.SUMMARY, Kind.STATE_DOCUMENT, Kind.EMBED, Kind.INDEX)
"""Kinds that need no number, which would mean something else in each discussion."""


@dataclass(frozen=True, slots=True)
class BulkPlan:
    """What one of the jobs would do, or why there can be none."""

    ref: DiscussionRef
    problem: str = ""
    needs_chat: bool = False
    calls: int = 0
    model_calls: int = 0
    token_estimate: int = 0
    drafts: int = 0
    endpoints: tuple[str, ...] = ()
    digest: str = ""
    """As `Plan.digest`."""


@dataclass(frozen=True, slots=True)
class BulkOutlook:
    """The plans, or why there are none."""

    plans: tuple[BulkPlan, ...] = ()
    problem: str = ""


def find_plans(refs: Sequence[DiscussionRef], request: RegenerationRequest, keys: ApiKeys) -> BulkOutlook:
    """One plan for each discussion, in their order, or what stands in the way; no model is asked."""
    try:
        require_bulk(len(refs), request.kind)
    except InvalidError as error:
        return BulkOutlook(problem=error.message)
    return BulkOutlook(tuple(_plan(ref, request, keys) for ref in refs))


def require_bulk(count: int, kind: Kind) -> None:
    """Raise InvalidError for too many discussions, and for a kind that needs a number."""
    if kind not in BULK_KINDS:
        raise InvalidError("What shall be made anew needs a number, so it cannot be done for many at once.")
    if count > MOST:
        raise InvalidError(
            f"{count:,} discussions were chosen; at most {MOST} are made anew in one step, because each is opened to"
            " count its prompts. Narrow the filter, or tick some."
        )


def _plan(ref: DiscussionRef, request: RegenerationRequest, keys: ApiKeys) -> BulkPlan:
    try:
        require_free_layer(ref, request)
        plan = plan_regeneration(ref, request, keys)
    except WilmerError as error:
        return BulkPlan(ref, error.message, isinstance(error, TranscriptMissingError))
    return BulkPlan(
        ref,
        calls=plan.call_count,
        model_calls=plan.model_calls,
        token_estimate=plan.token_estimate,
        drafts=len(plan.specs),
        endpoints=plan.endpoints,
        digest=plan.digest,
    )
