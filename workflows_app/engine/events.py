"""What happens in a run, as values. Pages, API and jobs listen to the same events."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class RunEvent:
    """Something that happened in a run."""


@dataclass(frozen=True, slots=True)
class NodeStarted(RunEvent):
    """A node is about to work."""

    path: tuple[int, ...]
    """1-based positions from the outermost workflow down to this node."""
    workflow: str
    type: str
    title: str
    is_responder: bool
    source: str = ""
    """The workflow file it stands in, below `Configs/Workflows`, without `.json`."""
    digest: str = ""
    """What the node is as it stands there."""


@dataclass(frozen=True, slots=True)
class NodeFinished(RunEvent):
    """A node left its output."""

    path: tuple[int, ...]
    output: Any
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NodeFailed(RunEvent):
    """A node ended the run."""

    path: tuple[int, ...]
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class TokenStreamed(RunEvent):
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCallsStreamed(RunEvent):
    """Tool calls of a streamed answer, or parts of them, as the server sent them."""

    tool_calls: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class AnswerReworded(RunEvent):
    """The client gets another text than the node's output (a speaker's name in front, workflows.md §9)."""

    text: str


@dataclass(frozen=True, slots=True)
class AnswerFinished(RunEvent):
    """The answer is complete, though later nodes may still run."""

    finish_reason: str = "stop"


@dataclass(frozen=True, slots=True)
class ModelAsked(RunEvent):
    """A request is about to go to a model server; secrets are not in it."""

    path: tuple[int, ...]
    url: str
    body: dict[str, Any] = field(default_factory=dict)
    endpoint: str = ""
    """The endpoint's name, a backup's where one has taken over."""
    preset: str = ""
    response_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class MemoryProgressed(RunEvent):
    """A memory node got on with its work; holds no conversation text."""

    path: tuple[int, ...]
    step: str
    """A value of `memory.services.workshop.Step`, such as `chunk-stored`."""
    done: int = 0
    total: int = 0
    detail: str = ""


@dataclass(frozen=True, slots=True)
class RunFinished(RunEvent):
    """The run is over and this is the answer."""

    answer: Any
