"""Outputs of an earlier run that are used again instead of running their nodes."""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from workflows_app.engine.events import NodeFinished, RunEvent
from workflows_app.errors import NodeFailedError
from workflows_app.models import NodeRun, WorkflowRun
from workflows_app.results import NodeState

Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Recorded:
    """One output to be used again."""

    output: Any
    is_pinned: bool = False
    is_edited: bool = False
    made_at: datetime | None = None
    digest: str = ""
    variables: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Replay:
    """What is replayed in one run. A node of a sub-workflow that runs several times has several outputs, in order."""

    outputs: dict[Path, deque[Recorded]] = field(default_factory=lambda: defaultdict(deque))
    last: Path | None = None
    """The run ends behind this node."""
    ending: NodeFinished | None = None
    """Filled when that node is over."""

    def take(self, path: Path) -> Recorded | None:
        """The recorded output of the node that is about to run; None when it has to run."""
        waiting = self.outputs.get(path)
        return waiting.popleft() if waiting else None

    def note(self, event: RunEvent) -> None:
        """Look whether the run was asked to end behind what just happened."""
        if self.last is None or not isinstance(event, NodeFinished) or event.path != self.last:
            return
        if not self.outputs.get(event.path):
            self.ending = event


def build_replay(run: WorkflowRun) -> Replay:
    """What `run` takes from its parent; nothing when it is a run of its own.

    Raises NodeFailedError when the parent, or the node of it, is gone.
    """
    if run.first_node is None:
        return Replay()
    nodes = list(run.parent.nodes.order_by("number")) if run.parent else []
    target = next((node for node in nodes if node.number == run.first_node), None)
    if target is None:
        raise NodeFailedError("The run whose outputs this one was to use again has been deleted.")
    replay = Replay(last=parse_path(target.path) if run.is_single_node else None)
    for node in nodes:
        if _is_used_again(node, target):
            replay.outputs[parse_path(node.path)].append(_recorded(node))
        elif node is target and run.edited_output is not None:
            output = parse_output(run.edited_output, like=target)
            replay.outputs[parse_path(node.path)].append(Recorded(output, is_edited=True, made_at=run.queued_at))
    return replay


def parse_path(text: str) -> Path:
    """The reverse of `format_path`."""
    return tuple(int(part) for part in text.split("."))


def format_path(path: Path) -> str:
    """A path as text: `3.1` is the first node of what the third one runs."""
    return ".".join(str(part) for part in path)


def parse_output(text: str, *, like: NodeRun) -> Any:
    """A typed output: text, unless the recorded one was not and the typed one is JSON."""
    if not like.output or isinstance(json.loads(like.output), str):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text


def _recorded(node: NodeRun) -> Recorded:
    return Recorded(
        output=json.loads(node.output),
        is_pinned=node.is_pinned,
        is_edited=node.is_edited,
        made_at=node.made_at,
        digest=node.digest,
        variables=node.variables,
    )


def _is_used_again(node: NodeRun, target: NodeRun) -> bool:
    if node.state != NodeState.FINISHED or not node.output:
        return False
    if node.number >= target.number:
        return node.is_pinned and node is not target
    return not target.path.startswith(f"{node.path}.")
