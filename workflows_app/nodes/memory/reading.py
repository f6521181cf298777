"""Nodes that give what is remembered (workflows.md §10.19)."""

from __future__ import annotations

from datetime import UTC

from memory.engine.readers import NO_MEMORIES
from memory.queries import retrieval
from workflows_app.engine.node import NodeContext, NodeHandler, Steps, at_once
from workflows_app.nodes.memory.config import (
    find_embedder,
    read_count,
    read_delimiter,
    read_keyword_request,
    read_recall_request,
    read_recent_request,
)
from workflows_app.nodes.memory.sessions import files_of, messages_of, run_tool_workflow

NO_KEYWORDS = "No keywords specified in Keyword Search node"


def recent_memory_summarizer_tool(context: NodeContext) -> str:
    """The newest memories, or blocks of recent messages without a discussion."""
    request = read_recent_request(context)
    return retrieval.get_recent_memories(files_of(context), messages_of(context), request)


def chat_summary_memory_gathering_tool(context: NodeContext) -> str:
    """The memories that the summary does not contain yet."""
    turns = read_count(context, "maxTurnsToPull")
    return retrieval.get_unsummarised_memories(files_of(context), messages_of(context), turns)


def get_current_memory_from_file(context: NodeContext) -> str:
    """All memories."""
    return retrieval.get_all_memories(files_of(context), read_delimiter(context))


def get_current_summary_from_file(context: NodeContext) -> str:
    """The rolling summary."""
    return retrieval.get_current_summary(files_of(context))


def get_current_state_document(context: NodeContext) -> str:
    """The state document."""
    return retrieval.get_current_state_document(files_of(context))


def vector_memory_search(context: NodeContext) -> str:
    """The vector memories that fit best."""
    embedder = find_embedder(context, str(context.node.get("embeddingEndpointName") or ""))
    return retrieval.search_vector_memories(
        files_of(context),
        read_recall_request(context, embedder),
        now=context.run.now().astimezone(UTC),
        embedder=embedder,
        with_dates=bool(context.node.get("includeDates")),
    )


def keyword_search(context: NodeContext) -> str:
    """What the keywords find in the conversation or the memories; a node without keywords says so."""
    if context.node.get("keywords") is None:
        return NO_KEYWORDS
    return retrieval.search_by_keywords(files_of(context), messages_of(context), read_keyword_request(context))


def conversation_memory(context: NodeContext) -> Steps:
    """The result of the user's `conversationMemoryToolWorkflow`."""
    if not context.run.discussion_id:
        return NO_MEMORIES
    result = yield from run_tool_workflow(context, "conversationMemoryToolWorkflow")
    return result


READERS: dict[str, NodeHandler] = {
    "RecentMemorySummarizerTool": at_once(recent_memory_summarizer_tool),
    "ChatSummaryMemoryGatheringTool": at_once(chat_summary_memory_gathering_tool),
    "GetCurrentMemoryFromFile": at_once(get_current_memory_from_file),
    "GetCurrentSummaryFromFile": at_once(get_current_summary_from_file),
    "GetCurrentStateDocument": at_once(get_current_state_document),
    "VectorMemorySearch": at_once(vector_memory_search),
    "ConversationMemory": conversation_memory,
    "MemoryKeywordSearchPerformerTool": at_once(keyword_search),
    "ConversationalKeywordSearchPerformerTool": at_once(keyword_search),
}
