"""An MCP server that is a program: one message a line, in and out."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import subprocess
import time
from collections.abc import Iterator

from workflows_app.errors import ToolCallError
from workflows_app.net.mcp import LIMIT_BYTES, McpServer, Message, ToolCall, parse_message
from workflows_app.net.programs import build_environment, stop_process

_CHUNK = 65_536
_LOOK_SECONDS = 0.1


@contextlib.contextmanager
def open_stdio(server: McpServer, call: ToolCall) -> Iterator[StdioChannel]:
    """Start the program, and stop it at the end."""
    try:
        process = subprocess.Popen(
            [server.command, *server.args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=build_environment(server.env),
            cwd=server.cwd,
        )
    except (OSError, ValueError) as error:
        raise ToolCallError(f"{server.command!r} could not be started: {error}.") from None
    try:
        yield StdioChannel(process, call)
    finally:
        stop_process(process)


class StdioChannel:
    """The two pipes of a running server."""

    def __init__(self, process: subprocess.Popen[bytes], call: ToolCall) -> None:
        self._process = process
        self._call = call
        self._deadline = time.monotonic() + call.timeout_seconds
        self._buffer = bytearray()

    def send(self, message: Message) -> None:
        """Write one line."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
        except OSError as error:
            raise ToolCallError(f"The server does not listen any more: {error}.") from None

    def receive(self) -> Iterator[Message]:
        """The messages among the lines that the program prints."""
        while True:
            line = self._read_line()
            if line is None:
                return
            message = parse_message(line.decode("utf-8", "replace"))
            if message is not None:
                yield message

    def _read_line(self) -> bytes | None:
        while b"\n" not in self._buffer:
            piece = self._read_piece()
            if not piece:
                return None
            self._buffer += piece
            if len(self._buffer) > LIMIT_BYTES:
                raise ToolCallError(f"The server sent a message of more than {LIMIT_BYTES:,} bytes.")
        line, _, rest = bytes(self._buffer).partition(b"\n")
        self._buffer = bytearray(rest)
        return line

    def _read_piece(self) -> bytes:
        assert self._process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while True:
                self._call.check()
                if time.monotonic() > self._deadline:
                    raise ToolCallError(f"The tool was not done after {self._call.timeout_seconds:g} seconds.")
                if selector.select(_LOOK_SECONDS):
                    return os.read(self._process.stdout.fileno(), _CHUNK)
