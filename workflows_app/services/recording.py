"""The listener that turns the events of a run into rows, in batches, and asks whether the run shall go on."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import singledispatchmethod
from typing import Any

from django.db import transaction

from wilmer_site.lib.clock import utc_now
from workflows_app.engine import events
from workflows_app.llm.tool_calls import ToolCallCollector
from workflows_app.models import NodeRun, RunEventRow, WorkflowRun
from workflows_app.results import NodeState, RunState
from workflows_app.run_results import format_output
from workflows_app.services.metering import Measure, Meter
from workflows_app.services.node_facts import FileSizes, add_measure, count_tokens, cut_body, list_touches
from workflows_app.services.replay import format_path
from workflows_app.services.run_events import NodePrepared, NodeReplayed

FLUSH_SECONDS = 0.25
LEASE = timedelta(seconds=120)
EXCERPT = 2_000
"""Characters of an output that the event `node-finished` carries."""
MAX_STEPS = 500
"""Steps of memory work that are kept of one node, the newest."""

_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


def name_of(event: events.RunEvent) -> str:
    """The kebab-case name of an event, such as `node-started`."""
    return _CAPITAL.sub("-", type(event).__name__).lower()


@dataclass(slots=True)
class _OpenNode:
    """A node that has begun and not ended."""

    row: NodeRun
    started: float
    files: FileSizes
    streamed: str = ""
    reads: list[str] = field(default_factory=list)
    """Names of memory files."""


class Recorder:
    """Writes what happens in one run. Every method is called from the thread that runs it."""

    def __init__(
        self, run: WorkflowRun, meter: Meter, look: Callable[[], FileSizes], drain_reads: Callable[[], list[str]]
    ) -> None:
        self._run, self._meter, self._look, self._drain_reads = run, meter, look, drain_reads
        self._open: list[_OpenNode] = []
        self._new: list[NodeRun] = []
        self._changed: dict[int, NodeRun] = {}
        self._events: list[RunEventRow] = []
        self._numbers = {"node": 0, "event": run.events.count()}
        self._text = ""
        self._early: list[Measure] = []
        self._last_flush = time.monotonic()
        self._is_cancelled = False
        self._tool_calls = ToolCallCollector()

    @property
    def tool_calls(self) -> list[dict[str, Any]]:
        """The tools that the answer calls, so far."""
        return list(self._tool_calls.calls)

    def take(self, event: events.RunEvent) -> None:
        """Record one event."""
        self._take_measures()
        if not isinstance(event, events.TokenStreamed):
            self._note_text()
        self._on(event)
        if self._is_due():
            self.flush()

    def is_cancelled(self) -> bool:
        """Whether somebody cancelled the run; looks into the database a few times a second and renews the lease."""
        if self._is_due():
            self.flush()
        return self._is_cancelled

    def close(self, state: NodeState) -> None:
        """Give nodes that never ended their state, and write everything."""
        self._take_measures()
        self._note_text()
        for node in reversed(self._open):
            self._end(node, state)
        self._open.clear()
        self.flush()

    def flush(self) -> None:
        """Write what waits, in one transaction."""
        self._last_flush = time.monotonic()
        self._note_text()
        with transaction.atomic():
            NodeRun.objects.bulk_create(self._new)
            old = [row for number, row in self._changed.items() if number not in {new.number for new in self._new}]
            if old:
                NodeRun.objects.bulk_update(old, _CHANGING)
            RunEventRow.objects.bulk_create(self._events)
            running = WorkflowRun.objects.filter(pk=self._run.pk, state=RunState.RUNNING)
            is_running = running.update(lease_until=utc_now() + LEASE)
        self._new, self._events = [], []
        self._changed.clear()
        wanted = WorkflowRun.objects.filter(pk=self._run.pk).values_list("cancel_requested", flat=True).first()
        self._is_cancelled = bool(wanted) or wanted is None or not is_running

    def note(self, name: str, data: Mapping[str, Any] | None = None) -> None:
        """Add an event that belongs to no node."""
        self._add(name, None, data or {})

    @singledispatchmethod
    def _on(self, event: events.RunEvent) -> None:
        node = self._open[-1].row.number if self._open else None
        self._add(name_of(event), node, {})

    @_on.register
    def _(self, event: events.NodeStarted) -> None:
        self._numbers["node"] += 1
        row = NodeRun(
            run=self._run,
            number=self._numbers["node"],
            path=format_path(event.path),
            workflow=event.workflow,
            type=event.type,
            title=event.title,
            is_responder=event.is_responder,
            source=event.source,
            digest=event.digest,
            started_at=utc_now(),
        )
        self._note_reads()
        self._open.append(_OpenNode(row, time.monotonic(), self._look()))
        self._new.append(row)
        facts = {"path": row.path, "workflow": row.workflow, "type": row.type, "title": row.title}
        self._add("node-started", row.number, {**facts, "is_responder": row.is_responder})

    @_on.register
    def _(self, event: NodePrepared) -> None:
        row = self._change(event)
        row.endpoint, row.preset = event.endpoint, event.preset
        row.prompts = [
            {"key": prompt.key, "template": prompt.template, "text": prompt.text, "names": list(prompt.names)}
            for prompt in event.prompts
        ]
        row.variables = dict(event.variables)

    @_on.register
    def _(self, event: NodeReplayed) -> None:
        row = self._change(event)
        row.is_replayed, row.is_pinned, row.is_edited = True, event.is_pinned, event.is_edited
        row.made_at, row.variables = event.made_at, dict(event.variables)
        row.digest = event.digest or row.digest
        self._add("node-replayed", row.number, {"path": row.path})

    @_on.register
    def _(self, event: events.MemoryProgressed) -> None:
        row = self._change(event)
        facts = {"step": event.step, "done": event.done, "total": event.total, "detail": event.detail}
        row.progress = [*row.progress, facts][-MAX_STEPS:]
        self._add("memory-progressed", row.number, {"path": row.path, **facts})

    @_on.register
    def _(self, event: events.ModelAsked) -> None:
        row = self._change(event)
        call = {"url": event.url, "body": cut_body(event.body), "type": "", "milliseconds": None}
        where = {"endpoint": event.endpoint, "preset": event.preset, "response_tokens": event.response_tokens}
        row.calls = [*row.calls, {**call, **where}]
        self._take_measures()
        self._add("model-asked", row.number, {"path": row.path, "url": event.url})

    @_on.register
    def _(self, event: events.TokenStreamed) -> None:
        self._text += event.text
        if self._open:
            node = self._open[-1]
            node.streamed += event.text
            self._changed[node.row.number] = node.row

    @_on.register
    def _(self, event: events.ToolCallsStreamed) -> None:
        self._tool_calls.add(event.tool_calls)
        node = self._open[-1].row.number if self._open else None
        self._add("tool-calls-streamed", node, {"tool_calls": list(event.tool_calls)})

    @_on.register
    def _(self, event: events.NodeFinished) -> None:
        node = self._pop()
        node.row.output = json.dumps(event.output, default=str)
        node.row.warnings = list(event.warnings)
        self._end(node, NodeState.FINISHED)
        text = format_output(event.output)
        facts = {"path": node.row.path, "milliseconds": node.row.milliseconds, "warnings": list(event.warnings)}
        self._add("node-finished", node.row.number, {**facts, "output": text[:EXCERPT], "characters": len(text)})

    @_on.register
    def _(self, event: events.NodeFailed) -> None:
        node = self._pop()
        node.row.error_code, node.row.error = event.code, event.message
        self._end(node, NodeState.CANCELLED if event.code == "run-cancelled" else NodeState.FAILED)
        self._add("node-failed", node.row.number, {"path": node.row.path, "code": event.code, "message": event.message})

    @_on.register
    def _(self, event: events.AnswerFinished) -> None:
        node = self._open[-1].row.number if self._open else None
        self._add("answer-finished", node, {"finish_reason": event.finish_reason})

    @_on.register
    def _(self, event: events.RunFinished) -> None:
        """The end of the run is written by who runs it, together with its state."""

    def _change(self, event: Any) -> NodeRun:
        path = format_path(event.path)
        rows = (node.row for node in reversed(self._open) if node.row.path == path)
        row = next(rows, None) or self._open[-1].row
        self._changed[row.number] = row
        return row

    def _pop(self) -> _OpenNode:
        self._note_reads()
        return self._open.pop()

    def _note_reads(self) -> None:
        """What was read since the last time was read by the innermost node."""
        reads = self._drain_reads()
        if self._open:
            self._open[-1].reads += reads

    def _end(self, node: _OpenNode, state: NodeState) -> None:
        row = node.row
        row.state = state
        row.made_at = row.made_at or utc_now()
        row.milliseconds = (time.monotonic() - node.started) * 1000
        if node.streamed and not row.output:
            row.output = json.dumps(node.streamed)
        row.files = list_touches(node.files, self._look(), node.reads)
        count_tokens(row)
        self._changed[row.number] = row

    def _take_measures(self) -> None:
        """Memory nodes tell of their calls when they are over, so a measure may come before its call."""
        self._early += self._meter.drain()
        for measure in list(self._early):
            node = next((node for node in reversed(self._open) if add_measure(node.row, measure)), None)
            if node:
                self._changed[node.row.number] = node.row
                self._early.remove(measure)

    def _note_text(self) -> None:
        if not self._text:
            return
        node = self._open[-1] if self._open else None
        if node:
            node.row.output = json.dumps(node.streamed)
        self._add("token-streamed", node.row.number if node else None, {"text": self._text})
        self._text = ""

    def _add(self, name: str, node: int | None, data: Mapping[str, Any]) -> None:
        self._numbers["event"] += 1
        number = self._numbers["event"]
        self._events.append(RunEventRow(run=self._run, number=number, name=name, node=node, data=dict(data)))

    def _is_due(self) -> bool:
        return time.monotonic() - self._last_flush >= FLUSH_SECONDS


_CHANGING = [
    "state",
    "milliseconds",
    "output",
    "error_code",
    "error",
    "prompts",
    "variables",
    "calls",
    "endpoint",
    "preset",
    "prompt_tokens",
    "completion_tokens",
    "is_measured",
    "warnings",
    "files",
    "is_replayed",
    "is_pinned",
    "digest",
    "made_at",
    "is_edited",
    "progress",
]
