"""`ConversationChunkProcessor`: a workflow for every block of conversation not seen yet (workflows.md §5.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory.engine.hashing import hash_message, list_identities
from workflows_app.engine.conversation import drop_system, text_of
from workflows_app.engine.message_times import as_memory_message
from workflows_app.engine.node import ChildCall, NodeContext, Steps
from workflows_app.errors import NodeFailedError
from workflows_app.nodes.flow.children import read_inputs
from workflows_app.stores.chunk_cursors import ChunkCursor
from workflows_app.stores.file_access import FileAccess
from workflows_app.types import ChatMessage

_ID = re.compile(r"[A-Za-z0-9._-]+")
EMPTY_FILE = "No additional information added"


@dataclass(frozen=True, slots=True)
class _Settings:
    id: str
    workflow: str
    chunk_size: int
    lookback: int


def conversation_chunk_processor(context: NodeContext) -> Steps:
    """Content of `returnFile`, or how many blocks were processed."""
    name = context.node.get("id")
    if not name:
        raise NodeFailedError("A ConversationChunkProcessor node must have a unique 'id'.")
    if not context.run.discussion_id:
        return _report(context, str(name), 0)
    settings = _read_settings(context)
    cursor = ChunkCursor(_directory(context, settings.id), settings.id, context.run.discussion_id)
    inputs = read_inputs(context)
    count = 0
    for block in list_blocks(drop_system(context.conversation), cursor.read(), settings.chunk_size, settings.lookback):
        text = "\n".join(text_of(message) for message in block)
        yield from context.start_child(ChildCall(settings.workflow, inputs=(text, *inputs), messages=list(block)))
        cursor.append(hash_message(as_memory_message(block[-1])))
        count += 1
    return _report(context, settings.id, count)


def list_blocks(
    messages: Sequence[ChatMessage], seen: Sequence[str], chunk_size: int, lookback: int
) -> Iterator[list[ChatMessage]]:
    """The complete blocks after the newest seen hash that still occurs; all of them when none does."""
    start = _find_start(messages, seen)
    end = len(messages) - lookback
    for position in range(start, end - chunk_size + 1, chunk_size):
        yield list(messages[position : position + chunk_size])


def _find_start(messages: Sequence[ChatMessage], seen: Sequence[str]) -> int:
    positions: dict[str, int] = {}
    for position, message in enumerate(messages):
        for identity in list_identities(as_memory_message(message)):
            positions[identity] = position
    newest = next((positions[identity] for identity in reversed(seen) if identity in positions), None)
    return 0 if newest is None else newest + 1


def _read_settings(context: NodeContext) -> _Settings:
    node = context.node
    name = str(node["id"]).strip()
    if not _ID.fullmatch(name):
        raise NodeFailedError(
            f"ConversationChunkProcessor 'id' must contain only letters, digits, '.', '-', or '_'; got {name!r}."
        )
    if not node.get("workflowName"):
        raise NodeFailedError(f"ConversationChunkProcessor {name!r} must specify a 'workflowName'.")
    if not node.get("cursorDirectory"):
        raise NodeFailedError(f"ConversationChunkProcessor {name!r} must specify a 'cursorDirectory'.")
    size = _whole_number(node.get("chunkSize", 10), 1, f"ConversationChunkProcessor {name!r}: 'chunkSize'")
    lookback = _whole_number(node.get("lookbackMessages", 4), 0, f"ConversationChunkProcessor {name!r}: 'lookback'")
    return _Settings(name, str(node["workflowName"]), size, lookback)


def _whole_number(value: Any, least: int, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise NodeFailedError(f"{what} must be an integer >= {least}.")
    return value


def _directory(context: NodeContext, name: str) -> Path:
    text = context.text("cursorDirectory").strip()
    if not text:
        raise NodeFailedError(f"ConversationChunkProcessor {name!r} must specify a 'cursorDirectory'.")
    return context.run.facility(FileAccess).locate(text)


def _report(context: NodeContext, name: str, count: int) -> str:
    wanted = context.node.get("returnFile")
    if not wanted:
        return f"ConversationChunkProcessor '{name}' processed {count} chunk(s)."
    access = context.run.facility(FileAccess)
    text = access.find_text(access.locate(context.text("returnFile")))
    return "" if text is None else text or EMPTY_FILE
