"""Message times as nodes see them (workflows.md §6.5, §12.2)."""

from __future__ import annotations

from collections.abc import Sequence

from memory.engine import timestamps
from memory.types import Message
from workflows_app.engine.conversation import text_of
from workflows_app.engine.dated_messages import DatedMessages
from workflows_app.engine.run import Run
from workflows_app.types import ChatMessage, JsonObject


def as_memory_message(message: ChatMessage) -> Message:
    """A chat message as the memory layer hashes it."""
    return Message(str(message.get("role", "")), text_of(message), tuple(message.get("images") or ()))


def show_times(run: Run, messages: Sequence[ChatMessage], node: JsonObject) -> DatedMessages:
    """The messages with their times in front, as the node wants them."""
    times = run.times.read() if run.times else {}
    now, is_relative = run.now(), bool(node.get("useRelativeTimestamps"))
    newest = as_memory_message(messages[-1]) if messages else None
    prompt = messages[-1] if newest and timestamps.is_generation_prompt(newest) else None

    def show_time(message: ChatMessage) -> ChatMessage:
        remembered = as_memory_message(message)
        if message is prompt or not timestamps.is_tracked(remembered):
            return {**message, "content": remembered.text}
        return {**message, "content": timestamps.format_content(remembered, times, now, relative=is_relative)}

    return DatedMessages(messages, show_time)


def build_time_context(run: Run) -> str:
    """The sentence of `time_context_summary`; empty without a discussion or times."""
    return timestamps.build_time_context(run.times.read(), run.now()) if run.times else ""
