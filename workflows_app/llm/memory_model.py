"""Answers the calls of the memory layer with real endpoints and workflows (memory.engine.model_calls.Model)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from memory.engine.model_calls import Call, ModelCall, ResolveVariables, WorkflowCall
from workflows_app.engine.events import RunEvent
from workflows_app.engine.node import ChildCall, NodeContext, NodeHandler, Steps
from workflows_app.engine.run import Run
from workflows_app.engine.runner import Runner
from workflows_app.engine.templates import resolve_template
from workflows_app.engine.variables import NodeVariables, VariableScope
from workflows_app.llm.calling import Question, ask_model
from workflows_app.llm.cleaning import CleaningRules, clean_reply
from workflows_app.llm.client import Reply
from workflows_app.llm.composing import compose_plain
from workflows_app.types import Target

Tell = Callable[[RunEvent], None]


def _tell_nobody(event: RunEvent) -> None:
    """For runs that nobody watches."""


@dataclass(frozen=True, slots=True)
class MemoryModel:
    """Runs the workflows and asks the endpoints that memory settings name, for one request."""

    run: Run
    start: Callable[[WorkflowCall], Steps]
    """Runs a workflow as part of the request, not streamed."""
    path: tuple[int, ...] = ()
    tell: Tell = _tell_nobody
    """Hears what happens in between, in the caller's thread."""

    def ask(self, call: Call) -> str | None:
        """The answer as text; None when there is none. Raises what ends a node: ModelCallError, config errors."""
        if isinstance(call, WorkflowCall):
            return _as_text(self._exhaust(self.start(call)))
        return self._ask_endpoint(call)

    def _ask_endpoint(self, call: ModelCall) -> str | None:
        target = self.run.configs.read_target(call.target.endpoint)
        question = Question(
            target=target,
            preset=call.target.preset,
            response_tokens=call.target.max_tokens,
            compose=lambda there: compose_plain(there, call.system_prompt, call.prompt),
            path=self.path,
        )
        reply: Reply = self._exhaust(ask_model(self.run, question))
        return clean_reply(reply.text, CleaningRules.of({}, target.endpoint, self.run.configs.user))

    def _exhaust(self, steps: Steps) -> Any:
        while True:
            try:
                event = next(steps)
            except StopIteration as stop:
                return stop.value
            self.tell(event)


def build_node_model(context: NodeContext, tell: Tell = _tell_nobody) -> MemoryModel:
    """The model for a memory node: its workflows run as children of the node."""

    def start(call: WorkflowCall) -> Steps:
        return context.start_child(ChildCall(call.workflow, inputs=call.inputs))

    return MemoryModel(context.run, start, context.path, tell)


def build_run_model(run: Run, handlers: Mapping[str, NodeHandler], tell: Tell = _tell_nobody) -> MemoryModel:
    """The model for memory work outside of a workflow, such as a page or a job."""

    def start(call: WorkflowCall) -> Steps:
        return Runner(run, handlers).run_quietly(call.workflow, call.inputs)

    return MemoryModel(run, start, (), tell)


def build_resolver(run: Run) -> ResolveVariables:
    """Resolves the variables of prompts in memory settings, where there is no node."""
    scope = VariableScope(now=run.now(), messages=run.messages, user=run.configs.user, discussion_id=run.discussion_id)
    variables = NodeVariables(scope, {}, Target())
    return lambda text: resolve_template(text, variables)


def _as_text(result: Any) -> str | None:
    if isinstance(result, dict):
        result = result.get("content")
    return None if result is None else str(result)
