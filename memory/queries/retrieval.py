"""What memory nodes read, as the exact texts they give to a workflow (memory.md §19 to §21).

The developer guide's MemoryService. Every function takes an opened discussion, or None when the request names none.
Reading creates no file (W27); a file that cannot be read counts as having nothing in it, and is reported elsewhere.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.engine import readers
from memory.engine.keyword_search import CHUNK_BREAK, search_conversation, search_memories
from memory.engine.model_calls import Embedder
from memory.engine.prompts import NO_SUMMARY_YET
from memory.engine.ranking import format_result_text
from memory.engine.state_document_guard import format_state_document
from memory.engine.summary_plan import needs_summary_workflow, summary_text
from memory.stores.discussion_files import DiscussionFiles as DiscussionFiles  # for those who may not import stores
from memory.stores.vector_db import VectorDatabase
from memory.stores.vector_recall import RecallRequest as RecallRequest
from memory.stores.vector_recall import recall_memories
from memory.types import Message, VectorMemory
from wilmer_site.lib.errors import WilmerError

logger = logging.getLogger(__name__)

CURRENT_CONVERSATION = "CurrentConversation"
RECENT_MEMORIES = "RecentMemories"


@dataclass(frozen=True, slots=True)
class OpenDiscussion:
    """The discussion that a workflow run belongs to, opened for its nodes."""

    files: DiscussionFiles | None
    """None when the request names no discussion."""


@dataclass(frozen=True, slots=True)
class RecentMemoryRequest:
    """Properties of `RecentMemorySummarizerTool`."""

    max_turns: int
    max_chunks: int
    """0 means 3, -1 means all."""
    lookback: int = 0
    delimiter: str | None = None
    """Replaces every `--ChunkBreak--` of the result; may be empty."""


@dataclass(frozen=True, slots=True)
class FullSummary:
    """What `FullChatSummary` does after the writer ran: give a text, or start its follow-up workflow."""

    starts_workflow: bool
    text: str | None


@dataclass(frozen=True, slots=True)
class KeywordRequest:
    """Properties of the two keyword nodes, with variables resolved."""

    keywords: str
    target: str = CURRENT_CONVERSATION
    lookback: int = 0
    counts_system: bool = True
    """Whether system messages in the middle may name speakers: only for chat endpoints."""


def get_recent_memories(
    files: DiscussionFiles | None, messages: Sequence[Message], request: RecentMemoryRequest
) -> str:
    """`RecentMemorySummarizerTool`: the newest memories, or the stateless window without a discussion."""
    if files is None:
        return readers.format_window(messages, request.max_turns, request.lookback, request.delimiter)
    return readers.format_recent_memories(_texts(files), request.max_chunks, request.delimiter)


def get_all_memories(files: DiscussionFiles | None, delimiter: str | None = None) -> str:
    """`GetCurrentMemoryFromFile`: every memory text."""
    texts = _texts(files) if files else []
    return readers.format_all_memories(texts, CHUNK_BREAK if delimiter is None else delimiter)


def get_current_summary(files: DiscussionFiles | None) -> str:
    """`GetCurrentSummaryFromFile`."""
    return readers.format_summary(files.read_summary().entries) if files else NO_SUMMARY_YET


def get_unsummarised_memories(files: DiscussionFiles | None, messages: Sequence[Message], max_turns: int) -> str:
    """`ChatSummaryMemoryGatheringTool`: what the rolling summary does not contain yet."""
    if files is None:
        return readers.format_gathered_window(messages, max_turns)
    return readers.format_unsummarised(files.read_summary().entries, files.read_memories().entries)


def get_current_state_document(files: DiscussionFiles | None) -> str:
    """`GetCurrentStateDocument`; an encrypted document without its key reads as none (W25)."""
    return format_state_document(files.read_state_document().text if files else "")


def get_full_summary(files: DiscussionFiles | None, *, is_manual: bool = False) -> FullSummary:
    """`FullChatSummary` once the writer ran (or with `isManualConfig`); no text without a discussion (W22)."""
    if files is None:
        return FullSummary(starts_workflow=False, text=None)
    summary = files.read_summary().entries
    if not is_manual and needs_summary_workflow(summary, files.read_memories().entries):
        return FullSummary(starts_workflow=True, text=None)
    return FullSummary(starts_workflow=False, text=summary_text(summary))


def search_by_keywords(files: DiscussionFiles | None, messages: Sequence[Message], request: KeywordRequest) -> str:
    """`ConversationalKeywordSearchPerformerTool` and `MemoryKeywordSearchPerformerTool` (memory.md §21)."""
    if request.target == CURRENT_CONVERSATION:
        return search_conversation(messages, request.keywords, request.lookback, counts_system=request.counts_system)
    if request.target != RECENT_MEMORIES or files is None:
        return ""
    return search_memories(_texts(files), request.keywords, messages, counts_system=request.counts_system)


def search_vector_memories(
    files: DiscussionFiles | None,
    request: RecallRequest,
    *,
    now: datetime,
    embedder: Embedder | None = None,
    with_dates: bool = False,
) -> str:
    """`VectorMemorySearch`: the memory texts, best first. Any error is logged and gives no result (§14.1 rule 8)."""
    if files is None:
        return readers.NO_DISCUSSION_FOR_SEARCH
    found = recall(files, request, now=now, embedder=embedder)
    return format_result_text([(memory.text, memory.date_added) for memory in found], with_dates=with_dates)


def recall(
    files: DiscussionFiles, request: RecallRequest, *, now: datetime, embedder: Embedder | None = None
) -> list[VectorMemory]:
    """The memories that `VectorMemorySearch` would put into words; none if anything fails."""
    try:
        database = VectorDatabase(files.vector_path(), files.ref.discussion_id)
        return recall_memories(database, request, now=now, embed=lambda text: _embed_query(embedder, text))
    except WilmerError as error:
        logger.warning("The vector memories of %s could not be searched: %s", files.ref.text, error.code)
        return []


def _texts(files: DiscussionFiles) -> list[str]:
    return [entry.text for entry in files.read_memories().entries]


def _embed_query(embedder: Embedder | None, text: str) -> list[float] | None:
    """The query's vector; None when the call fails, so that keywords decide."""
    try:
        vectors = embedder.embed([text]) if embedder else None
    except WilmerError as error:
        logger.warning("The query could not be embedded: %s", error.code)
        return None
    return vectors[0] if vectors and vectors[0] else None
