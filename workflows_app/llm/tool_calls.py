"""Tool calls of an answer: collected from pieces, reworded, or made up to keep a front end going."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from typing import Any

from workflows_app.engine.gateway import LIVENESS_PREFIX
from workflows_app.types import JsonObject

ToolCall = dict[str, Any]


class ToolCallCollector:
    """Puts the parts of streamed tool calls together by their index."""

    def __init__(self) -> None:
        self._calls: dict[Any, ToolCall] = {}

    def add(self, parts: Sequence[ToolCall]) -> None:
        """Take what one piece brought."""
        for part in parts:
            key = part.get("index", len(self._calls))
            self._calls[key] = _merged(self._calls.get(key) or {}, part)

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The calls so far, in order."""
        return tuple(self._calls.values())


def lower_names(calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """The calls with their function names in lower case."""
    return tuple(_lowered(call) for call in calls)


def build_liveness_call(user: JsonObject) -> ToolCall | None:
    """The no-op call of the user's `livenessToolCall`; None without a tool name."""
    settings = user.get("livenessToolCall")
    name = settings.get("toolName") if isinstance(settings, dict) else None
    if not isinstance(name, str) or not name.strip() or not isinstance(settings, dict):
        return None
    arguments = json.dumps(settings.get("arguments") or {})
    function = {"name": name, "arguments": arguments}
    return {"index": 0, "id": f"{LIVENESS_PREFIX}{uuid.uuid4().hex}", "type": "function", "function": function}


def _merged(known: ToolCall, part: ToolCall) -> ToolCall:
    function, more = known.get("function") or {}, part.get("function") or {}
    name, arguments = more.get("name") or function.get("name"), more.get("arguments")
    merged = {**known, **{key: value for key, value in part.items() if value is not None}}
    merged["function"] = {"name": name, "arguments": _joined(function.get("arguments"), arguments)}
    return merged


def _joined(known: Any, more: Any) -> Any:
    if isinstance(more, str):
        return f"{known or ''}{more}"
    return known if more is None else more


def _lowered(call: ToolCall) -> ToolCall:
    function = call.get("function")
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        return call
    return {**call, "function": {**function, "name": function["name"].lower()}}
