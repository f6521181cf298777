"""Starting, cancelling and clearing away runs of workflows."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Q

from memory.errors import UnsafeDiscussionIdError
from memory.types import DiscussionRef
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.errors import ConflictError, InvalidError, WilmerError
from wilmer_site.lib.ids import is_plain_name
from workflows_app import wiring
from workflows_app.engine.conversation import text_of
from workflows_app.engine.definition import parse_workflow
from workflows_app.errors import RunNotFoundError, WorkflowInvalidError
from workflows_app.models import NodeRun, RunEventRow, WorkflowRun
from workflows_app.results import NodeState, RunState
from workflows_app.stores.workflow_folder import parse_document

MAX_MESSAGES = 100_000
LOST = "The process that ran this died or was stopped. Nothing half-written is left; start it again."
_OVER = (RunState.FINISHED, RunState.FAILED, RunState.CANCELLED)


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What to run, on what."""

    workflow: str
    """Path below `Configs/Workflows`, such as `gardener/Garden_Companion`."""
    user: str = ""
    """The WilmerAI user; empty: the one whose config counts."""
    discussion: str = ""
    """`DiscussionRef.text`; empty: what the messages carry a tag of, else none."""
    messages: Sequence[Mapping[str, Any]] = field(default_factory=tuple)
    """Empty: the messages of the discussion, where the console has them."""
    tools: Sequence[Mapping[str, Any]] = field(default_factory=tuple)
    """What nodes with `allowTools` offer to their models, as chat requests carry it."""
    tool_choice: Any = None
    is_sandbox: bool = True
    adds_to_discussion: bool = False
    """Whether `messages` come behind those of the discussion instead of standing for themselves."""
    up_to_message: int | None = None
    """Of the discussion's own messages those up to this number, from 1; None: all."""
    last_messages: int | None = None
    """Of those only so many of the newest, beside the system messages at the beginning; None: all."""
    drafts: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Unsaved texts that stand in for files, by their paths below `Configs`."""


def start_run(request: RunRequest, *, requested_by: Any = None) -> int:
    """Note down a run that a worker will take up; returns its id.

    Raises WorkflowNotFoundError, WorkflowInvalidError, ConfigInvalidError for a workflow that cannot run,
    InvalidError without messages, RefusedError for a run on real files in a read-only console.
    """
    _check_workflow(request)
    if not request.is_sandbox:
        wiring.check_may_write("Run on a sandbox copy instead.")
    messages, source = _choose_messages(request)
    folder, _, name = request.workflow.rpartition("/")
    run = WorkflowRun.objects.create(
        user=request.user or wiring.get_user_name(),
        workflow=name,
        folder=folder,
        discussion=request.discussion,
        source=source,
        messages=messages,
        tools=list(request.tools),
        tool_choice=request.tool_choice,
        is_sandbox=request.is_sandbox,
        queued_at=utc_now(),
        requested_by=requested_by,
    )
    for path, text in request.drafts.items():
        wiring.get_sandbox(run.pk).put_draft(path, text)
    _note(run.pk, 1, "run-queued")
    clear_old_runs()
    return run.pk


def find_problem(request: RunRequest) -> WilmerError | None:
    """Why a run cannot be started like this; None if it can."""
    try:
        _check_workflow(request)
        _choose_messages(request)
        if not request.is_sandbox:
            wiring.check_may_write("Run on a sandbox copy instead.")
    except WilmerError as error:
        return error
    return None


def take_part(messages: Sequence[dict[str, Any]], up_to: int | None, last: int | None) -> list[dict[str, Any]]:
    """The part of a conversation that a run is for. Raises InvalidError for a number that it does not have."""
    if up_to is not None and not 1 <= up_to <= len(messages):
        raise InvalidError(
            f"The discussion has {len(messages):,} messages; there is no number {up_to:,}.", field="up_to_message"
        )
    part = list(messages[:up_to])
    if last is None:
        return part
    head = len(list(itertools.takewhile(lambda message: message.get("role") == "system", part)))
    return part[:head] + part[max(head, len(part) - last) :]


def cancel_run(run_id: int) -> RunState:
    """End a run: at once when it waits, within a moment when it runs; one that is over stays as it is.

    Raises RunNotFoundError.
    """
    with transaction.atomic():
        waiting = WorkflowRun.objects.filter(pk=run_id, state=RunState.QUEUED)
        if waiting.update(state=RunState.CANCELLED, cancel_requested=True, finished_at=utc_now()):
            _note(run_id, 2, "run-cancelled")
        WorkflowRun.objects.filter(pk=run_id, state=RunState.RUNNING).update(cancel_requested=True)
    return RunState(get_row(run_id).state)


def reap_stale_runs() -> int:
    """Fail the runs whose process was not heard of in time; returns how many."""
    now = utc_now()
    lost = list(WorkflowRun.objects.filter(state=RunState.RUNNING, lease_until__lt=now).values_list("pk", flat=True))
    for run_id in lost:
        _fail_lost(run_id)
    return len(lost)


def clear_old_runs() -> int:
    """Delete the oldest runs that are over, beyond WILMER_RUNS_KEPT, with their sandboxes; returns how many."""
    over = WorkflowRun.objects.filter(state__in=_OVER).order_by("-pk")
    # Runs that wait still need the outputs of their parents.
    needed = set(WorkflowRun.objects.exclude(state__in=_OVER).values_list("parent_id", flat=True))
    old = [run_id for run_id in over.values_list("pk", flat=True)[wiring.get_runs_kept() :] if run_id not in needed]
    for run_id in old:
        delete_run(run_id)
    return len(old)


def delete_run(run_id: int) -> None:
    """Forget a run with everything recorded of it. Raises RunNotFoundError, and ConflictError while it goes on."""
    run = get_row(run_id)
    if not RunState(run.state).is_over:
        raise ConflictError("This run is still going on. Cancel it first.", run=run_id)
    wiring.delete_sandbox(run_id)
    run.delete()


def is_read_only() -> bool:
    """Whether runs on real files are refused."""
    return wiring.is_read_only()


def get_row(run_id: int) -> WorkflowRun:
    """The row of a run. Raises RunNotFoundError."""
    run = WorkflowRun.objects.filter(pk=run_id).first()
    if run is None:
        raise RunNotFoundError(f"There is no run {run_id}. Old runs are deleted after a while.", run=run_id)
    return run


def _check_workflow(request: RunRequest) -> None:
    path = request.workflow
    draft = request.drafts.get(f"Workflows/{path}.json")
    text = wiring.get_workflow_folder().read_text(path) if draft is None else draft.removeprefix("\ufeff")
    if not parse_workflow(path, parse_document(text)).nodes:
        raise WorkflowInvalidError(f"Workflow {path!r} has no nodes, so there is nothing to run.", workflow=path)


def _choose_messages(request: RunRequest) -> tuple[list[dict[str, Any]], str]:
    _check_discussion(request.discussion)
    messages, source = [dict(message) for message in request.messages], "messages"
    if request.discussion and (not messages or request.adds_to_discussion):
        source = "discussion" if not messages else source
        known = wiring.find_transcript(DiscussionRef.parse(request.discussion)) or []
        messages = [*take_part(known, request.up_to_message, request.last_messages), *messages]
    if not any(text_of(message).strip() for message in messages):
        raise InvalidError(
            "There are no messages to run on. WilmerAI keeps none, so paste the conversation"
            + (f" of {request.discussion!r}." if request.discussion else "."),
            field="messages",
        )
    if len(messages) > MAX_MESSAGES:
        raise InvalidError(f"A run takes at most {MAX_MESSAGES:,} messages.", field="messages")
    return messages, source


def _check_discussion(text: str) -> None:
    """Raises UnsafeDiscussionIdError for what can name no discussion (memory.md §2)."""
    ref = DiscussionRef.parse(text)
    names = (ref.discussion_id, ref.key_hash) if ":" in text else (ref.discussion_id,)
    if text and not all(is_plain_name(name or "") for name in names):
        raise UnsafeDiscussionIdError(
            f"{text[:100]!r} names no discussion: an id is not '.' or '..' and has no / \\ or :.", field="discussion"
        )


@transaction.atomic
def _fail_lost(run_id: int) -> None:
    rows = WorkflowRun.objects.filter(pk=run_id, state=RunState.RUNNING)
    if not rows.update(
        state=RunState.FAILED, error_code="run-lost", error=LOST, finished_at=utc_now(), lease_until=None
    ):
        return
    NodeRun.objects.filter(Q(run_id=run_id) & Q(state=NodeState.RUNNING)).update(state=NodeState.FAILED, error=LOST)
    last = RunEventRow.objects.filter(run_id=run_id).order_by("-number").values_list("number", flat=True).first()
    _note(run_id, (last or 0) + 1, "run-failed", {"error_code": "run-lost", "error": LOST})


def _note(run_id: int, number: int, name: str, data: Mapping[str, Any] | None = None) -> None:
    RunEventRow.objects.create(run_id=run_id, number=number, name=name, data=dict(data or {}))
