"""Running a workflow: a generator of events, sub-workflows included (workflows.md §2-§5).

Nothing here knows who listens. A page, the API, a job and a command read the same events; closing the generator
ends the run, and its locks are released in whatever way it ends.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from wilmer_site.lib.errors import WilmerError
from workflows_app.engine.coercion import coerce_numbers
from workflows_app.engine.definition import Workflow
from workflows_app.engine.events import NodeFailed, NodeFinished, NodeStarted, RunEvent, TokenStreamed
from workflows_app.engine.node import ChildCall, NodeContext, NodeHandler, Steps
from workflows_app.engine.run import Run
from workflows_app.engine.templates import resolve_early
from workflows_app.engine.variables import NodeVariables, VariableScope, build_early_variables, build_inputs
from workflows_app.errors import NodeFailedError
from workflows_app.types import JsonObject, Target

_WORKFLOW_NUMBERS = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Frame:
    """One workflow being run: where it stands below the request and what it was given."""

    workflow: Workflow
    path: tuple[int, ...] = ()
    """Positions of the calling nodes, outermost first."""
    inputs: JsonObject = field(default_factory=dict)
    is_streaming: bool = False
    run_id: str = ""

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
        return self._run_frame(_new_frame(workflow, is_streaming=self._run.is_streaming))

    def run_child(self, parent: Frame, position: int, call: ChildCall) -> Steps:
        """Run a workflow for a node; the generator returns the child's result."""
        if parent.depth + 1 >= self._run.depth_limit:
            raise NodeFailedError(
                f"Workflows call each other more than {self._run.depth_limit} deep, the last is {call.name!r}."
            )
        workflow = _with_overrides(self._run.configs.read_workflow(call.name, call.folder), call)
        frame = _new_frame(workflow, path=(*parent.path, position), is_streaming=call.is_streaming)
        return self._run_frame(replace(frame, inputs=build_inputs(call.inputs)))

    def _run_frame(self, frame: Frame) -> Steps:
        answer: Any = None
        outputs: dict[str, Any] = {}
        responder = frame.workflow.responder
        try:
            for index, node in enumerate(frame.workflow.nodes):
                self._count_node()
                is_responder = index == responder
                output = yield from self._run_node(frame, index + 1, node, outputs, is_responder)
                outputs[f"agent{index + 1}Output"] = output
                if is_responder:
                    answer = output
        finally:
            self._run.locks.release(frame.run_id)
        return answer

    def _count_node(self) -> None:
        self._run.check_cancelled()
        self._run.nodes_run += 1
        if self._run.nodes_run > self._run.node_limit:
            raise NodeFailedError(f"One request may run at most {self._run.node_limit:,} nodes.")

    def _run_node(
        self, frame: Frame, position: int, node: JsonObject, outputs: JsonObject, is_responder: bool
    ) -> Steps:
        path = (*frame.path, position)
        kind, handler, warnings = self._handler_of(node)
        title = str(node.get("title") or node.get("agentName") or "")
        yield NodeStarted(path, frame.workflow.name, kind, title, is_responder)
        try:
            context = self._context(frame, position, node, outputs, is_responder)
            output = yield from _streamed(handler(context), context)
        except WilmerError as error:
            yield NodeFailed(path, error.code, error.message)
            raise
        yield NodeFinished(path, output, warnings)
        return output

    def _handler_of(self, node: JsonObject) -> tuple[str, NodeHandler, tuple[str, ...]]:
        """Unknown and missing types run as Standard, as in WilmerAI, but say so."""
        kind = node.get("type", "Standard")
        if isinstance(kind, str) and kind in self._handlers:
            return kind, self._handlers[kind], ()
        warning = f"{kind!r} is no node type (letter case counts), so the node runs as Standard."
        return str(kind), self._handlers["Standard"], (warning,)

    def _context(
        self, frame: Frame, position: int, node: JsonObject, outputs: JsonObject, is_responder: bool
    ) -> NodeContext:
        scope = self._scope(frame, outputs)
        early = build_early_variables(scope)
        prepared = coerce_numbers(node, early)
        for key in ("endpointName", "preset"):
            if isinstance(prepared.get(key), str):
                prepared[key] = resolve_early(prepared[key], early)
        target = self._run.configs.read_target(prepared["endpointName"]) if prepared.get("endpointName") else Target()
        return NodeContext(
            node=prepared,
            variables=NodeVariables(scope, prepared, target),
            target=target,
            is_streaming=is_responder and frame.is_streaming,
            is_responder=is_responder,
            run=self._run,
            scope=scope,
            path=(*frame.path, position),
            workflow_run_id=frame.run_id,
            start_child=lambda call: self.run_child(frame, position, call),
        )

    def _scope(self, frame: Frame, outputs: JsonObject) -> VariableScope:
        run = self._run
        template = run.configs.user.get("chatPromptTemplateName")
        return VariableScope(
            now=run.now(),
            messages=run.messages,
            user=run.configs.user,
            chat_template=_LazyTemplate(run, str(template)) if template else {},
            custom=frame.workflow.variables,
            outputs=outputs,
            inputs=frame.inputs,
            routing=run.routing,
            discussion_id=run.discussion_id,
            time_context=run.time_context,
        )


class _LazyTemplate(Mapping[str, Any]):
    """A prompt template that is read only when a variable needs it."""

    def __init__(self, run: Run, name: str) -> None:
        self._run = run
        self._name = name

    def _values(self) -> dict[str, Any]:
        return self._run.configs.read_prompt_template(self._name)

    def __getitem__(self, key: str) -> Any:
        return self._values()[key]

    def __iter__(self) -> Any:
        return iter(self._values())

    def __len__(self) -> int:
        return len(self._values())


def _new_frame(workflow: Workflow, *, path: tuple[int, ...] = (), is_streaming: bool) -> Frame:
    return Frame(workflow, path, is_streaming=is_streaming, run_id=f"w{next(_WORKFLOW_NUMBERS)}")


def _streamed(steps: Steps, context: NodeContext) -> Steps:
    """Passes a node's events on; an answer that was not sent piece by piece is sent as one."""
    has_streamed = False
    while True:
        try:
            event: RunEvent = next(steps)
        except StopIteration as stop:
            output = stop.value
            break
        has_streamed = has_streamed or isinstance(event, TokenStreamed)
        yield event
    if context.is_streaming and not has_streamed and output not in (None, ""):
        yield TokenStreamed(str(output))
    return output


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


def list_inputs(values: Any) -> Sequence[Any]:
    """`scoped_variables` as a list; a text is taken character by character, as WilmerAI does."""
    return list(values) if values else []
