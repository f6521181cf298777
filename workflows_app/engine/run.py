"""What one request brings, shared by all workflows and nodes that run for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from workflows_app.engine.definition import Workflow
from workflows_app.errors import RunCancelledError
from workflows_app.types import ChatMessage, JsonObject, Target


class Configs(Protocol):
    """The configs one user can reach."""

    user_name: str

    @property
    def user(self) -> dict[str, Any]:
        """The user's config."""
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
    time_context: Callable[[], str] = str
    depth_limit: int = 50
    """Workflows that call workflows nest no deeper than this."""
    node_limit: int = 100_000
    """Nodes that one request may run in all."""
    nodes_run: int = 0

    def check_cancelled(self) -> None:
        """Raises RunCancelledError once somebody has cancelled the run."""
        if self.is_cancelled():
            raise RunCancelledError("The run was cancelled.")
