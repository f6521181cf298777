"""Message times as nodes see them (workflows.md §6.5, §12.2)."""

from __future__ import annotations

from memory.engine import timestamps
from memory.types import Message
from workflows_app.engine.conversation import text_of
from workflows_app.engine.run import Run
from workflows_app.types import ChatMessage, JsonObject


def as_memory_message(message: ChatMessage) -> Message:
    """A chat message as the memory layer hashes it."""
    return Message(str(message.get("role", "")), text_of(message), tuple(message.get("images") or ()))


def show_times(run: Run, messages: list[ChatMessage], node: JsonObject) -> list[ChatMessage]:
    """The messages with their times in front, as the node wants them."""
    times = run.times.read() if run.times else {}
    remembered = [as_memory_message(message) for message in messages]
    is_relative = bool(node.get("useRelativeTimestamps"))
    contents = timestamps.format_contents(remembered, times, run.now(), relative=is_relative)
    return [{**message, "content": text} for message, text in zip(messages, contents, strict=True)]


def build_time_context(run: Run) -> str:
    """The sentence of `time_context_summary`; empty without a discussion or times."""
    return timestamps.build_time_context(run.times.read(), run.now()) if run.times else ""
