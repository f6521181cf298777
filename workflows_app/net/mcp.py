"""One tool call on an MCP server: initialise, call, leave. JSON-RPC over a program's pipes or over HTTP."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from workflows_app.errors import ToolCallError

PROTOCOL_VERSION = "2025-06-18"
LIMIT_BYTES = 32 * 1024 * 1024
"""Longest message a server may send."""

Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class McpServer:
    """How a server is started or reached (configs.md §8)."""

    name: str
    transport: str
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str | None = None
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


class Channel(Protocol):
    """A connection that carries messages both ways. Raises ToolCallError when it breaks or time is over."""

    def send(self, message: Message) -> None:
        """Give the server a message."""
        ...

    def receive(self) -> Iterator[Message]:
        """The server's messages as they come."""
        ...


@dataclass(frozen=True, slots=True)
class ToolCall:
    """What is asked for, and for how long."""

    tool: str
    arguments: Mapping[str, Any]
    timeout_seconds: float
    check: Callable[[], None] = lambda: None
    """Called every moment; ends the call by raising."""


def call_tool(server: McpServer, call: ToolCall) -> Message:
    """The tool's result object. Raises ToolCallError."""
    with _open(server, call) as channel:
        numbers = itertools.count(1)
        hello = {
            "protocolVersion": PROTOCOL_VERSION,
            "capabilities": {},
            "clientInfo": {"name": "wilmer-memory-console", "version": "1"},
        }
        _ask(channel, next(numbers), "initialize", hello)
        channel.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return _ask(channel, next(numbers), "tools/call", {"name": call.tool, "arguments": dict(call.arguments)})


def parse_message(text: str) -> Message | None:
    """A message, or None for anything else, such as a line that a program printed by mistake."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _open(server: McpServer, call: ToolCall) -> AbstractContextManager[Channel]:
    from workflows_app.net.mcp_http import open_http, open_sse
    from workflows_app.net.mcp_stdio import open_stdio

    channels: dict[str, Callable[[McpServer, ToolCall], AbstractContextManager[Channel]]] = {
        "stdio": open_stdio,
        "sse": open_sse,
        "streamable_http": open_http,
    }
    return channels[server.transport](server, call)


def _ask(channel: Channel, number: int, method: str, params: Mapping[str, Any]) -> Message:
    channel.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    for message in channel.receive():
        if message.get("id") == number and "method" not in message:
            return _read_result(message)
        if "method" in message and "id" in message:
            # The server wants something of us, such as a model's answer; this client offers nothing.
            error = {"code": -32601, "message": "not offered"}
            channel.send({"jsonrpc": "2.0", "id": message["id"], "error": error})
    raise ToolCallError(f"The server ended the connection without an answer to {method!r}.")


def _read_result(message: Message) -> Message:
    if "error" in message:
        error = message["error"]
        raise ToolCallError(str(error.get("message") if isinstance(error, dict) else error))
    result = message.get("result")
    return result if isinstance(result, dict) else {}
