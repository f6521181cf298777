"""Requests of a node that were tried again with other words, and the sheet to write the next one on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from wilmer_site.lib.errors import InvalidError, WilmerError
from workflows_app import wiring
from workflows_app.engine.node_types import NODE_TYPES
from workflows_app.errors import AttemptNotFoundError
from workflows_app.llm.kept_requests import has_pictures_aside, put_pictures_back, read_saying
from workflows_app.llm.requests import Saying
from workflows_app.models import NodeAttempt, NodeRun, WorkflowRun
from workflows_app.queries.runs import get_node
from workflows_app.results import RunState
from workflows_app.run_results import ModelCallRecord, NodeDetail


@dataclass(frozen=True, slots=True)
class Word:
    """One message of a request."""

    role: str
    content: str
    origin: int = 0
    """Which message of the recorded request it was, from 1: its pictures and tool calls go along; 0: a new one."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A request as it was sent, to be changed."""

    call: int
    """Which of the node's requests it is, from 1."""
    endpoint: str
    preset: str
    response_tokens: int | None
    words: tuple[Word, ...]
    sent: Saying = field(default_factory=Saying)
    """The request itself: its messages with pictures and tool calls, and the tools on offer."""
    notes: tuple[str, ...] = ()
    """What of the request cannot be sent again."""


@dataclass(frozen=True, slots=True)
class AttemptDetail:
    """One more try and what came of it."""

    number: int
    call: int
    endpoint: str
    preset: str
    response_tokens: int | None
    words: tuple[Word, ...]
    state: RunState
    asked_at: datetime
    url: str
    body: Mapping[str, Any]
    api_type: str
    output: str
    """As far as it has come."""
    error_code: str
    error: str
    milliseconds: float | None
    prompt_tokens: int | None
    completion_tokens: int | None
    is_measured: bool
    requested_by: str


@dataclass(frozen=True, slots=True)
class Choices:
    """What a request may be sent to."""

    endpoints: tuple[str, ...]
    presets: tuple[str, ...]


def list_attempts(run_id: int, number: int, *, call: int | None = None) -> tuple[AttemptDetail, ...]:
    """The tries of a node, the newest first. Raises RunNotFoundError, NodeRunNotFoundError."""
    if not NodeRun.objects.filter(run_id=run_id, number=number).exists():
        get_node(run_id, number)
    rows = NodeAttempt.objects.filter(node__run_id=run_id, node__number=number).select_related("requested_by")
    if call is not None:
        rows = rows.filter(call=call)
    return tuple(_detail(row) for row in rows.order_by("-number"))


def get_attempt(run_id: int, number: int, attempt: int) -> AttemptDetail:
    """One try. Raises RunNotFoundError, NodeRunNotFoundError, AttemptNotFoundError."""
    found = next((one for one in list_attempts(run_id, number) if one.number == attempt), None)
    if found is None:
        raise AttemptNotFoundError(
            f"Node {number} of run {run_id} has no attempt {attempt}.", run=run_id, node=number, attempt=attempt
        )
    return found


def get_sheet(run_id: int, number: int, call: int = 1) -> Sheet:
    """A request of a node as it was sent. Raises RunNotFoundError, NodeRunNotFoundError, InvalidError."""
    node = get_node(run_id, number)
    _get_call(node, call)
    return build_sheet(run_id, node, call)


def build_sheet(run_id: int, node: NodeDetail, call: int) -> Sheet:
    """The same from a node that was read before."""
    record = node.calls[call - 1]
    body = complete_body(run_id, record.body)
    sent = read_saying(body)
    words = tuple(list_words(sent))
    return Sheet(
        call=call,
        endpoint=record.endpoint or node.endpoint,
        preset=record.preset or node.preset,
        response_tokens=record.response_tokens,
        words=words,
        sent=sent,
        notes=tuple(_list_notes(body, words)),
    )


def get_whole_call(run_id: int, number: int, call: int) -> ModelCallRecord:
    """A request with its pictures. Raises RunNotFoundError, NodeRunNotFoundError, InvalidError."""
    record = _get_call(get_node(run_id, number), call)
    return replace(record, body=complete_body(run_id, record.body))


def complete_body(run_id: int, body: Mapping[str, Any]) -> Mapping[str, Any]:
    """A recorded request with its pictures, which the messages of the run hold."""
    if not has_pictures_aside(body):
        return body
    messages = WorkflowRun.objects.filter(pk=run_id).values_list("messages", flat=True).first()
    completed: Mapping[str, Any] = put_pictures_back(body, messages or ())
    return completed


def list_choices(run_id: int) -> Choices:
    """The endpoints and presets that the user of a run can reach; empty where the configs cannot be read."""
    user = WorkflowRun.objects.filter(pk=run_id).values_list("user", flat=True).first()
    try:
        configs = wiring.open_configs(user or "")
        endpoints = configs.list_endpoints()
        presets = {name for endpoint in endpoints for name in _list_presets(configs, endpoint)}
    except WilmerError:
        return Choices((), ())
    return Choices(tuple(endpoints), tuple(sorted(presets)))


def list_words(sent: Saying) -> Sequence[Word]:
    """What a request said, message by message."""
    return [
        Word(str(message["role"]), str(message["content"]), number) for number, message in enumerate(sent.messages, 1)
    ]


def can_replace_output(node_type: str) -> bool:
    """Whether the model's answer is the output of such a node, so that a run can go on with another one."""
    return node_type == "Standard" or node_type not in NODE_TYPES


def _get_call(node: NodeDetail, call: int) -> ModelCallRecord:
    if not 1 <= call <= len(node.calls):
        count = len(node.calls)
        raise InvalidError(f"The node sent {count} requests to models; there is no number {call}.", field="call")
    return node.calls[call - 1]


def _list_presets(configs: Any, endpoint: str) -> list[str]:
    try:
        found: list[str] = configs.list_presets(configs.read_target(endpoint))
    except WilmerError:
        return []
    return found


def _list_notes(body: Mapping[str, Any], words: Sequence[Word]) -> list[str]:
    notes = []
    if has_pictures_aside(body):
        notes.append("A picture of this request was not kept, so it is not sent again.")
    if any("more characters]" in word.content[-40:] for word in words):
        notes.append("A text was too long to be kept as a whole; only its beginning is sent again.")
    return notes


def _detail(row: NodeAttempt) -> AttemptDetail:
    return AttemptDetail(
        number=row.number,
        call=row.call,
        endpoint=row.endpoint,
        preset=row.preset,
        response_tokens=row.response_tokens,
        words=tuple(Word(**word) for word in row.words),
        state=RunState(row.state),
        asked_at=row.asked_at,
        url=row.url,
        body=row.body,
        api_type=row.api_type,
        output=row.output,
        error_code=row.error_code,
        error=row.error,
        milliseconds=row.milliseconds,
        prompt_tokens=row.prompt_tokens,
        completion_tokens=row.completion_tokens,
        is_measured=row.is_measured,
        requested_by=row.requested_by.get_username() if row.requested_by else "",
    )
