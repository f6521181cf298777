"""Requests of a node, sent again with other words, as the API takes and gives them."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from ninja import Schema
from pydantic import Field

from workflows_app.results import RunState


class WordIn(Schema):
    """One message of a request; a single prompt has the role `prompt`."""

    role: Literal["system", "user", "assistant", "tool", "prompt"] = "user"
    content: str = Field(max_length=64 * 1024 * 1024)
    origin: int | None = Field(
        None,
        ge=0,
        le=10**6,
        description="Which message of the recorded request it was, from 1: one with the same role passes its pictures "
        "and tool calls on. Left out: the one at its own place. 0: none.",
    )


class AttemptIn(Schema):
    """What is sent; whatever is left out is sent as it was."""

    call: int = Field(1, ge=1, le=10**6, description="Which of the node's requests it repeats.")
    endpoint: str | None = Field(None, max_length=300)
    preset: str | None = Field(None, max_length=300)
    response_tokens: int | None = Field(None, ge=1, le=10_000_000)
    words: list[WordIn] | None = Field(None, max_length=10_000)


class WordOut(Schema):
    """One message of a request; a single prompt has the role `prompt`."""

    role: str
    content: str
    origin: int = Field(description="Which message of the recorded request it was, from 1; 0: none.")


class AttemptOut(Schema):
    """One more try and what came of it."""

    number: int
    call: int
    endpoint: str
    preset: str
    response_tokens: int | None
    words: list[WordOut]
    state: RunState
    asked_at: datetime
    url: str
    body: dict[str, Any]
    output: str = Field(description="As far as it has come.")
    error_code: str
    error: str
    milliseconds: float | None
    prompt_tokens: int | None
    completion_tokens: int | None
    is_measured: bool
    requested_by: str


class AttemptPage(Schema):
    """All tries of a node, the newest first."""

    items: list[AttemptOut]
    total: int


class AttemptStartedOut(Schema):
    """A try that was noted down."""

    number: int
    state: RunState
