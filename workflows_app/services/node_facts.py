"""What is worked out of what was recorded of a node: tokens, and files touched."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from memory.engine.tokens import estimate_tokens
from workflows_app.engine.conversation import text_of
from workflows_app.llm.kept_requests import set_pictures_aside
from workflows_app.models import NodeRun
from workflows_app.run_results import format_output
from workflows_app.services.metering import Measure
from workflows_app.services.watching import cut_text

FileSizes = Mapping[str, tuple[int, int]]
"""File name → size in bytes and time of change in nanoseconds."""


def cut_body(body: Mapping[str, Any]) -> dict[str, Any]:
    """A request body as JSON values, over-long texts cut and pictures set aside."""
    cut: dict[str, Any] = json.loads(json.dumps(_cut(set_pictures_aside(body)), default=str))
    return cut


def add_measure(row: NodeRun, measure: Measure) -> bool:
    """Give the last call of a node its time and tokens; False when no call of it waits for them."""
    for call in reversed(row.calls):
        if call["milliseconds"] is None:
            call["milliseconds"], call["type"] = measure.milliseconds, measure.type
            call["prompt_tokens"] = measure.usage.prompt_tokens
            call["completion_tokens"] = measure.usage.completion_tokens
            call["answer"] = cut_text(measure.answer)
            return True
    return False


def count_tokens(row: NodeRun) -> None:
    """Tokens of all calls of a node: as the servers counted them, else estimated as WilmerAI does (memory.md §7)."""
    if not row.calls:
        return
    counted = [(call.get("prompt_tokens"), call.get("completion_tokens")) for call in row.calls]
    row.is_measured = all(prompt is not None and completion is not None for prompt, completion in counted)
    if row.is_measured:
        row.prompt_tokens = sum(prompt or 0 for prompt, _ in counted)
        row.completion_tokens = sum(completion or 0 for _, completion in counted)
        return
    row.prompt_tokens = sum(_estimate_prompt(call["body"]) for call in row.calls)
    row.completion_tokens = estimate_tokens(format_output(json.loads(row.output))) if row.output else 0


def list_touches(before: FileSizes, after: FileSizes, reads: Iterable[str]) -> list[dict[str, Any]]:
    """Which memory files changed between two looks, and which were read."""
    touches: list[dict[str, Any]] = []
    for name in dict.fromkeys(reads):
        touches.append({"name": name, "action": "read", "bytes": after.get(name, (None, 0))[0]})
    for name in sorted({**before, **after}):
        if name not in after:
            touches.append({"name": name, "action": "deleted", "bytes": None})
        elif name not in before:
            touches.append({"name": name, "action": "made", "bytes": after[name][0]})
        elif before[name] != after[name]:
            touches.append({"name": name, "action": "written", "bytes": after[name][0]})
    return touches


def _estimate_prompt(body: Mapping[str, Any]) -> int:
    messages = body.get("messages")
    if isinstance(messages, list):
        return sum(estimate_tokens(text_of(message)) for message in messages if isinstance(message, dict))
    return estimate_tokens(str(body.get("prompt") or ""))


def _cut(value: Any) -> Any:
    if isinstance(value, str):
        return cut_text(value)
    if isinstance(value, Mapping):
        return {str(key): _cut(item) for key, item in value.items()}
    return [_cut(item) for item in value] if isinstance(value, list | tuple) else value
