"""MCP servers behind HTTP: the streamable form, and the older one with an event stream beside it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

import httpx2

from workflows_app.errors import ToolCallError
from workflows_app.llm.transport import find_proxy
from workflows_app.net.mcp import LIMIT_BYTES, PROTOCOL_VERSION, McpServer, Message, ToolCall, parse_message

_ACCEPT = "application/json, text/event-stream"


@contextlib.contextmanager
def open_http(server: McpServer, call: ToolCall) -> Iterator[HttpChannel]:
    """A streamable HTTP connection."""
    with _own_words(server), _open_client(server, call) as client:
        yield HttpChannel(client, server, call)


@contextlib.contextmanager
def open_sse(server: McpServer, call: ToolCall) -> Iterator[SseChannel]:
    """An event stream that stays open while messages are posted."""
    with (
        _own_words(server),
        _open_client(server, call) as client,
        client.stream("GET", server.url, headers={"Accept": "text/event-stream"}) as response,
    ):
        response.raise_for_status()
        yield SseChannel(client, server, _read_events(response, call))


class HttpChannel:
    """Every message is a request of its own; what the server says comes as their answers."""

    def __init__(self, client: httpx2.Client, server: McpServer, call: ToolCall) -> None:
        self._client, self._server, self._call = client, server, call
        self._said: list[Message] = []
        self._headers = {"Accept": _ACCEPT, "MCP-Protocol-Version": PROTOCOL_VERSION}

    def send(self, message: Message) -> None:
        """Post the message and keep what is answered."""
        with self._client.stream("POST", self._server.url, headers=self._headers, json=message) as response:
            response.raise_for_status()
            session = response.headers.get("mcp-session-id")
            if session:
                self._headers["Mcp-Session-Id"] = session
            if "text/event-stream" in response.headers.get("content-type", ""):
                self._take_stream(response, message)
            else:
                self._take(_read_body(response, self._call))

    def receive(self) -> Iterator[Message]:
        """What has been answered."""
        while self._said:
            yield self._said.pop(0)

    def _take_stream(self, response: httpx2.Response, message: Message) -> None:
        """Up to the answer; some servers leave the stream open behind it."""
        for _, data in _read_events(response, self._call):
            self._take(data)
            if self._said and self._said[-1].get("id") == message.get("id"):
                return

    def _take(self, text: str) -> None:
        message = parse_message(text)
        if message is not None:
            self._said.append(message)


class SseChannel:
    """Messages go to the address that the stream names first; answers come on the stream."""

    def __init__(self, client: httpx2.Client, server: McpServer, events: Iterator[tuple[str, str]]) -> None:
        self._client, self._events = client, events
        self._url = self._find_address(server.url)

    def send(self, message: Message) -> None:
        """Post the message."""
        self._client.post(self._url, json=message).raise_for_status()

    def receive(self) -> Iterator[Message]:
        """The messages on the stream."""
        for _, data in self._events:
            message = parse_message(data)
            if message is not None:
                yield message

    def _find_address(self, base: str) -> str:
        for name, data in self._events:
            if name == "endpoint":
                url = urljoin(base, data)
                if urlsplit(url).netloc != urlsplit(base).netloc:
                    raise ToolCallError(f"The server wants its messages sent to another host, {url!r}.")
                return url
        raise ToolCallError("The server did not say where its messages are to be sent.")


def _open_client(server: McpServer, call: ToolCall) -> httpx2.Client:
    transport = httpx2.HTTPTransport(proxy=find_proxy(server.url))
    headers = dict(server.headers)
    return httpx2.Client(transport=transport, headers=headers, timeout=call.timeout_seconds, trust_env=False)


def _read_body(response: httpx2.Response, call: ToolCall) -> str:
    return b"".join(_read_pieces(response, call)).decode("utf-8", "replace")


def _read_events(response: httpx2.Response, call: ToolCall) -> Iterator[tuple[str, str]]:
    """Name and data of each server-sent event."""
    name, data, rest = "message", list[str](), ""
    for piece in _read_pieces(response, call):
        *lines, rest = (rest + piece.decode("utf-8", "replace")).replace("\r\n", "\n").split("\n")
        for line in lines:
            key, _, value = line.partition(":")
            if key == "event":
                name = value.strip()
            elif key == "data":
                data.append(value.removeprefix(" "))
            elif not line and data:
                yield name, "\n".join(data)
                name, data = "message", []


def _read_pieces(response: httpx2.Response, call: ToolCall) -> Iterator[bytes]:
    deadline = time.monotonic() + call.timeout_seconds
    size = 0
    for piece in response.iter_bytes():
        call.check()
        size += len(piece)
        if size > LIMIT_BYTES:
            raise ToolCallError(f"The server sent more than {LIMIT_BYTES:,} bytes.")
        if time.monotonic() > deadline:
            raise ToolCallError(f"The tool was not done after {call.timeout_seconds:g} seconds.")
        yield piece


@contextlib.contextmanager
def _own_words(server: McpServer) -> Iterator[None]:
    try:
        yield
    except httpx2.TimeoutException:
        raise ToolCallError("The server did not answer in time.") from None
    except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError) as error:
        raise ToolCallError(f"{server.url} could not be asked: {error}") from None
