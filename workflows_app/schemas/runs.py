"""Runs and their nodes as the API takes and gives them."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from ninja import Schema
from pydantic import Field

from workflows_app.results import NodeState, RunState
from workflows_app.run_results import RunFilter


class RunQuery(Schema):
    """Which runs are wanted."""

    text: str = Field("", max_length=300, description="Part of the workflow's name.")
    state: RunState | None = None
    discussion: str = Field("", max_length=1000, description="`id`, or `keyhash:id`.")
    page: int = Field(1, ge=1, le=10**9)
    size: int = Field(25, ge=1, le=500)

    def as_filter(self) -> RunFilter:
        """The filter alone."""
        return RunFilter(self.text, self.state or "", self.discussion)


class RunIn(Schema):
    """A run to be started."""

    workflow: str = Field(max_length=1000, description="Path below `Configs/Workflows`, without `.json`.")
    user: str = Field("", max_length=300, description="WilmerAI user; empty: the one whose config counts.")
    discussion: str = Field("", max_length=1000, description="Empty: the tag in the messages, else none.")
    messages: list[dict[str, Any]] = Field(
        default_factory=list,
        max_length=100_000,
        description="As a chat front end sends them. Empty: those of the discussion, where the console has them.",
    )
    tools: list[dict[str, Any]] = Field(
        default_factory=list, max_length=1_000, description="What nodes with `allowTools` offer to their models."
    )
    tool_choice: str | dict[str, Any] | None = Field(None, description="Goes to the models with `tools`.")
    is_sandbox: bool = Field(True, description="Work on a copy of the discussion's files.")
    adds_to_discussion: bool = Field(
        False, description="`messages` come behind those of the discussion instead of standing for themselves."
    )
    up_to_message: int | None = Field(
        None, ge=1, le=10**7, description="Of the discussion's own messages those up to this number."
    )
    last_messages: int | None = Field(
        None, ge=1, le=10**7, description="Of those only so many of the newest, beside leading system messages."
    )


class RerunIn(Schema):
    """Where a run begins in the middle of an earlier one."""

    node: int = Field(ge=1, le=10**9, description="`number` of the node in the earlier run.")
    output: str | None = Field(None, description="Taken for the node's output instead of running it.")
    is_single_node: bool = Field(False, description="End behind this node.")
    attempt: int | None = Field(
        None, ge=1, le=10**9, description="A try of the node whose answer is taken for its output."
    )


class PinIn(Schema):
    """Whether an output stays."""

    is_pinned: bool


class RunOut(Schema):
    """A run in a list."""

    id: int
    user: str
    workflow: str
    folder: str
    discussion: str
    source: Literal["discussion", "messages"]
    is_sandbox: bool
    state: RunState
    queued_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    milliseconds: float | None
    requested_by: str
    error_code: str
    error: str
    parent_id: int | None = Field(description="The run whose outputs it used again.")
    first_node: int | None
    is_single_node: bool
    is_edited: bool
    node_count: int


class RunPage(Schema):
    """One page of runs, the newest first."""

    items: list[RunOut]
    total: int
    page: int
    size: int
    pages: int


class NodeRowOut(Schema):
    """One node in the tree of a run."""

    number: int
    path: list[int] = Field(description="1-based positions from the outermost workflow down.")
    workflow: str
    type: str
    title: str
    state: NodeState
    is_responder: bool
    offset_milliseconds: float
    milliseconds: float | None
    own_milliseconds: float | None
    prompt_tokens: int | None
    completion_tokens: int | None
    is_measured: bool = Field(description="Whether the server counted the tokens; else they are estimated.")
    warning_count: int
    is_replayed: bool
    is_pinned: bool
    is_edited: bool = Field(description="A person typed the output.")
    stale: str = Field(description="Why the output is older than what it is made from; empty when it is not.")
    progress: str = Field(description="How far memory work has got, such as `3 of 7 chunks`.")


class RunDetailOut(Schema):
    """A run with its tree."""

    card: RunOut
    nodes: list[NodeRowOut]
    answer: str
    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]] = Field(description="What the request offered.")
    tool_choice: str | dict[str, Any] | None
    last_event: int
    is_cancel_requested: bool


class PromptOut(Schema):
    """A template and what became of it."""

    key: str
    template: str
    text: str
    names: list[str]


class CallOut(Schema):
    """A request to a model server, without its key."""

    url: str
    body: dict[str, Any]
    type: str
    milliseconds: float | None
    prompt_tokens: int | None
    completion_tokens: int | None
    answer: str = Field(description="What the server said, before anything was taken off.")
    endpoint: str
    preset: str
    response_tokens: int | None


class TouchOut(Schema):
    """A memory file that a node read or wrote."""

    name: str
    action: Literal["read", "written", "made", "deleted"]
    size_bytes: int | None


class MemoryStepOut(Schema):
    """One step of memory work inside a node."""

    step: str
    done: int
    total: int
    detail: str


class NodeDetailOut(Schema):
    """One node with everything recorded of it."""

    row: NodeRowOut
    output: Any
    has_output: bool
    error_code: str
    error: str
    endpoint: str
    preset: str
    prompts: list[PromptOut]
    variables: dict[str, str]
    calls: list[CallOut]
    files: list[TouchOut]
    warnings: list[str]
    steps: list[MemoryStepOut]


class RunStartedOut(Schema):
    """A run that was noted down."""

    id: int
    state: RunState


class EventQuery(Schema):
    """Which events are wanted, and in which form."""

    after: int = Field(0, ge=0, le=10**9, description="Number of the last event that is known.")
    form: Literal["sse", "jsonl"] = Field("sse", description="Server-sent events, or one JSON object a line.")
    follow: bool = Field(True, description="Wait for more until the run is over.")
