"""The model of conformance/WORKFLOWS.md: scripted answers first, then an echo of what it was sent."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from workflows_app.errors import ModelCallError
from workflows_app.llm.client import Reply, ReplyPiece
from workflows_app.llm.requests import HttpRequest
from workflows_app.types import Target

TEXT_TYPES = (
    "openAIChatCompletion",
    "claudeMessages",
    "ollamaApiChat",
    "ollamaApiGenerate",
    "openAIV1Completion",
    "koboldCppGenerate",
)


class ScriptedModel:
    """A client for every kind of server that remembers what it was asked."""

    def __init__(self, replies: list[Any]) -> None:
        self.replies = list(replies)
        self.requests: list[HttpRequest] = []

    def ask(self, request: HttpRequest, target: Target) -> Reply:
        reply = self._next(request)
        calls = tuple(reply.get("tool_calls") or ())
        return Reply("".join(_pieces(reply)), calls, "tool_calls" if calls else "stop")

    def stream(self, request: HttpRequest, target: Target) -> Iterator[ReplyPiece]:
        reply = self._next(request)
        for text in _pieces(reply):
            yield ReplyPiece(text)
        calls = tuple(reply.get("tool_calls") or ())
        if calls:
            yield ReplyPiece(tool_calls=calls)
        yield ReplyPiece(finish_reason="tool_calls" if calls else "stop")

    def _next(self, request: HttpRequest) -> dict[str, Any]:
        self.requests.append(HttpRequest(request.url, request.headers, json.loads(json.dumps(request.body))))
        reply = self.replies.pop(0) if self.replies else _echo(request.body)
        reply = {"content": reply} if isinstance(reply, str) else reply
        if reply.get("status", 200) != 200:
            raise ModelCallError(f"{reply['status']} error")
        return reply

    def shown_requests(self, *, is_full: bool) -> list[dict[str, Any]]:
        if is_full:
            return [{"url": r.url, "headers": r.headers, "body": r.body} for r in self.requests]
        return [{key: r.body[key] for key in ("model", "messages", "prompt") if key in r.body} for r in self.requests]


def _pieces(reply: dict[str, Any]) -> list[str]:
    if "chunks" in reply:
        return list(reply["chunks"])
    return [piece for piece in re.split(r"(\s+)", reply.get("content") or "") if piece]


def _echo(body: dict[str, Any]) -> str:
    said = body.get("prompt")
    if said is None:
        said = _text(body["messages"][-1].get("content")) if body.get("messages") else ""
    return f"[{body.get('model', '')}] {said}"


def _text(content: Any) -> str:
    if not isinstance(content, list):
        return str(content or "")
    return "\n".join(part["text"] if part.get("type") == "text" else "<image>" for part in content)
