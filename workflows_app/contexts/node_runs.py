"""One node of a run: what it got, did and left."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from memory.services.workshop import Step
from workflows_app.contexts.addresses import api_address, page_address
from workflows_app.contexts.attempts import TryContext
from workflows_app.contexts.curl import LONGEST_ARGUMENT, format_curl
from workflows_app.contexts.labels import NODE_STATES, Label, format_duration, format_tokens, name_tool
from workflows_app.contexts.runs import RunStrip
from workflows_app.llm.kept_requests import has_pictures_aside, read_saying
from workflows_app.results import NodeState
from workflows_app.run_results import MemoryStep, ModelCallRecord, NodeDetail, PromptText, RunDetail

_TABS = (("prompt", "Prompt"), ("output", "Output"), ("try", "Try again"), ("files", "Files"), ("raw", "Raw"))
_OUTPUT = re.compile(r"agent(\d+)Output")
_INPUT = re.compile(r"agent(\d+)Input")

_STEPS: dict[str, str] = {
    Step.STARTED: "Began",
    Step.ASKING: "Asking for a memory",
    Step.ASKED_AGAIN: "The answer was blank; asking once more",
    Step.CHUNK_STORED: "Chunk stored",
    Step.CHUNK_FAILED: "Chunk failed",
    Step.CONDENSED: "Memories condensed",
    Step.SUMMARY_SAVED: "Summary saved",
    Step.STATE_DOCUMENT: "State document",
    Step.EMBEDDED: "Vectors made",
    Step.EMBEDDING_FAILED: "Vectors failed",
    Step.FINISHED: "Done",
}


class Tab(NamedTuple):
    """One view of the node."""

    label: str
    url: str
    badge: str
    is_active: bool


class Variable(NamedTuple):
    """A variable that the templates name."""

    name: str
    value: str
    length: int
    origin: str


class StepRow(NamedTuple):
    """A step of memory work."""

    text: str
    place: str
    detail: str


class CallRow(NamedTuple):
    """A request that was sent."""

    record: ModelCallRecord
    duration: str
    tokens: str
    try_url: str
    messages: tuple[tuple[str, str], ...]
    settings: tuple[tuple[str, str], ...]
    json: str
    curl: str
    curl_url: str
    """Where the command is when it is too long, or has pictures; else empty."""


@dataclass(frozen=True, slots=True)
class NodeRunDetailContext:
    """The node's pane, beside the tree of its run."""

    run: RunStrip
    node: NodeDetail
    name: str
    state: Label
    duration: str
    own: str
    tokens: str
    tab: str
    tabs: tuple[Tab, ...]
    prompts: tuple[PromptText, ...]
    variables: tuple[Variable, ...]
    calls: tuple[CallRow, ...]
    steps: tuple[StepRow, ...]
    raw: str
    rerun_url: str
    pin_url: str
    is_live: bool
    trial: TryContext | None
    """Filled where the tab to try again is open."""

    @classmethod
    def build(cls, run: RunDetail, node: NodeDetail, tab: str, trial: TryContext | None = None) -> NodeRunDetailContext:
        """The pane with one tab open."""
        row, run_id = node.row, run.card.id
        return cls(
            run=RunStrip.build(run, row.number),
            node=node,
            name=row.title or row.type,
            state=NODE_STATES[row.state],
            duration=format_duration(row.milliseconds),
            own=format_duration(row.own_milliseconds) if row.own_milliseconds != row.milliseconds else "",
            tokens=format_tokens(row.prompt_tokens, row.completion_tokens, is_measured=row.is_measured),
            tab=tab,
            tabs=tuple(_tab(run_id, node, name, label, tab) for name, label in _TABS if _is_offered(name, node)),
            prompts=node.prompts,
            variables=tuple(_variable(name, value) for name, value in node.variables.items()),
            calls=tuple(_call(run_id, row.number, at, record) for at, record in enumerate(node.calls, start=1)),
            steps=tuple(_step(step) for step in node.steps),
            raw=_raw(node) if tab == "raw" else "",
            rerun_url=page_address("node-run-rerun", run_id, row.number),
            pin_url=page_address("node-run-pin", run_id, row.number),
            is_live=row.state is NodeState.RUNNING and not run.card.state.is_over,
            trial=trial,
        )

    @property
    def can_edit(self) -> bool:
        """Whether the run is over, so that another can begin here."""
        return self.run.is_over

    @property
    def can_pin(self) -> bool:
        """Whether there is an output to keep."""
        return self.node.has_output and self.node.row.state is NodeState.FINISHED

    @property
    def api_url(self) -> str:
        """The REST twin."""
        return api_address("runs", self.run.card.id, "nodes", self.node.row.number)


def _is_offered(tab: str, node: NodeDetail) -> bool:
    return tab != "try" or bool(node.calls)


def _tab(run_id: int, node: NodeDetail, name: str, label: str, active: str) -> Tab:
    badges = {"prompt": len(node.calls), "files": len(node.files)}
    count = badges.get(name, 0)
    url = page_address("node-run-detail", run_id, node.row.number, parameters=[("tab", name)])
    return Tab(label, url, f"{count}" if count else "", name == active)


def _variable(name: str, value: str) -> Variable:
    output, given = _OUTPUT.fullmatch(name), _INPUT.fullmatch(name)
    if output:
        origin = f"output of node {output.group(1)}"
    elif given:
        origin = f"passed by the calling node, number {given.group(1)}"
    else:
        origin = "conversation" if name.startswith(("chat_", "templated_")) or name == "messages" else ""
    return Variable(name, value, len(value), origin)


def _step(step: MemoryStep) -> StepRow:
    text = _STEPS.get(step.step, step.step.replace("-", " ").capitalize())
    return StepRow(text, f"{step.done} of {step.total}" if step.total else "", step.detail)


def _call(run_id: int, number: int, position: int, record: ModelCallRecord) -> CallRow:
    body = record.body
    is_counted = record.prompt_tokens is not None and record.completion_tokens is not None
    curl = format_curl(record)
    is_long = bool(curl) and (len(curl) > LONGEST_ARGUMENT or has_pictures_aside(body))
    return CallRow(
        record=record,
        try_url=page_address("node-run-detail", run_id, number, parameters=[("tab", "try"), ("call", position)]),
        duration=format_duration(record.milliseconds),
        tokens=format_tokens(record.prompt_tokens, record.completion_tokens, is_measured=True) if is_counted else "",
        messages=tuple(_list_messages(body)),
        settings=tuple(_list_settings(body)),
        json=json.dumps(body, indent=2, ensure_ascii=False),
        curl="" if is_long else curl,
        curl_url=page_address("call-curl", run_id, number, position) if is_long else "",
    )


def _list_messages(body: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for message in read_saying(body).messages:
        calls = [f"calls {name_tool(call)} with {_arguments(call)}" for call in message.get("tool_calls") or ()]
        lines = [*map(str, message.get("images") or ()), str(message["content"]), *calls]
        yield str(message["role"]), "\n".join(line for line in lines if line)


def _arguments(call: Mapping[str, Any]) -> str:
    given = (call.get("function") or {}).get("arguments")
    return given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)


def _list_settings(body: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in body.items():
        if key not in {"messages", "prompt", "system", "images"}:
            yield key, json.dumps(value, ensure_ascii=False)[:200]


def _raw(node: NodeDetail) -> str:
    """Everything recorded, as the API gives it."""
    facts = {
        "path": list(node.row.path),
        "type": node.row.type,
        "workflow": node.row.workflow,
        "state": node.row.state,
        "milliseconds": node.row.milliseconds,
        "endpoint": node.endpoint,
        "preset": node.preset,
        "prompts": [{"key": prompt.key, "template": prompt.template, "text": prompt.text} for prompt in node.prompts],
        "calls": [{"url": call.url, "body": call.body} for call in node.calls],
        "output": node.output,
        "warnings": list(node.warnings),
        "error": node.error,
    }
    return json.dumps(facts, indent=2, ensure_ascii=False, default=str)
