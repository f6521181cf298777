"""What one request brings, shared by all workflows and nodes that run for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, TypeVar

from workflows_app.engine.definition import Workflow
from workflows_app.engine.events import RunEvent
from workflows_app.errors import RunCancelledError, SwitchedOffError
from workflows_app.types import ChatMessage, JsonObject, Target


class Configs(Protocol):
    """The configs one user can reach."""

    user_name: str

    @property
    def user(self) -> dict[str, Any]:
        """The user's config."""
        ...

    @property
    def shared_folder(self) -> str:
        """Where the workflows are that a model name may choose."""
        ...

    def read_routing(self, name: str) -> dict[str, Any]:
        """A routing file."""
        ...

    def read_workflow(self, name: str, folder: str = "") -> Workflow:
        """A workflow by name, from the node's folder or the user's."""
        ...

    def read_target(self, endpoint_name: str) -> Target:
        """An endpoint with its API type and template."""
        ...

    def read_prompt_template(self, name: str) -> dict[str, Any]:
        """A prompt template."""
        ...

    def read_preset(self, name: str, target: Target) -> dict[str, Any]:
        """Samplers for a call to `target`: a preset file, or an endpoint's own samplers."""
        ...

    def read_settings(self, name: str) -> dict[str, Any]:
        """Memory or compactor settings, which lie among the workflows."""
        ...

    def read_mcp_server(self, name: str) -> dict[str, Any]:
        """How an MCP server is started or reached."""
        ...

    def read_schema(self, name: str) -> dict[str, Any]:
        """An output schema."""
        ...


class Locks(Protocol):
    """Named workflow locks that outlive a process (workflows.md §10.11)."""

    def acquire(self, workflow_id: str, lock_id: str) -> bool:
        """Take a lock; False when somebody holds it."""
        ...

    def release(self, workflow_id: str) -> None:
        """Free all locks of one workflow run."""
        ...


class MessageTimes(Protocol):
    """When the messages of one discussion were said (workflows.md §12.2)."""

    def read(self) -> Mapping[str, str]:
        """All stored times by message hash."""
        ...

    def track(self, messages: Sequence[ChatMessage]) -> None:
        """Give a time to every message that has none."""
        ...

    def begin_answer(self) -> None:
        """Remember that the answer is being generated now."""
        ...

    def commit_answer(self, content: str) -> None:
        """Give the finished answer the time it was begun at."""
        ...


Facility = TypeVar("Facility")


@dataclass(slots=True)
class Run:
    """One request on its way through its workflows."""

    configs: Configs
    locks: Locks
    messages: list[ChatMessage]
    now: Callable[[], datetime]
    """Local time, without offset."""
    discussion_id: str | None = None
    api_key: str | None = None
    is_streaming: bool = False
    tools: Any = None
    tool_choice: Any = None
    routing: JsonObject = field(default_factory=dict)
    is_cancelled: Callable[[], bool] = lambda: False
    times: MessageTimes | None = None
    """None without a discussion."""
    tell: Callable[[RunEvent], None] | None = None
    """Hears at once what happens inside of work that cannot yield, such as memory being made; None: it is told when
    that work is over."""
    facilities: Mapping[type[Any], Any] = field(default_factory=dict)
    """What node families need beside the engine, by the type they ask for; see `facility`."""
    depth_limit: int = 50
    """Workflows that call workflows nest no deeper than this."""
    node_limit: int = 100_000
    """Nodes that one request may run in all."""
    nodes_run: int = 0
    is_making_memory: bool = False
    """Whether a node of the run is at it; only one at a time may."""

    def facility(self, kind: type[Facility]) -> Facility:
        """What a node family needs from outside, e.g. `run.facility(ModelClients)`.

        Raises SwitchedOffError when this run was not given it.
        """
        found = self.facilities.get(kind)
        if found is None:
            raise SwitchedOffError(f"This run has no {kind.__name__}, which the node needs.", facility=kind.__name__)
        return found  # type: ignore[no-any-return]

    def check_cancelled(self) -> None:
        """Raises RunCancelledError once somebody has cancelled the run."""
        if self.is_cancelled():
            raise RunCancelledError("The run was cancelled.")
