"""What was recorded of runs."""

from __future__ import annotations

import itertools
import json
from typing import Any

from django.db.models import Count, QuerySet

from memory.queries import discussions
from memory.results import DiscussionFilter
from memory.services.workshop import Step
from memory.types import DiscussionRef
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.paging import Page, PageRequest
from workflows_app import wiring
from workflows_app.errors import NodeRunNotFoundError, RunNotFoundError
from workflows_app.models import NodeRun, RunEventRow, WorkflowRun
from workflows_app.queries.staleness import find_stale
from workflows_app.results import NodeState, RunState
from workflows_app.run_results import (
    FileTouch,
    MemoryStep,
    ModelCallRecord,
    NodeDetail,
    NodePair,
    NodeRow,
    PromptText,
    RunCard,
    RunDetail,
    RunEventRecord,
    RunFilter,
    format_output,
)

_COUNTED = {Step.STARTED, Step.ASKING, Step.CHUNK_STORED, Step.CHUNK_FAILED, Step.SUMMARY_SAVED, Step.FINISHED}
"""Steps of memory work that say how much of it is done; others count within one chunk."""

MAX_EVENTS = 1_000
"""Events given at once."""

MAX_CHOICES = 1_000
"""Discussions that a form offers."""


def list_runs(wanted: RunFilter, page: PageRequest) -> Page[RunCard]:
    """Runs that pass the filter, the newest first."""
    rows = _filtered(wanted)
    part = rows.annotate(node_count=Count("nodes")).select_related("requested_by").order_by("-pk")
    return Page(
        [_card(row) for row in part.defer("messages", "answer")[page.offset : page.offset + page.size]],
        rows.count(),
        page.number,
        page.size,
    )


def count_states(wanted: RunFilter) -> dict[str, int]:
    """How many runs there are in each state, whatever state the filter names."""
    rows = _filtered(RunFilter(wanted.text, "", wanted.discussion))
    return dict(rows.values_list("state").annotate(count=Count("pk")).order_by())


def get_run(run_id: int) -> RunDetail:
    """One run with the tree of its nodes. Raises RunNotFoundError."""
    return _run_detail(_get_row(run_id), with_messages=True)


def get_tree(run_id: int) -> RunDetail:
    """The same without the messages it was given, which may be many. Raises RunNotFoundError."""
    return _run_detail(_get_row(run_id, "messages", "tools", "tool_choice"), with_messages=False)


def get_state(run_id: int) -> RunState:
    """Where a run stands. Raises RunNotFoundError."""
    state = WorkflowRun.objects.filter(pk=run_id).values_list("state", flat=True).first()
    if state is None:
        raise _missing(run_id)
    return RunState(state)


def get_node(run_id: int, number: int) -> NodeDetail:
    """One node with everything recorded of it. Raises RunNotFoundError, NodeRunNotFoundError."""
    row = _get_row(run_id, "messages", "answer")
    node = row.nodes.filter(number=number).first()
    if node is None:
        raise NodeRunNotFoundError(f"Run {run_id} came to no node number {number}.", run=run_id, node=number)
    tree = _tree(row, _list_nodes(row))
    return _detail(node, next(found for found in tree if found.number == number))


def list_events(run_id: int, *, after: int = 0) -> list[RunEventRecord]:
    """Events behind number `after`, in order; at most MAX_EVENTS."""
    rows = RunEventRow.objects.filter(run_id=run_id, number__gt=after).order_by("number")[:MAX_EVENTS]
    return [RunEventRecord(row.number, row.name, row.node, row.data) for row in rows]


def compare_runs(left_id: int, right_id: int) -> list[NodePair]:
    """The nodes of two runs side by side: those at the same place belong together, the n-th with the n-th.

    Raises RunNotFoundError.
    """
    left, right = _list_details(left_id), _list_details(right_id)
    places = dict.fromkeys([*left, *right])
    return [NodePair(left.get(place), right.get(place)) for place in sorted(places, key=lambda place: place)]


def list_transcripts() -> list[str]:
    """Discussions whose messages the console has, as `DiscussionRef.text`."""
    return [ref.text for ref in wiring.list_transcript_refs()[:MAX_CHOICES]]


def list_discussions() -> tuple[str, ...]:
    """What a run can be started on: discussions whose messages the console has, then those written last."""
    others = (ref.text for ref in discussions.list_refs(DiscussionFilter(), limit=MAX_CHOICES))
    return tuple(itertools.islice(dict.fromkeys(itertools.chain(list_transcripts(), others)), MAX_CHOICES))


def has_transcript(ref: DiscussionRef) -> bool:
    """Whether the console has the messages of this discussion."""
    return wiring.has_transcript(ref)


def _run_detail(row: WorkflowRun, *, with_messages: bool) -> RunDetail:
    last = row.events.order_by("-number").values_list("number", flat=True).first()
    elapsed = (row.finished_at or utc_now()) - (row.started_at or row.queued_at)
    return RunDetail(
        card=_card(row),
        nodes=_tree(row, _list_nodes(row)),
        answer=row.answer if row.state == RunState.FINISHED else _find_said(row),
        messages=tuple(row.messages) if with_messages else (),
        last_event=last or 0,
        is_cancel_requested=row.cancel_requested,
        tools=tuple(row.tools) if with_messages else (),
        tool_choice=row.tool_choice if with_messages else None,
        elapsed_milliseconds=max(0.0, elapsed.total_seconds() * 1000),
    )


def _list_nodes(row: WorkflowRun) -> list[NodeRun]:
    """The nodes without what is only shown of one at a time; variables say what an output was made from."""
    heavy = ["prompts", "calls", "output", *([] if RunState(row.state).is_over else ["variables"])]
    return list(row.nodes.order_by("number").defer(*heavy))


def _list_details(run_id: int) -> dict[tuple[tuple[int, ...], int], NodeDetail]:
    row = _get_row(run_id, "messages", "answer")
    nodes = list(row.nodes.order_by("number"))
    seen: dict[tuple[int, ...], int] = {}
    details: dict[tuple[tuple[int, ...], int], NodeDetail] = {}
    for node, tree_row in zip(nodes, _tree(row, nodes), strict=True):
        seen[tree_row.path] = seen.get(tree_row.path, 0) + 1
        details[tree_row.path, seen[tree_row.path]] = _detail(node, tree_row)
    return details


def _filtered(wanted: RunFilter) -> QuerySet[WorkflowRun]:
    rows = WorkflowRun.objects.all()
    if wanted.text:
        rows = rows.filter(workflow__icontains=wanted.text)
    if wanted.state:
        rows = rows.filter(state=wanted.state)
    return rows.filter(discussion=wanted.discussion) if wanted.discussion else rows


def _get_row(run_id: int, *without: str) -> WorkflowRun:
    row = WorkflowRun.objects.select_related("requested_by").annotate(node_count=Count("nodes")).filter(pk=run_id)
    found = row.defer(*without).first()
    if found is None:
        raise _missing(run_id)
    return found


def _missing(run_id: int) -> RunNotFoundError:
    return RunNotFoundError(f"There is no run {run_id}. Old runs are deleted after a while.", run=run_id)


def _card(row: WorkflowRun) -> RunCard:
    return RunCard(
        id=row.pk,
        user=row.user,
        workflow=row.workflow,
        folder=row.folder,
        discussion=row.discussion,
        source=row.source,
        is_sandbox=row.is_sandbox,
        state=RunState(row.state),
        queued_at=row.queued_at,
        started_at=row.started_at,
        finished_at=row.finished_at,
        requested_by=row.requested_by.get_username() if row.requested_by else "",
        error_code=row.error_code,
        error=row.error,
        parent_id=row.parent_id,
        first_node=row.first_node,
        is_single_node=row.is_single_node,
        is_edited=row.edited_output is not None,
        node_count=getattr(row, "node_count", 0),
    )


def _find_said(run: WorkflowRun) -> str:
    """What a run has answered so far: by the answering node, or by the one that answers inside of it."""
    rows = run.nodes.filter(is_responder=True)
    answering = set(rows.values_list("path", flat=True))
    said = rows.exclude(output="").order_by("-number").values_list("number", "path")
    number = next((number for number, path in said if _callers(path) <= answering), 0)
    output = rows.filter(number=number).values_list("output", flat=True).first()
    return format_output(json.loads(output)) if output else ""


def _callers(path: str) -> set[str]:
    """The places of the nodes that a node stands below, such as `2` and `2.1` for `2.1.3`."""
    steps = path.split(".")
    return {".".join(steps[:length]) for length in range(1, len(steps))}


def _tree(run: WorkflowRun, nodes: list[NodeRun]) -> tuple[NodeRow, ...]:
    start = run.started_at or run.queued_at
    below = _time_below(nodes)
    stale = find_stale(nodes, is_draft=_is_draft(run)) if RunState(run.state).is_over else {}
    return tuple(
        NodeRow(
            number=node.number,
            path=tuple(int(part) for part in node.path.split(".")),
            workflow=node.workflow,
            type=node.type,
            title=node.title,
            state=NodeState(node.state),
            is_responder=node.is_responder,
            offset_milliseconds=max(0.0, (node.started_at - start).total_seconds() * 1000),
            milliseconds=node.milliseconds,
            own_milliseconds=_own(node, below),
            prompt_tokens=node.prompt_tokens,
            completion_tokens=node.completion_tokens,
            is_measured=node.is_measured,
            warning_count=len(node.warnings),
            is_replayed=node.is_replayed,
            is_pinned=node.is_pinned,
            is_edited=node.is_edited,
            stale=stale.get(node.number, ""),
            progress=_tell_progress(node),
        )
        for node in nodes
    )


def _is_draft(run: WorkflowRun) -> bool:
    """Whether the run, or the one it repeats a part of, was of unsaved texts."""
    origin: WorkflowRun | None = run
    while origin is not None:
        if wiring.get_sandbox(origin.pk).drafts.is_dir():
            return True
        origin = origin.parent
    return False


def _tell_progress(node: NodeRun) -> str:
    counted = [step for step in node.progress if step["total"] and step["step"] in _COUNTED]
    if not counted:
        return ""
    last = counted[-1]
    unit = "batch" if last["step"] == Step.SUMMARY_SAVED else "chunk"
    plural = "" if last["total"] == 1 else "es" if unit == "batch" else "s"
    return f"{last['done']} of {last['total']} {unit}{plural}"


def _time_below(nodes: list[NodeRun]) -> dict[int, float]:
    """Node number → milliseconds of the nodes one level below it. Rows are in the order they were started."""
    below: dict[int, float] = {}
    open_at: dict[str, int] = {}
    for node in nodes:
        open_at[node.path] = node.number
        caller = open_at.get(node.path.rpartition(".")[0])
        if caller is not None:
            below[caller] = below.get(caller, 0.0) + (node.milliseconds or 0.0)
    return below


def _own(node: NodeRun, below: dict[int, float]) -> float | None:
    return None if node.milliseconds is None else max(0.0, node.milliseconds - below.get(node.number, 0.0))


def _detail(node: NodeRun, row: NodeRow) -> NodeDetail:
    return NodeDetail(
        row=row,
        output=json.loads(node.output) if node.output else None,
        has_output=bool(node.output),
        error_code=node.error_code,
        error=node.error,
        endpoint=node.endpoint,
        preset=node.preset,
        prompts=tuple(_prompt(value) for value in node.prompts),
        variables=node.variables,
        calls=tuple(_call(value) for value in node.calls),
        files=tuple(FileTouch(value["name"], value["action"], value["bytes"]) for value in node.files),
        warnings=tuple(node.warnings),
        steps=tuple(MemoryStep(**step) for step in node.progress),
    )


def _prompt(value: dict[str, Any]) -> PromptText:
    return PromptText(value["key"], value["template"], value["text"], tuple(value["names"]))


def _call(value: dict[str, Any]) -> ModelCallRecord:
    return ModelCallRecord(
        url=value["url"],
        body=value["body"],
        type=value["type"],
        milliseconds=value["milliseconds"],
        prompt_tokens=value.get("prompt_tokens"),
        completion_tokens=value.get("completion_tokens"),
        answer=value.get("answer", ""),
        endpoint=value.get("endpoint", ""),
        preset=value.get("preset", ""),
        response_tokens=value.get("response_tokens"),
    )
