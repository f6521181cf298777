"""Which outputs of a run are older than what they are made from, and why."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from wilmer_site.lib.errors import WilmerError
from workflows_app import wiring
from workflows_app.engine.definition import parse_workflow
from workflows_app.models import NodeRun
from workflows_app.results import NodeState
from workflows_app.stores.workflow_folder import parse_document

ALL = ("*",)
_OUTPUT = re.compile(r"agent(\d+)Output")
_INPUT = re.compile(r"agent(\d+)Input")

Digests = Callable[[str], tuple[str, ...] | None]
"""What the nodes of a workflow file are now; None when the file is gone or no workflow any more."""


def find_stale(nodes: Sequence[NodeRun], *, is_draft: bool = False) -> dict[int, str]:
    """Number of a node → why its output is older than its inputs, its prompt or its settings.

    `nodes` are those of one run in the order they were started, all of it over. A run of unsaved texts is not
    compared with the files.
    """
    read: Digests = (lambda _: ALL) if is_draft else lru_cache(maxsize=None)(_read_digests)
    latest: dict[str, NodeRun] = {}
    reasons: dict[int, str] = {}
    for node in nodes:
        latest[node.path] = node
        if node.state == NodeState.FINISHED:
            why = _tell_input(node, latest, reasons) or ("" if node.is_edited else _tell_change(node, read))
            if why:
                reasons[node.number] = why
    return reasons


def _tell_input(node: NodeRun, latest: Mapping[str, NodeRun], reasons: Mapping[int, str]) -> str:
    """Why an output that this one is made from is newer, or is out of date itself."""
    for source in _list_inputs(node, latest):
        if node.made_at and source.made_at and source.made_at > node.made_at:
            did = "was edited" if source.is_edited else "was made again"
            return f"The output of {_name(source)}, which this one is made from, {did} later."
        if source.number in reasons and not node.is_edited:
            return f"It is made from the output of {_name(source)}, which is out of date: {reasons[source.number]}"
    return ""


def _list_inputs(node: NodeRun, latest: Mapping[str, NodeRun]) -> list[NodeRun]:
    """The nodes whose outputs the templates of a node name; inputs of a sub-workflow are those of its caller."""
    caller_path = node.path.rpartition(".")[0]
    prefix = f"{caller_path}." if caller_path else ""
    places = [f"{prefix}{match.group(1)}" for name in node.variables if (match := _OUTPUT.fullmatch(name))]
    found = [latest[place] for place in places if place in latest and latest[place] is not node]
    caller = latest.get(caller_path)
    if caller is not None and any(_INPUT.fullmatch(name) for name in node.variables):
        found += _list_inputs(caller, latest)
    return found


def _tell_change(node: NodeRun, read: Digests) -> str:
    """Why the node in the file is no longer the one that made this output."""
    if not node.digest or not node.source:
        return ""
    digests = read(node.source)
    if digests is None:
        return f"The workflow file {node.source} is gone or no workflow any more."
    # A node that only moved is still the same.
    return (
        ""
        if digests is ALL or node.digest in digests
        else f"The node has been changed in {node.source} since this output was made."
    )


def _read_digests(source: str) -> tuple[str, ...] | None:
    try:
        return parse_workflow(source, parse_document(wiring.get_workflow_folder().read_text(source))).digests
    except WilmerError:
        return None


def _name(node: NodeRun) -> str:
    title = node.title or node.type
    return f"node {node.path} ({title})"
