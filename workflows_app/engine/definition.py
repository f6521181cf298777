"""A workflow file as a value (workflows.md §1, §3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from workflows_app.errors import WorkflowInvalidError
from workflows_app.types import JsonObject

MAX_NODES = 10_000


@dataclass(frozen=True, slots=True)
class Workflow:
    """Nodes in order, and the custom variables beside them."""

    name: str
    nodes: tuple[JsonObject, ...]
    variables: JsonObject

    @property
    def responder(self) -> int | None:
        """Position of the node that answers: the first that opts in, else the last; None without nodes."""
        for position, node in enumerate(self.nodes):
            if opts_in(node):
                return position
        return len(self.nodes) - 1 if self.nodes else None

    @property
    def wants_timestamps(self) -> bool:
        """Whether any node shows message times to the model."""
        return any(node.get("addDiscussionIdTimestampsForLLM") for node in self.nodes)


def opts_in(node: JsonObject) -> bool:
    """Whether a node wants to answer: `is_responder` if present, else `returnToUser`; truthiness as in Python."""
    return bool(node["is_responder"] if "is_responder" in node else node.get("returnToUser"))


def parse_workflow(name: str, document: Any) -> Workflow:
    """A workflow from its JSON: a list of nodes, or an object whose other keys are variables.

    Raises WorkflowInvalidError when it is neither, or a node is not an object.
    """
    if isinstance(document, list):
        return Workflow(name, _checked(name, document), {})
    if not isinstance(document, dict):
        raise WorkflowInvalidError(f"Workflow {name!r} must be a list of nodes or an object with `nodes`.")
    variables = {key: value for key, value in document.items() if key != "nodes"}
    return Workflow(name, _checked(name, document.get("nodes", [])), variables)


def _checked(name: str, nodes: Any) -> tuple[JsonObject, ...]:
    if not isinstance(nodes, list):
        raise WorkflowInvalidError(f"`nodes` of workflow {name!r} must be a list.")
    if len(nodes) > MAX_NODES:
        raise WorkflowInvalidError(f"Workflow {name!r} has {len(nodes):,} nodes; at most {MAX_NODES:,} are run.")
    for position, node in enumerate(nodes, start=1):
        if not isinstance(node, dict):
            raise WorkflowInvalidError(f"Node {position} of workflow {name!r} must be an object.", node=position)
    return tuple(nodes)
