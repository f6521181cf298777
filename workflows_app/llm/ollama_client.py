"""Ollama, chat and generate: lines of JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from workflows_app.errors import ModelCallError
from workflows_app.llm.client import Reply, ReplyPiece, Usage
from workflows_app.llm.limits import CallLimits
from workflows_app.llm.requests import HttpRequest
from workflows_app.llm.transport import parse_object, post_json, stream_lines
from workflows_app.types import Target


@dataclass(frozen=True, slots=True)
class OllamaClient:
    """Speaks `ollamaApiChat` and `ollamaApiGenerate`."""

    limits: CallLimits

    def ask(self, request: HttpRequest, target: Target) -> Reply:  # noqa: ARG002
        """The whole answer."""
        answer = post_json(request, self.limits)
        piece = _parse_piece(answer)
        reason = "tool_calls" if piece.tool_calls else piece.finish_reason or "stop"
        return Reply(piece.text, piece.tool_calls, reason, piece.usage or Usage())

    def stream(self, request: HttpRequest, target: Target) -> Iterator[ReplyPiece]:  # noqa: ARG002
        """The answer piece by piece. Raises ModelCallError when the server stops before it said that it is done."""
        piece = ReplyPiece()
        for line in stream_lines(request, self.limits):
            piece = _parse_piece(parse_object(line, request))
            yield piece
        if piece.finish_reason is None:
            raise ModelCallError("The model server ended its answer in the middle.")


def _parse_piece(answer: dict[str, Any]) -> ReplyPiece:
    message = answer.get("message")
    said = message if isinstance(message, dict) else {"content": answer.get("response")}
    is_done = bool(answer.get("done"))
    return ReplyPiece(
        text=str(said.get("content") or ""),
        tool_calls=tuple(_as_open_ai(call, number) for number, call in enumerate(said.get("tool_calls") or ())),
        finish_reason=str(answer.get("done_reason") or "stop") if is_done else None,
        usage=Usage(answer.get("prompt_eval_count"), answer.get("eval_count")) if is_done else None,
    )


def _as_open_ai(call: dict[str, Any], number: int) -> dict[str, Any]:
    """Ollama gives arguments as an object and no ids; everybody else expects text and an id."""
    function = dict(call.get("function") or {})
    if not isinstance(function.get("arguments"), str):
        function["arguments"] = json.dumps(function.get("arguments") or {})
    return {"index": number, "id": call.get("id") or f"call_{number}", "type": "function", "function": function}
