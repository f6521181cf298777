"""What every client of a model server offers, whatever its protocol."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from workflows_app.errors import ConfigInvalidError
from workflows_app.llm.requests import HttpRequest, wire_format
from workflows_app.types import Target


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the server counted them; None where it did not say."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer."""

    text: str
    tool_calls: tuple[dict[str, Any], ...] = ()
    finish_reason: str = "stop"
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class ReplyPiece:
    """A part of a streamed answer: text, parts of tool calls, or how it ended."""

    text: str = ""
    tool_calls: tuple[dict[str, Any], ...] = ()
    finish_reason: str | None = None
    usage: Usage | None = None


def as_piece(reply: Reply) -> ReplyPiece:
    """A whole answer as the only piece of a streamed one."""
    return ReplyPiece(reply.text, reply.tool_calls, reply.finish_reason, reply.usage)


class LlmClient(Protocol):
    """Talks to one kind of server. Raises ModelCallError with the server's own words."""

    def ask(self, request: HttpRequest, target: Target) -> Reply:
        """The whole answer."""
        ...

    def stream(self, request: HttpRequest, target: Target) -> Iterator[ReplyPiece]:
        """The answer piece by piece; closing the iterator closes the connection."""
        ...


@dataclass(frozen=True, slots=True)
class ModelClients:
    """The client of each kind of server, by API type. A run is given one as a facility."""

    by_type: Mapping[str, LlmClient]

    def client_for(self, target: Target) -> LlmClient:
        """The client that speaks the endpoint's language. Raises ConfigInvalidError when there is none."""
        client = self.by_type.get(wire_format(target))
        if client is None:
            raise ConfigInvalidError(f"Unsupported LLM type: {target.type or '(none)'}.", endpoint=target.name)
        return client
