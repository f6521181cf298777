"""Making memory anew: first the plan with every prompt, then a job that makes drafts."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from memory.engine.model_calls import WorkflowCall
from memory.engine.regeneration import (
    Kind,
    Plan,
    PlannedCall,
    RegenerationRequest,
    digest_of,
    list_endpoints,
    view_call,
)
from memory.errors import DiscussionLockedError, DiscussionNotFoundError, TranscriptMissingError
from memory.queries.draft_rows import UNSEALED, build_seal
from memory.results import ApiKeys
from memory.services import audit
from memory.services.job_keys import lend_keys
from memory.services.jobs import NewJob, create_job, require_free_layer
from memory.services.permission import require_changes_allowed
from memory.services.regeneration_kinds import regenerator_of
from memory.services.regeneration_site import ExpectedCall, Site, SiteOptions, find_nodes, open_site
from memory.services.regeneration_upkeep import plan_upkeep
from memory.types import Artefact, DiscussionRef, FileState
from wilmer_site.lib.errors import ConflictError, WilmerError

SHOWN_CALLS = 20
"""How many calls the plan shows whole; of the others it only counts the tokens."""
COUNTED_CALLS = 200
"""How many calls are looked at for that; the tokens of more are estimated."""
_TEXT_FILES = (Artefact.MEMORIES, Artefact.SUMMARY, Artefact.STATE_DOCUMENT)
_NEEDS_FILES = frozenset(Kind) - {Kind.EMBED, Kind.INDEX}


def plan_regeneration(ref: DiscussionRef, request: RegenerationRequest, keys: ApiKeys) -> Plan:
    """What a regeneration would send and replace. Reads only; no model is asked.

    Raises DiscussionNotFoundError, TranscriptMissingError without a chat, InvalidError or ChunkNotFoundError for
    what cannot be made anew, DiscussionLockedError and DamagedFileError for files that cannot be read.
    """
    site = open_site(ref, request, keys, SiteOptions())
    require_unlocked(site)
    return _plan_drafts(site) if request.has_drafts else _plan_upkeep(site)


def start_regeneration(
    ref: DiscussionRef, request: RegenerationRequest, keys: ApiKeys, *, actor: str, digest: str | None = None
) -> int:
    """Note down a job for the workers; returns its id.

    With a digest the plan must still be the one that somebody saw, else ConflictError. Raises as `plan_regeneration`,
    RefusedError in read-only mode and JobOpenError while another job is open for the same layer.
    """
    require_changes_allowed()
    require_free_layer(ref, request)
    plan = plan_regeneration(ref, request, keys)
    if digest is not None and digest != plan.digest:
        raise ConflictError("What would be sent has changed since you looked at it. Look again.", digest=plan.digest)
    seal = build_seal(ref, keys) if plan.is_encrypted else UNSEALED
    job_id = create_job(NewJob(ref, request, plan.specs, plan.call_count, actor, seal))
    lend_keys(job_id, keys if ref.key_hash else {})
    audit.note(actor, "regeneration-started", ref.text, job=job_id, kind=request.kind.value, calls=plan.call_count)
    return job_id


@dataclass(frozen=True, slots=True)
class Outlook:
    """A plan, or why there can be none."""

    plan: Plan | None
    problem: str = ""
    needs_chat: bool = False
    """The chat must be imported first."""


def find_plan(ref: DiscussionRef, request: RegenerationRequest, keys: ApiKeys) -> Outlook:
    """The plan for a page, which shows in its place what stands in the way; an unknown discussion still raises."""
    try:
        return Outlook(plan_regeneration(ref, request, keys))
    except DiscussionNotFoundError:
        raise
    except WilmerError as error:
        return Outlook(None, error.message, isinstance(error, TranscriptMissingError))


def require_unlocked(site: Site) -> None:
    """Raise DiscussionLockedError when the files need a key that is not there."""
    if site.request.kind in _NEEDS_FILES:
        for artefact in _TEXT_FILES:
            report = site.workshop.files.report(artefact)
            if report.state is FileState.LOCKED:
                raise DiscussionLockedError(
                    f"{report.path.name} is encrypted and its key is not known here. Unlock the discussion first.",
                    file=report.path.name,
                )


def _plan_drafts(site: Site) -> Plan:
    regenerator = regenerator_of(site.request.kind)
    specs = regenerator.list_specs(site)
    nodes: dict[str, list[dict[str, object]]] = {}
    expected = itertools.islice(regenerator.expect_calls(site, specs.drafts), COUNTED_CALLS)
    calls = [_view(call, nodes) for call in expected]
    count = sum(spec.calls for spec in specs.drafts)
    last = calls[-1]
    if count > len(calls):
        last = _view(next(iter(regenerator.expect_calls(site, specs.drafts[-1:]))), nodes)
    sent = [[[view.system_prompt, view.prompt, view.endpoint] for view in call.prompts] for call in calls[:SHOWN_CALLS]]
    return Plan(
        request=site.request,
        specs=specs.drafts,
        calls=tuple(calls[:SHOWN_CALLS]),
        call_count=count,
        model_calls=sum(len(call.prompts) for call in calls) + (count - len(calls)) * len(last.prompts),
        token_estimate=_estimate_tokens(calls, last, count),
        endpoints=list_endpoints(calls),
        notes=(*specs.notes, *_list_general_notes(site, calls)),
        digest=digest_of(site.request.to_json(), [spec.found.seen for spec in specs.drafts], sent),
        is_encrypted=_is_encrypted(site),
    )


def _estimate_tokens(calls: Sequence[PlannedCall], last: PlannedCall, count: int) -> int:
    """Calls that were not looked at count as the mean of their neighbours: prompts grow with the memories in them."""
    mean = (calls[-1].token_estimate + last.token_estimate) // 2
    return sum(call.token_estimate for call in calls) + (count - len(calls)) * mean


def _plan_upkeep(site: Site) -> Plan:
    upkeep = plan_upkeep(site)
    notes = (
        [f"{upkeep.memories:,} memories get new vectors of the model {upkeep.model!r}, 32 texts in each request."]
        if site.request.kind is Kind.EMBED
        else [f"The search index of {upkeep.memories:,} memories is written anew; it stays usable meanwhile."]
    )
    return Plan(
        request=site.request,
        specs=(),
        calls=(),
        call_count=upkeep.calls,
        model_calls=upkeep.calls,
        token_estimate=0,
        endpoints=(upkeep.endpoint,) if upkeep.endpoint else (),
        notes=tuple(notes),
        digest=digest_of(site.request.to_json(), upkeep.memories, upkeep.endpoint),
    )


def _view(expected: ExpectedCall, known: dict[str, list[dict[str, object]]]) -> PlannedCall:
    call = expected.call
    workflow = call.workflow if isinstance(call, WorkflowCall) else ""
    if workflow and workflow not in known:
        known[workflow] = find_nodes(workflow)
    return PlannedCall(expected.title, workflow, view_call(call, known.get(workflow, [])), expected.is_provisional)


def _list_general_notes(site: Site, calls: Sequence[PlannedCall]) -> list[str]:
    notes = []
    unreadable = sorted({call.workflow for call in calls if call.workflow and not call.prompts})
    if unreadable:
        notes.append(f"The workflow {unreadable[0]!r} has no node whose prompt could be shown, or cannot be read.")
    if _is_encrypted(site):
        notes.append(
            "This discussion is encrypted. Drafts, prompts and answers are kept encrypted with its key; the imported"
            " chat lies in the console's database in plain text."
        )
    return notes


def _is_encrypted(site: Site) -> bool:
    files = site.workshop.files
    return bool(site.ref.key_hash) and any(files.report(artefact).is_encrypted for artefact in _TEXT_FILES)
