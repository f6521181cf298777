"""Values that queries give to pages, API and commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any


class RunState(StrEnum):
    """Where a run stands."""

    QUEUED = "queued"
    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen."""
        return self not in {RunState.QUEUED, RunState.RUNNING}


class NodeState(StrEnum):
    """Where a node of a run stands."""

    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Severity(StrEnum):
    """How bad a problem of a config file is (configs.md §13)."""

    ERROR = "error"
    """Will fail, or silently do something else than meant."""
    WARNING = "warning"
    """Probably wrong."""
    HINT = "hint"

    @property
    def rank(self) -> int:
        """0 for the worst."""
        return list(Severity).index(self)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that a check of the config files found."""

    code: str
    """The rule, such as `endpoint-missing`; configs.md §13 lists them."""
    severity: Severity
    message: str
    """What is wrong, in a sentence."""
    mend: str
    """What to do about it; may be empty."""
    path: str
    """The file below `Configs`, with slashes and `.json`."""
    at: str = ""
    """The value concerned as a JSON Pointer, such as `/nodes/3/endpointName`; empty for the whole file."""
    line: int = 1
    column: int = 1
    """Both from 1; of the key concerned."""
    kind: str = ""
    """The kind of file, a value of `ConfigKind`; empty for a file of no known kind."""


@dataclass(frozen=True, slots=True)
class ProblemFilter:
    """Which problems are wanted; empty for all."""

    severity: str = ""
    kind: str = ""
    """A value of `ConfigKind`."""
    user: str = ""
    text: str = ""
    """Part of path, code or message."""

    def passes(self, problem: Problem) -> bool:
        """Whether a problem is wanted; `user` is not judged here."""
        if (self.severity and problem.severity != self.severity) or (self.kind and problem.kind != self.kind):
            return False
        wanted = self.text.strip().lower()
        return wanted in f"{problem.path} {problem.code} {problem.message}".lower()


@dataclass(frozen=True, slots=True)
class ProblemReport:
    """The problems that pass a filter, with the numbers that the choices of the filter show."""

    problems: tuple[Problem, ...]
    by_severity: Mapping[str, int]
    """With the filter's other conditions."""
    by_kind: Mapping[str, int]
    users: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WorkflowFile:
    """One JSON file below `Configs/Workflows`: a workflow, or the settings that lie among them."""

    path: str
    """Relative, without `.json`, such as `gardener/Garden_Companion`."""
    size_bytes: int
    node_count: int | None = None
    """None when it is no workflow."""
    types: tuple[str, ...] = ()
    """Node types in order, each once."""
    note: str = ""
    """The file's `displayOnlyComment`."""
    problem: str = ""
    """Why it cannot be run."""

    @property
    def folder(self) -> str:
        """The folder below `Workflows`, empty for none."""
        return self.path.rpartition("/")[0]

    @property
    def name(self) -> str:
        """The workflow's name."""
        return self.path.rpartition("/")[2]

    @property
    def is_runnable(self) -> bool:
        """Whether there is at least one node and nothing is wrong."""
        return bool(self.node_count) and not self.problem


@dataclass(frozen=True, slots=True)
class NodeCard:
    """A node of a workflow file, as it stands there."""

    position: int
    """From 1."""
    type: str
    title: str
    endpoint: str
    preset: str
    is_known: bool
    is_responder: bool
    calls_workflow: str = ""
    """The workflow it runs, when it names one."""
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WorkflowDetail:
    """A workflow file read for showing."""

    file: WorkflowFile
    nodes: tuple[NodeCard, ...]
    variables: Mapping[str, Any]
    """Top-level keys beside `nodes`."""
    text: str
    """The file as it is on disk."""


@dataclass(frozen=True, slots=True)
class WorkflowUse:
    """A place in another file that names a workflow."""

    source: str
    """The file, below `Configs`."""
    place: str
    """Where in it, for people."""


@dataclass(frozen=True, slots=True)
class ConfigDocument:
    """A config file as it is on disk, secrets included."""

    path: str
    """Below the configs folder, such as `Users/ann.json`."""
    text: str
    etag: str
    """SHA-256 of the bytes; empty for a file that is not there."""
    kind: str
    """`ConfigKind`; empty for a file that is no config."""
    encoding: str = "utf-8"


@dataclass(frozen=True, slots=True)
class SavedConfig:
    """What saving a config came to."""

    path: str
    etag: str
    version: int
    """Number of the version that now is on disk; 0 when nothing was written."""
    is_changed: bool
    """False when the file had these bytes already."""
    problems: tuple[Problem, ...] = ()
    """What is wrong with the saved text, as the checks found it."""


@dataclass(frozen=True, slots=True)
class ConfigVersionCard:
    """One kept version of a config file."""

    path: str
    number: int
    digest: str
    author: str
    is_outside: bool
    name: str
    note: str
    created_at: datetime
    is_deletion: bool
    is_current: bool
    """Whether the file has these bytes now."""
    text: str | None = None
    """Filled where one version is asked for."""
