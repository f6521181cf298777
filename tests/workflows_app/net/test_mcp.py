"""Tool calls over pipes and over HTTP."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.fakes import mcp_server
from tests.fakes.web_server import Asked, FakeWebServer, Page
from workflows_app.errors import RunCancelledError, ToolCallError
from workflows_app.net.mcp import McpServer, Message, ToolCall, call_tool

SCRIPT = str(Path(mcp_server.__file__).resolve())
STDIO = McpServer("fake", "stdio", command=sys.executable, args=(SCRIPT,))


def call(server: McpServer, tool: str = "echo", timeout: float = 20) -> Message:
    return call_tool(server, ToolCall(tool, {"a": [1, "b"]}, timeout))


def text_of(result: Message) -> Any:
    return json.loads(result["content"][0]["text"])


def test_program() -> None:
    assert text_of(call(STDIO)) == {"a": [1, "b"]}


def test_errors_are_told_in_the_servers_words() -> None:
    with pytest.raises(ToolCallError, match="Unknown tool nothing"):
        call(STDIO, "nothing")


@pytest.mark.parametrize(("code", "words"), [("pass", "ended|listen"), ("import time; time.sleep(60)", "not done")])
def test_program_that_does_not_answer(code: str, words: str) -> None:
    with pytest.raises(ToolCallError, match=words):
        call(McpServer("fake", "stdio", command=sys.executable, args=("-c", code)), timeout=1.5)


def test_program_that_is_not_there() -> None:
    with pytest.raises(ToolCallError, match="could not be started"):
        call(McpServer("fake", "stdio", command="no-such-program"))


def test_cancelling() -> None:
    def cancel() -> None:
        raise RunCancelledError("The run was cancelled.")

    with pytest.raises(RunCancelledError):
        call_tool(STDIO, ToolCall("echo", {}, 20, cancel))


@pytest.mark.parametrize("is_stream", [False, True])
def test_streamable_http(is_stream: bool) -> None:
    def site(asked: Asked) -> Page:
        reply = mcp_server.answer(json.loads(asked.body))
        if reply is None:
            return Page(status=202)
        session = {"Mcp-Session-Id": "s1"}
        if not is_stream:
            return Page(json.dumps(reply), headers={"Content-Type": "application/json", **session})
        body = f": hi\r\nevent: message\r\ndata: {json.dumps(reply)}\r\n\r\n"
        return Page(body, headers={"Content-Type": "text/event-stream", **session})

    with FakeWebServer(site) as server:
        result = call(McpServer("fake", "streamable_http", url=server.url, headers={"X-Key": "k"}))

    assert text_of(result) == {"a": [1, "b"]}
    assert [asked.headers.get("Mcp-Session-Id") for asked in server.seen] == [None, "s1", "s1"]
    assert {asked.headers["X-Key"] for asked in server.seen} == {"k"}


def test_event_stream_beside_posts() -> None:
    answers = [mcp_server.answer({"id": 1, "method": "initialize"})]
    answers.append(mcp_server.answer({"id": 2, "method": "tools/call", "params": {"name": "echo", "arguments": {}}}))
    stream = "event: endpoint\ndata: /messages?s=1\n\n"
    stream += "".join(f"data: {json.dumps(answer)}\n\n" for answer in answers)
    pages = {"/sse": Page(stream, headers={"Content-Type": "text/event-stream"}), "/messages": Page(status=202)}
    with FakeWebServer(pages) as server:
        result = call(McpServer("fake", "sse", url=f"{server.url}/sse"))

    assert text_of(result) == {}
    assert [asked.path for asked in server.seen] == ["/sse", *["/messages?s=1"] * 3]


def test_event_stream_may_not_send_messages_elsewhere() -> None:
    stream = "event: endpoint\ndata: http://evil.test/messages\n\n"
    with FakeWebServer({"/sse": Page(stream)}) as server, pytest.raises(ToolCallError, match="another host"):
        call(McpServer("fake", "sse", url=f"{server.url}/sse"))


@pytest.mark.parametrize("transport", ["streamable_http", "sse"])
def test_http_server_that_refuses(transport: str) -> None:
    with FakeWebServer({}) as server, pytest.raises(ToolCallError, match="404"):
        call(McpServer("fake", transport, url=server.url))
