"""The Claude messages API."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from workflows_app.errors import ModelCallError
from workflows_app.llm.client import Reply, ReplyPiece, Usage, as_piece
from workflows_app.llm.limits import CallLimits
from workflows_app.llm.requests import HttpRequest
from workflows_app.llm.transport import hide_key, post_json, stream_events
from workflows_app.types import Target

_REASONS = {"end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length", "tool_use": "tool_calls"}


@dataclass(frozen=True, slots=True)
class ClaudeClient:
    """Speaks `claudeMessages`."""

    limits: CallLimits

    def ask(self, request: HttpRequest, target: Target) -> Reply:  # noqa: ARG002
        """The whole answer."""
        return _parse_answer(post_json(request, self.limits), request)

    def stream(self, request: HttpRequest, target: Target) -> Iterator[ReplyPiece]:  # noqa: ARG002
        """The answer piece by piece. Raises ModelCallError when the server stops before it said that it is done."""
        prompt_tokens = None
        for event in stream_events(request, self.limits):
            if event.get("type") == "message_stop":
                return
            if event.get("type") == "message_start":
                prompt_tokens = _usage_of(event.get("message") or {}).prompt_tokens
            if event.get("type") == "message":
                yield as_piece(_parse_answer(event, request))
                return
            piece = _parse_event(event)
            if piece and piece.usage:
                piece = replace(piece, usage=replace(piece.usage, prompt_tokens=prompt_tokens))
            if piece:
                yield piece
        raise ModelCallError("The model server ended its answer in the middle.")


def _parse_answer(answer: dict[str, Any], request: HttpRequest) -> Reply:
    parts = answer.get("content")
    if not isinstance(parts, list):
        raise ModelCallError(f"{hide_key(request.url, request)} answered without `content`.")
    parts = [part for part in parts if isinstance(part, dict)]
    text = "".join(str(part.get("text") or "") for part in parts if part.get("type") == "text")
    uses = [part for part in parts if part.get("type") == "tool_use"]
    calls = tuple(_as_open_ai(part, number) for number, part in enumerate(uses))
    return Reply(text, calls, "tool_calls" if calls else _reason(answer.get("stop_reason")), _usage_of(answer))


def _usage_of(holder: dict[str, Any]) -> Usage:
    usage = holder.get("usage") or {}
    return Usage(usage.get("input_tokens"), usage.get("output_tokens"))


def _parse_event(event: dict[str, Any]) -> ReplyPiece | None:
    delta, kind = event.get("delta") or {}, event.get("type")
    index = event.get("index", 0)
    if kind == "content_block_start" and (event.get("content_block") or {}).get("type") == "tool_use":
        return ReplyPiece(tool_calls=(_as_open_ai({**event["content_block"], "input": None}, index),))
    if kind == "content_block_delta" and delta.get("type") == "input_json_delta":
        function = {"arguments": str(delta.get("partial_json") or "")}
        return ReplyPiece(tool_calls=({"index": index, "function": function},))
    if kind == "content_block_delta" and delta.get("type") == "text_delta":
        return ReplyPiece(str(delta.get("text") or ""))
    if kind == "message_delta" and delta.get("stop_reason"):
        return ReplyPiece(finish_reason=_reason(delta["stop_reason"]), usage=_usage_of(event))
    return None


def _reason(stop_reason: Any) -> str:
    return _REASONS.get(str(stop_reason), "stop")


def _as_open_ai(part: dict[str, Any], number: int) -> dict[str, Any]:
    arguments = "" if part.get("input") is None else json.dumps(part["input"])
    function = {"name": part.get("name"), "arguments": arguments}
    return {"index": number, "id": part.get("id"), "type": "function", "function": function}
