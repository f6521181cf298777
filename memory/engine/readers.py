"""The exact texts that memory nodes give, for what was read (memory.md §19, §20)."""

from __future__ import annotations

from collections.abc import Sequence

from memory.engine.chunking import pack_messages, remove_role_labels
from memory.engine.keyword_search import CHUNK_BREAK
from memory.engine.prompts import NO_SUMMARY_YET, SUMMARY_SEPARATOR
from memory.engine.summary_plan import list_unsummarised
from memory.types import Entry, Message

NO_MEMORIES_GENERATED = "No memories have been generated yet"
NO_MEMORIES = "There are not yet any memories"
NOTHING_TO_GRAB = "There are no memories to grab yet"
NO_DISCUSSION_FOR_MEMORIES = "No discussionId on this request; memories were not generated."
NO_DISCUSSION_FOR_SEARCH = "Cannot perform VectorMemorySearch without a discussionId."
NO_DISCUSSION_FOR_SERVICE = "Cannot search vector memories without a discussionId."

WINDOW_CHUNK_SIZE = 400
DEFAULT_RECENT = 3
"""What `maxSummaryChunksFromFile` 0 means."""


def format_recent_memories(texts: Sequence[str], count: int, delimiter: str | None = None) -> str:
    """`RecentMemorySummarizerTool` with a discussion: the last `count` texts; 0 = 3, -1 = all."""
    if not texts:
        return NO_MEMORIES_GENERATED
    wanted = count or DEFAULT_RECENT
    return _join(texts if wanted < 0 else texts[-wanted:], delimiter)


def format_window(messages: Sequence[Message], turns: int, lookback: int, delimiter: str | None = None) -> str:
    """`RecentMemorySummarizerTool` without a discussion: the stateless window."""
    return _join(list_window(messages, turns, lookback), delimiter)


def list_window(messages: Sequence[Message], turns: int, lookback: int = 0) -> list[str]:
    """The stateless window: the selected messages but the last, packed, blank texts dropped (memory.md §20.2)."""
    end = len(messages) - lookback
    selected = messages[max(0, end - turns) : max(0, end)]
    if len(messages) <= 1 or not selected:
        return [NOTHING_TO_GRAB]
    chunks = pack_messages(selected[:-1], WINDOW_CHUNK_SIZE)
    return remove_role_labels(chunk.text for chunk in chunks if chunk.text.strip())


def format_all_memories(texts: Sequence[str], delimiter: str = CHUNK_BREAK) -> str:
    """`GetCurrentMemoryFromFile`: all texts."""
    return delimiter.join(texts) if texts else NO_MEMORIES


def format_summary(summary: Sequence[Entry]) -> str:
    """`GetCurrentSummaryFromFile`: the text of the first element."""
    return summary[0].text if summary else NO_SUMMARY_YET


def format_unsummarised(summary: Sequence[Entry], memories: Sequence[Entry]) -> str:
    """`ChatSummaryMemoryGatheringTool` with a discussion: what the summary does not contain yet."""
    return SUMMARY_SEPARATOR.join(entry.text for entry in list_unsummarised(summary, memories))


def format_gathered_window(messages: Sequence[Message], turns: int) -> str:
    """`ChatSummaryMemoryGatheringTool` without a discussion."""
    return SUMMARY_SEPARATOR.join(list_window(messages, turns))


def _join(texts: Sequence[str], delimiter: str | None) -> str:
    joined = CHUNK_BREAK.join(texts)
    return joined if delimiter is None else joined.replace(CHUNK_BREAK, delimiter)
