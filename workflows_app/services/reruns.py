"""Runs that begin in the middle of an earlier one, and outputs that stay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.errors import ConflictError, InvalidError
from workflows_app import wiring
from workflows_app.errors import AttemptNotFoundError, NodeRunNotFoundError
from workflows_app.models import NodeRun, RunEventRow, WorkflowRun
from workflows_app.queries.attempts import can_replace_output
from workflows_app.results import NodeState, RunState
from workflows_app.services.runs import clear_old_runs, get_row


@dataclass(frozen=True, slots=True)
class RerunRequest:
    """From where, and how far."""

    node: int
    """Number of the node in the earlier run."""
    output: str | None = None
    """Taken for the node's output instead of running it; None: the node is run."""
    is_single_node: bool = False
    attempt: int | None = None
    """Number of a try of the node whose answer is taken for its output."""


def start_rerun(run_id: int, request: RerunRequest, *, requested_by: Any = None) -> int:
    """Note down a run that takes the outputs of all nodes before one from an earlier run; returns its id.

    It works on a sandbox copy if the earlier one did. What nodes that are not run again wrote is not written again.
    Raises RunNotFoundError, NodeRunNotFoundError, ConflictError while the earlier run goes on, InvalidError for
    running one node alone with its output given, RefusedError as `start_run`; AttemptNotFoundError, and ConflictError
    for a try that has no whole answer or whose answer is no output.
    """
    parent = get_row(run_id)
    if not RunState(parent.state).is_over:
        raise ConflictError("This run is still going on. Cancel it, or wait for its end.", run=run_id)
    node = get_node_row(run_id, request.node)
    output = request.output if request.attempt is None else _get_answer(node, request.attempt)
    if request.is_single_node and output is not None:
        raise InvalidError("A node whose output is given is not run, so it cannot be run alone.", field="output")
    if not parent.is_sandbox:
        wiring.check_may_write("Run on a sandbox copy instead.")
    run = WorkflowRun.objects.create(
        **{name: getattr(parent, name) for name in _COPIED},
        queued_at=utc_now(),
        requested_by=requested_by,
        parent=parent,
        first_node=node.number,
        edited_output=output,
        is_single_node=request.is_single_node,
    )
    RunEventRow.objects.create(run=run, number=1, name="run-queued")
    clear_old_runs()
    return run.pk


def pin_node(run_id: int, number: int, *, is_pinned: bool) -> None:
    """Let every run that starts from this one use this node's output, or no longer. Raises as `get_node_row`.

    Raises ConflictError for a node that has no output.
    """
    node = get_node_row(run_id, number)
    if is_pinned and (node.state != NodeState.FINISHED or not node.output):
        raise ConflictError("This node left no output that could be pinned.", run=run_id, node=number)
    NodeRun.objects.filter(pk=node.pk).update(is_pinned=is_pinned)


def get_node_row(run_id: int, number: int) -> NodeRun:
    """The row of one node. Raises RunNotFoundError, NodeRunNotFoundError."""
    run = get_row(run_id)
    node = run.nodes.filter(number=number).first()
    if node is None:
        raise NodeRunNotFoundError(f"Run {run_id} came to no node number {number}.", run=run_id, node=number)
    return node


def _get_answer(node: NodeRun, number: int) -> str:
    attempt = node.attempts.filter(number=number).first()
    if attempt is None:
        raise AttemptNotFoundError(f"Node {node.number} has no attempt {number}.", node=node.number, attempt=number)
    if attempt.state != RunState.FINISHED:
        raise ConflictError(f"Attempt {number} has no whole answer.", node=node.number, attempt=number)
    if not can_replace_output(node.type):
        raise ConflictError(f"What a model answers is not the output of a {node.type} node.", node=node.number)
    return str(attempt.output)


_COPIED = ("user", "workflow", "folder", "discussion", "source", "messages", "tools", "tool_choice", "is_sandbox")
