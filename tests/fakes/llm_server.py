"""A model server on loopback: real HTTP, every wire format, and every way to fail.

    with FakeLlmServer("Hello there.") as server: ...server.url...

It plays its script in order, one item a request, and repeats the last one for ever. An item may be a function of the
request's body.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Answer:
    """A good answer; streamed in words when asked for."""

    text: str = "Hello there."
    tool_calls: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True)
class Status:
    """An HTTP error."""

    code: int
    body: str = ""
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class CutOff:
    """Begins to answer and hangs up in the middle."""

    text: str = "Hello there, this breaks off"


@dataclass(frozen=True)
class Garbage:
    """Something that is no JSON, with status 200."""

    body: str = "<html>It works!</html>"


@dataclass(frozen=True)
class Silence:
    """Says nothing until the server is closed."""


@dataclass(frozen=True)
class Endless:
    """Never stops talking."""


Fixed = Answer | Status | CutOff | Garbage | Silence | Endless | str
Item = Fixed | Callable[[Any], Fixed]


@dataclass(frozen=True)
class Seen:
    """A request that came in."""

    path: str
    headers: dict[str, str]
    body: Any


class FakeLlmServer:
    """The server; close it with `with`."""

    def __init__(self, *script: Item) -> None:
        self.script = [Answer(item) if isinstance(item, str) else item for item in script or (Answer(),)]
        self.seen: list[Seen] = []
        self.models: list[str] = []
        self.closing = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._http.daemon_threads = True
        self._http.block_on_close = False
        self._http.fake = self  # type: ignore[attr-defined]
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def __enter__(self) -> FakeLlmServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()

    def take(self) -> Any:
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Tests want quiet."""

    def do_GET(self) -> None:
        fake: FakeLlmServer = self.server.fake  # type: ignore[attr-defined]
        fake.seen.append(Seen(self.path, {name.lower(): value for name, value in self.headers.items()}, None))
        lists = {
            "/v1/models": {"data": [{"id": name} for name in fake.models]},
            "/api/tags": {"models": [{"name": f"{name}:latest"} for name in fake.models]},
            "/api/v1/model": {"result": fake.models[0] if fake.models else ""},
        }
        with contextlib.suppress(OSError):
            if self.path in lists and fake.models:
                self._send(200, json.dumps(lists[self.path]), {})
            else:
                self._send(404, '{"error": "there is nothing here"}', {})

    def do_POST(self) -> None:
        fake: FakeLlmServer = self.server.fake  # type: ignore[attr-defined]
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        fake.seen.append(Seen(self.path, {name.lower(): value for name, value in self.headers.items()}, body))
        with contextlib.suppress(OSError):
            item = fake.take()
            item = item(body) if callable(item) else item
            self._play(fake, Answer(item) if isinstance(item, str) else item, body)

    def _play(self, fake: FakeLlmServer, item: Any, body: dict[str, Any]) -> None:
        if isinstance(item, Silence):
            fake.closing.wait()
            self.close_connection = True
        elif isinstance(item, Status):
            self._send(item.code, item.body, item.headers)
        elif isinstance(item, Garbage):
            self._send(200, item.body, {})
        elif "input" in body:
            self._send(200, json.dumps(_vectors(self.path, body["input"])), {})
        elif isinstance(item, CutOff) and not _is_stream(self.path, body):
            self._head(200, {"Content-Length": "10000"})
            self.wfile.write(b'{"choices": [')
            self.close_connection = True
        elif _is_stream(self.path, body):
            self._stream(fake, item)
        else:
            self._send(200, json.dumps(whole_answer(self.path, item)), {})

    def _stream(self, fake: FakeLlmServer, item: Any) -> None:
        self._head(200, {"Content-Type": "text/event-stream", "Connection": "close"})
        self.close_connection = True
        for line in _pieces(self.path, item):
            if fake.closing.is_set():
                return
            self.wfile.write(f"{line}\n\n".encode())
            self.wfile.flush()

    def _send(self, code: int, body: str, headers: dict[str, str]) -> None:
        data = body.encode()
        kind = "application/json" if body.startswith(("{", "[")) else "text/html"
        self._head(code, {"Content-Type": kind, "Content-Length": str(len(data)), **headers})
        self.wfile.write(data)

    def _head(self, code: int, headers: dict[str, str]) -> None:
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()


def _is_stream(path: str, body: dict[str, Any]) -> bool:
    if path.startswith("/api/extra/"):
        return True
    return bool(body.get("stream", path.startswith("/api/chat")))


def whole_answer(path: str, item: Answer) -> dict[str, Any]:
    """What a server of this path answers when nothing is streamed."""
    calls = list(item.tool_calls)
    if path.endswith("/chat/completions"):
        message = {"role": "assistant", "content": item.text} | ({"tool_calls": calls} if calls else {})
        usage = {"prompt_tokens": 11, "completion_tokens": 3}
        return {"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage}
    if path.endswith("/completions"):
        return {"choices": [{"text": item.text, "finish_reason": "stop"}]}
    if path == "/api/chat":
        return {"message": {"content": item.text, "tool_calls": calls}, "done": True, "done_reason": "stop"}
    if path == "/api/generate":
        return {"response": item.text, "done": True, "done_reason": "stop"}
    if path.startswith("/api/v1/"):
        return {"results": [{"text": item.text}]}
    uses = [{"type": "tool_use", "id": "c1", "name": c["function"]["name"], "input": {}} for c in calls]
    content = [{"type": "text", "text": item.text}, *uses]
    return {"type": "message", "content": content, "stop_reason": "end_turn", "usage": {}}


def _pieces(path: str, item: Any) -> Iterator[str]:
    if isinstance(item, Endless):
        while True:
            yield _piece(path, "and on ")
    if path.endswith("/messages"):
        yield _data({"type": "message_start", "message": {"usage": {"input_tokens": 11, "output_tokens": 1}}})
    for word in item.text.split():
        yield _piece(path, f"{word} ")
    if not isinstance(item, CutOff):
        if isinstance(item, Answer) and item.tool_calls:
            yield _data({"choices": [{"delta": {"tool_calls": list(item.tool_calls)}}]})
        yield from _ends(path)


def _piece(path: str, text: str) -> str:
    if path.endswith("/chat/completions"):
        return _data({"choices": [{"delta": {"content": text}, "finish_reason": None}]})
    if path.endswith("/completions"):
        return _data({"choices": [{"text": text, "finish_reason": None}]})
    if path == "/api/chat":
        return json.dumps({"message": {"content": text}, "done": False})
    if path == "/api/generate":
        return json.dumps({"response": text, "done": False})
    if path.startswith("/api/extra/"):
        return f"event: message\n{_data({'token': text, 'finish_reason': None})}"
    return _data({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}})


def _ends(path: str) -> Iterator[str]:
    if path in ("/api/chat", "/api/generate"):
        yield json.dumps({"done": True, "done_reason": "stop", "eval_count": 3, "prompt_eval_count": 11})
    elif path.endswith("/messages"):
        yield _data({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 3}})
        yield _data({"type": "message_stop"})
    elif path.startswith("/api/extra/"):
        yield _data({"token": "", "finish_reason": "stop"})
    else:
        yield _data({"choices": [{"delta": {}, "text": "", "finish_reason": "stop"}]})
        yield "data: [DONE]"


def _data(value: dict[str, Any]) -> str:
    return f"data: {json.dumps(value)}"


def _vectors(path: str, given: Any) -> dict[str, Any]:
    texts = given if isinstance(given, list) else [given]
    vectors = [[float(len(text)), 1.0, 0.0] for text in texts]
    if path.startswith("/api/"):
        return {"embeddings": vectors}
    # Out of order on purpose: the index counts.
    return {"data": [{"index": at, "embedding": vector} for at, vector in reversed(list(enumerate(vectors)))]}
