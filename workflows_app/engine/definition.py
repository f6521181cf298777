"""A workflow file as a value (workflows.md §1, §3)."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

from workflows_app.errors import WorkflowInvalidError
from workflows_app.types import JsonObject

MAX_NODES = 10_000
_LABELS = frozenset({"title", "agentName", "displayOnlyComment", "Display_Only_Description"})
"""Keys of a node that change nothing about what it does."""


@dataclass(frozen=True, slots=True)
class Workflow:
    """Nodes in order, and the custom variables beside them."""

    name: str
    nodes: tuple[JsonObject, ...]
    variables: JsonObject
    source: str = ""
    """Where it was read from: the path below `Configs/Workflows`, without `.json`."""
    digests: tuple[str, ...] = field(default=(), repr=False)
    """What each node is as it stands in the file, so that a later change of it is noticed."""

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
        return _build(name, _checked(name, document), {})
    if not isinstance(document, dict):
        raise WorkflowInvalidError(f"Workflow {name!r} must be a list of nodes or an object with `nodes`.")
    variables = {key: value for key, value in document.items() if key != "nodes"}
    return _build(name, _checked(name, document.get("nodes", [])), variables)


def digest_node(node: JsonObject, variables: JsonObject) -> str:
    """What a node is, its labels left out, with the custom variables that it names."""
    text = json.dumps({key: value for key, value in node.items() if key not in _LABELS}, sort_keys=True)
    used = {name: value for name, value in variables.items() if name in text}
    return hashlib.sha256(f"{text}{json.dumps(used, sort_keys=True)}".encode("utf-8", "surrogatepass")).hexdigest()


def _build(name: str, nodes: tuple[JsonObject, ...], variables: JsonObject) -> Workflow:
    return Workflow(name, nodes, variables, name, tuple(digest_node(node, variables) for node in nodes))


def _checked(name: str, nodes: Any) -> tuple[JsonObject, ...]:
    if not isinstance(nodes, list):
        raise WorkflowInvalidError(f"`nodes` of workflow {name!r} must be a list.")
    if len(nodes) > MAX_NODES:
        raise WorkflowInvalidError(f"Workflow {name!r} has {len(nodes):,} nodes; at most {MAX_NODES:,} are run.")
    for position, node in enumerate(nodes, start=1):
        if not isinstance(node, dict):
            raise WorkflowInvalidError(f"Node {position} of workflow {name!r} must be an object.", node=position)
    return tuple(nodes)
