"""Values about runs that queries give to pages, API and commands."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from workflows_app.results import NodeState, RunState

EXAMPLE_SUFFIX = " with example inputs"
"""Ends the name of the workflow that starts another one with example inputs; no file has it."""


@dataclass(frozen=True, slots=True)
class RunFilter:
    """Which runs are wanted."""

    text: str = ""
    """Part of the workflow's name."""
    state: str = ""
    discussion: str = ""


@dataclass(frozen=True, slots=True)
class RunCard:
    """One run in a list."""

    id: int
    user: str
    workflow: str
    folder: str
    discussion: str
    source: str
    is_sandbox: bool
    state: RunState
    queued_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    requested_by: str
    error_code: str
    error: str
    parent_id: int | None
    first_node: int | None
    is_single_node: bool
    is_edited: bool
    node_count: int = 0

    @property
    def milliseconds(self) -> float | None:
        """How long it ran; None before its end."""
        if self.started_at is None or self.finished_at is None:
            return None
        return (self.finished_at - self.started_at).total_seconds() * 1000

    @property
    def workflow_path(self) -> str:
        """Folder and name."""
        return f"{self.folder}/{self.workflow}" if self.folder else self.workflow

    @property
    def file_path(self) -> str:
        """Path of the workflow that was tried: a dry run that is handed example inputs starts beside it."""
        return self.workflow_path.removesuffix(EXAMPLE_SUFFIX)


@dataclass(frozen=True, slots=True)
class NodeRow:
    """One node in the tree of a run."""

    number: int
    path: tuple[int, ...]
    workflow: str
    type: str
    title: str
    state: NodeState
    is_responder: bool
    offset_milliseconds: float
    """Since the start of the run."""
    milliseconds: float | None
    own_milliseconds: float | None
    """Without the nodes below it."""
    prompt_tokens: int | None
    completion_tokens: int | None
    is_measured: bool
    warning_count: int
    is_replayed: bool
    is_pinned: bool
    is_edited: bool = False
    """A person typed the output."""
    stale: str = ""
    """Why the output is older than what it is made from; empty when it is not."""
    progress: str = ""
    """How far memory work has got, such as `3 of 7 chunks`."""

    @property
    def depth(self) -> int:
        """0 for nodes of the workflow that was started."""
        return len(self.path) - 1


@dataclass(frozen=True, slots=True)
class RunDetail:
    """A run with its tree."""

    card: RunCard
    nodes: tuple[NodeRow, ...]
    answer: str
    messages: tuple[Mapping[str, Any], ...]
    last_event: int
    is_cancel_requested: bool
    tools: tuple[Mapping[str, Any], ...] = ()
    tool_choice: Any = None
    elapsed_milliseconds: float = 0.0
    """Since the run was started, until its end or now."""


@dataclass(frozen=True, slots=True)
class PromptText:
    """A template of a node and what became of it."""

    key: str
    template: str
    text: str
    names: tuple[str, ...]
    """Variables it names, in order."""


@dataclass(frozen=True, slots=True)
class FileTouch:
    """A memory file that a node read or wrote."""

    name: str
    action: str
    size_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class MemoryStep:
    """One step of memory work inside a node."""

    step: str
    """A value of `memory.services.workshop.Step`."""
    done: int
    total: int
    detail: str


@dataclass(frozen=True, slots=True)
class ModelCallRecord:
    """A request that went to a model server, without its key."""

    url: str
    body: Mapping[str, Any]
    type: str
    milliseconds: float | None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    answer: str = ""
    """What the server said, before anything was taken off."""
    endpoint: str = ""
    preset: str = ""
    response_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class NodeDetail:
    """One node of a run with all that was recorded of it."""

    row: NodeRow
    output: Any
    has_output: bool
    error_code: str
    error: str
    endpoint: str
    preset: str
    prompts: tuple[PromptText, ...]
    variables: Mapping[str, str]
    calls: tuple[ModelCallRecord, ...]
    files: tuple[FileTouch, ...]
    warnings: tuple[str, ...]
    steps: tuple[MemoryStep, ...] = ()
    """What memory work was done, in order."""

    @property
    def output_text(self) -> str:
        """The output as people read it."""
        return format_output(self.output) if self.has_output else ""


@dataclass(frozen=True, slots=True)
class RunEventRecord:
    """One recorded event."""

    number: int
    name: str
    node: int | None
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NodePair:
    """The same node in two runs; None where a run did not come to it."""

    left: NodeDetail | None
    right: NodeDetail | None


def format_output(value: Any) -> str:
    """A node's output as text: texts as they are, everything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False, default=str)
