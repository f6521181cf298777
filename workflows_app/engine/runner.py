"""Running a workflow: a generator of events, sub-workflows included (workflows.md §2-§5).

Nothing here knows who listens. A page, the API, a job and a command read the same events; closing the generator
ends the run, and its locks are released in whatever way it ends.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from wilmer_site.lib.errors import WilmerError
from workflows_app.engine.coercion import coerce_numbers
from workflows_app.engine.definition import Workflow
from workflows_app.engine.events import (
    AnswerFinished,
    AnswerReworded,
    NodeFailed,
    NodeFinished,
    NodeStarted,
    TokenStreamed,
    ToolCallsStreamed,
)
from workflows_app.engine.message_times import build_time_context, show_times
from workflows_app.engine.node import ChildCall, NodeContext, NodeHandler, Steps
from workflows_app.engine.node_types import NODE_TYPES
from workflows_app.engine.run import Run
from workflows_app.engine.templates import resolve_early
from workflows_app.engine.variables import NodeVariables, VariableScope, build_early_variables, build_inputs
from workflows_app.errors import NodeFailedError
from workflows_app.types import ChatMessage, JsonObject, LazyObject, Target


@dataclass(frozen=True, slots=True)
class Frame:
    """One workflow being run: where it stands below the request and what it was given."""

    workflow: Workflow
    messages: list[ChatMessage]
    """Shared with the caller unless it gave the child messages of its own."""
    path: tuple[int, ...] = ()
    """Positions of the calling nodes, outermost first."""
    inputs: JsonObject = field(default_factory=dict)
    is_streaming: bool = False
    is_quiet: bool = False
    """Whether it is a sub-workflow that is not streamed."""
    run_id: str = field(default_factory=lambda: f"w{uuid.uuid4().hex}")
    """Locks are taken under it; other processes use the same table."""

    @property
    def depth(self) -> int:
        """0 for the workflow that the request started."""
        return len(self.path)


class Runner:
    """Runs workflows with a given set of handlers."""

    def __init__(self, run: Run, handlers: Mapping[str, NodeHandler]) -> None:
        self._run = run
        self._handlers = handlers

    def start(self, name: str, folder: str = "") -> Steps:
        """Run a workflow for the request; the generator returns the answer."""
        workflow = self._run.configs.read_workflow(name, folder)
        answer = yield from self._run_frame(Frame(workflow, self._run.messages, is_streaming=self._run.is_streaming))
        return answer

    def run_quietly(self, name: str, inputs: Sequence[Any] = (), *, path: tuple[int, ...] = ()) -> Steps:
        """Run a workflow that does not answer the client, such as a categoriser; `path` is the node that wants it."""
        self._check_depth(len(path), name)
        workflow = self._run.configs.read_workflow(name)
        frame = Frame(workflow, self._run.messages, path=path, inputs=build_inputs(inputs), is_quiet=True)
        result = yield from self._run_frame(frame)
        return result

    def run_child(self, parent: Frame, position: int, call: ChildCall) -> Steps:
        """Run a workflow for a node; the generator returns the child's result."""
        self._check_depth(parent.depth + 1, call.name)
        workflow = _with_overrides(self._run.configs.read_workflow(call.name, call.folder), call)
        frame = Frame(
            workflow,
            parent.messages if call.messages is None else call.messages,
            path=(*parent.path, position),
            inputs=build_inputs(call.inputs),
            is_streaming=call.is_streaming,
            is_quiet=not call.is_streaming,
        )
        result = yield from self._run_frame(frame)
        return result

    def _check_depth(self, depth: int, name: str) -> None:
        if depth >= self._run.depth_limit:
            raise NodeFailedError(
                f"Workflows call each other more than {self._run.depth_limit} deep, the last is {name!r}."
            )

    def _run_frame(self, frame: Frame) -> Steps:
        answer: Any = None
        outputs: dict[str, Any] = {}
        responder = frame.workflow.responder
        if frame.workflow.wants_timestamps and self._run.times:
            self._run.times.track(frame.messages)
        try:
            for index, node in enumerate(frame.workflow.nodes):
                self._count_node()
                steps = self._run_node(frame, index + 1, node, outputs)
                output, said = yield from steps
                outputs[f"agent{index + 1}Output"] = output
                if index == responder:
                    answer = said
        finally:
            self._run.locks.release(frame.run_id)
        return answer

    def _count_node(self) -> None:
        self._run.check_cancelled()
        self._run.nodes_run += 1
        if self._run.nodes_run > self._run.node_limit:
            raise NodeFailedError(f"One request may run at most {self._run.node_limit:,} nodes.")

    def _run_node(self, frame: Frame, position: int, node: JsonObject, outputs: JsonObject) -> Steps:
        """Returns the output and what the client is told, which only a speaker's name makes different."""
        path = (*frame.path, position)
        is_responder = position - 1 == frame.workflow.responder
        kind, handler, warnings = self._handler_of(node)
        title = str(node.get("title") or node.get("agentName") or "")
        digest = next(iter(frame.workflow.digests[position - 1 : position]), "")
        yield NodeStarted(path, frame.workflow.name, kind, title, is_responder, frame.workflow.source, digest)
        try:
            context = self._context(frame, position, node, outputs)
            output, said = yield from _told(handler(context), context)
        except WilmerError as error:
            yield NodeFailed(path, error.code, error.message)
            raise
        yield NodeFinished(path, output, warnings)
        return output, said

    def _handler_of(self, node: JsonObject) -> tuple[str, NodeHandler, tuple[str, ...]]:
        """Unknown and missing types run as Standard, as in WilmerAI, but say so."""
        kind = node.get("type", "Standard")
        if isinstance(kind, str) and kind in self._handlers:
            return kind, self._handlers[kind], ()
        if isinstance(kind, str) and kind in NODE_TYPES:
            return kind, _refuse, ()
        warning = f"{kind!r} is no node type (letter case counts), so the node runs as Standard."
        return str(kind), self._handlers["Standard"], (warning,)

    def _context(self, frame: Frame, position: int, node: JsonObject, outputs: JsonObject) -> NodeContext:
        scope = self._scope(frame, outputs, node)
        prepared = _prepared(node, scope)
        target = self._run.configs.read_target(prepared["endpointName"]) if prepared.get("endpointName") else Target()
        is_responder = position - 1 == frame.workflow.responder
        return NodeContext(
            node=prepared,
            variables=NodeVariables(scope, prepared, target),
            target=target,
            run=self._run,
            scope=scope,
            is_streaming=is_responder and frame.is_streaming,
            is_responder=is_responder,
            is_in_quiet_child=frame.is_quiet,
            path=(*frame.path, position),
            workflow_run_id=frame.run_id,
            conversation=frame.messages,
            start_child=lambda call: self.run_child(frame, position, call),
        )

    def _scope(self, frame: Frame, outputs: JsonObject, node: JsonObject) -> VariableScope:
        run = self._run
        template = run.configs.user.get("chatPromptTemplateName")
        shows_times = node.get("addDiscussionIdTimestampsForLLM") and not frame.is_quiet and run.times
        return VariableScope(
            now=run.now(),
            messages=show_times(run, frame.messages, node) if shows_times else frame.messages,
            user=run.configs.user,
            chat_template=LazyObject(lambda: run.configs.read_prompt_template(str(template))) if template else {},
            custom=frame.workflow.variables,
            outputs=outputs,
            inputs=frame.inputs,
            routing=run.routing,
            discussion_id=run.discussion_id,
            time_context=lambda: build_time_context(run),
        )


def _prepared(node: JsonObject, scope: VariableScope) -> dict[str, Any]:
    early = build_early_variables(scope)
    prepared = coerce_numbers(node, early)
    for key in ("endpointName", "preset"):
        if isinstance(prepared.get(key), str):
            prepared[key] = resolve_early(prepared[key], early)
    return prepared


def _told(steps: Steps, context: NodeContext) -> Steps:
    """Passes a node's events on and returns its output and what the client is told.

    A streamed answer that did not come piece by piece is sent as one, and its end is told.
    """
    has_streamed, is_finished = False, False
    said: str | None = None
    try:
        while True:
            event = next(steps)
            has_streamed = has_streamed or isinstance(event, TokenStreamed | ToolCallsStreamed)
            is_finished = is_finished or isinstance(event, AnswerFinished)
            said = event.text if isinstance(event, AnswerReworded) else said
            yield event
    except StopIteration as stop:
        output = stop.value
    finally:
        steps.close()
    if context.is_streaming and not is_finished:
        if not has_streamed and output not in (None, ""):
            yield TokenStreamed(str(output))
        yield AnswerFinished()
    return output, output if said is None else said


def _with_overrides(workflow: Workflow, call: ChildCall) -> Workflow:
    """Prompt overrides replace those of the first node that has a prompt (workflows.md §5)."""
    overrides = {
        key: value
        for key, value in (("systemPrompt", call.system_prompt), ("prompt", call.prompt))
        if value is not None
    }
    if not overrides:
        return workflow
    for index, node in enumerate(workflow.nodes):
        if "systemPrompt" in node or "prompt" in node:
            changed = {**node, **overrides}
            return replace(workflow, nodes=(*workflow.nodes[:index], changed, *workflow.nodes[index + 1 :]))
    return workflow


def _refuse(context: NodeContext) -> Steps:
    """Known types must never run as Standard: that would ask a model where the author wanted something else."""
    kind = context.node.get("type")
    raise NodeFailedError(f"The console does not run {kind} nodes. Pin an output for this node to go on behind it.")
    yield  # a handler is a generator even when it has nothing to tell
