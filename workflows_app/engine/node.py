"""What a node is given when it runs, and the protocol of its handler."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from workflows_app.engine.events import RunEvent
from workflows_app.engine.run import Run
from workflows_app.engine.templates import resolve_template
from workflows_app.engine.variables import NodeVariables, VariableScope
from workflows_app.errors import NodeFailedError, TemplateError
from workflows_app.types import ChatMessage, JsonObject, Target

Steps = Generator[RunEvent, None, Any]
"""A running node: yields what happens, returns its output."""


@dataclass(frozen=True, slots=True)
class ChildCall:
    """A workflow that a node wants to run."""

    name: str
    folder: str = ""
    inputs: tuple[Any, ...] = ()
    system_prompt: str | None = None
    prompt: str | None = None
    is_streaming: bool = False
    messages: list[ChatMessage] | None = None
    """The conversation the child sees; None: the caller's own, shared."""


def _no_child(call: ChildCall) -> Steps:
    raise NodeFailedError(f"No workflow can be run here, so {call.name!r} is not.")
    yield  # a generator like every running node


@dataclass(frozen=True, slots=True)
class NodeContext:
    """One node about to run: its properties prepared, its variables in reach."""

    node: JsonObject
    """Numbers made numbers, `endpointName` and `preset` resolved."""
    variables: NodeVariables
    target: Target
    run: Run
    scope: VariableScope
    is_streaming: bool = False
    """Whether this node answers and its answer is sent piece by piece."""
    is_responder: bool = False
    is_in_quiet_child: bool = False
    """Whether the node is part of a sub-workflow that is not streamed (workflows.md §8.3, §12.2)."""
    path: tuple[int, ...] = ()
    workflow_run_id: str = ""
    conversation: list[ChatMessage] = field(default_factory=list)
    """The messages of this workflow, shared with later nodes, callers and children: what is inserted stays."""
    start_child: Callable[[ChildCall], Steps] = field(default=_no_child, repr=False)

    @property
    def messages(self) -> Sequence[ChatMessage]:
        """The conversation as this node sees it, message times in front where it wants them."""
        return self.scope.messages

    def text(self, key: str, default: str = "") -> str:
        """A template property, resolved. Raises TemplateError when it is not text."""
        return self.resolve(self.node.get(key, default))

    def resolve(self, template: Any) -> str:
        """Any template of this node, resolved."""
        if not isinstance(template, str):
            raise TemplateError(f"A template must be text; it is {type(template).__name__}.")
        return resolve_template(template, self.variables, jinja2_mode=bool(self.node.get("jinja2")))


class NodeHandler(Protocol):
    """Does the work of one node type."""

    def __call__(self, context: NodeContext) -> Steps:
        """Run the node; the generator's return value is its output."""
        ...


def at_once(work: Callable[[NodeContext], Any]) -> NodeHandler:
    """A handler made of a function that has nothing to tell while it works."""

    def run(context: NodeContext) -> Steps:
        return work(context)
        yield  # a handler is a generator even when it has nothing to tell

    return run


Registry = Mapping[str, NodeHandler]
