"""Events that only runs recorded by the console have, beside those of the engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from workflows_app.engine.events import RunEvent
from workflows_app.run_results import PromptText


@dataclass(frozen=True, slots=True)
class NodePrepared(RunEvent):
    """What a node was given: its templates resolved, the variables they name, where its model call goes."""

    path: tuple[int, ...]
    endpoint: str
    preset: str
    prompts: tuple[PromptText, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NodeReplayed(RunEvent):
    """A node's output was taken from an earlier run, or typed by a person, instead of running the node."""

    path: tuple[int, ...]
    is_pinned: bool = False
    is_edited: bool = False
    made_at: datetime | None = None
    digest: str = ""
    """What the node was in its file when the output was made; empty for a typed one."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Those its templates named then."""


@dataclass(frozen=True, slots=True)
class RunStarted(RunEvent):
    """A worker took the run up."""


@dataclass(frozen=True, slots=True)
class RunFailed(RunEvent):
    """The run ended with an error."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class RunCancelled(RunEvent):
    """The run ended because somebody cancelled it."""
