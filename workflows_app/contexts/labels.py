"""Words and colours for states, times and sizes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from workflows_app.results import NodeState, RunState


class Label(NamedTuple):
    """A word, its colour, its icon and what it means."""

    text: str
    tone: str = ""
    icon: str = ""
    hint: str = ""


RUN_STATES = {
    RunState.QUEUED: Label("waiting", "info", "clock", "Waiting for a worker. `make run` has one built in."),
    RunState.RUNNING: Label("running", "accent", "loader-2"),
    RunState.FINISHED: Label("finished", "ok", "check"),
    RunState.FAILED: Label("failed", "error", "alert-triangle"),
    RunState.CANCELLED: Label("cancelled", "locked", "x"),
}

NODE_STATES = {
    NodeState.RUNNING: Label("running", "accent", "loader-2"),
    NodeState.FINISHED: Label("finished", "ok", "check"),
    NodeState.FAILED: Label("failed", "error", "alert-triangle"),
    NodeState.CANCELLED: Label("cancelled", "locked", "x"),
}


def format_duration(milliseconds: float | None) -> str:
    """A time span as people say it; a dash for none.

    >>> [format_duration(value) for value in (None, 0.4, 12.3, 1234, 75_000)]
    ['–', '0.4 ms', '12 ms', '1.2 s', '1 min 15 s']
    """
    if milliseconds is None:
        return "–"
    if milliseconds < 1000:
        return f"{milliseconds:.1f} ms" if milliseconds < 10 else f"{milliseconds:.0f} ms"
    seconds = milliseconds / 1000
    return f"{seconds:.1f} s" if seconds < 60 else f"{int(seconds // 60)} min {int(seconds % 60)} s"


def format_tokens(prompt: int | None, completion: int | None, *, is_measured: bool) -> str:
    """Tokens of a call, marked with ~ when they are estimated; empty for none.

    >>> format_tokens(1200, 40, is_measured=False)
    '~1,200 → 40'
    """
    if prompt is None and completion is None:
        return ""
    return f"{'' if is_measured else '~'}{prompt or 0:,} → {completion or 0:,}"


def name_tool(tool: Mapping[str, Any]) -> str:
    """The name of a tool on offer, or of the one that a tool call calls.

    >>> name_tool({"type": "function", "function": {"name": "find_plant"}})
    'find_plant'
    """
    function = tool.get("function")
    found = function if isinstance(function, Mapping) else tool
    return str(found.get("name") or "without a name")
