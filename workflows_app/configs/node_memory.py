"""Nodes that make or give memories (workflows.md §10.17, §10.19)."""

from __future__ import annotations

from typing import Any

from workflows_app.configs.entries import Templating, entry
from workflows_app.configs.kinds import Reference
from workflows_app.configs.node_base import WORK, ModelNode, NodeModel, StandardNode, TemplateNode

_FULL, _EARLY = Templating.FULL, Templating.EARLY


class QualityMemoryNode(NodeModel):
    """Makes vector or file memories, as the user's memory settings say; gives nothing."""


class RecentMemoryNode(NodeModel):
    """Makes file memories, then gives the result of the user's workflow for recent memories."""


class FullChatSummaryNode(NodeModel):
    """Makes file memories and gives the rolling summary, brought up to date when it is behind."""

    isManualConfig: bool = entry("Only give the stored summary", default=False, group=WORK)


class ChatSummarySummarizerNode(StandardNode):
    """Brings the rolling summary up to date with new memories; prompts hold [CHAT_SUMMARY] and [LATEST_MEMORIES]."""

    loopIfMemoriesExceed: int = entry("Memories a step", default=3, group=WORK, templating=_EARLY, low=1)
    minMemoriesPerSummary: int = entry(
        "Least memories of the last step",
        "Fewer wait for the next time.",
        default=3,
        group=WORK,
        templating=_EARLY,
        low=0,
    )


class WriteCurrentSummaryNode(TemplateNode):
    """Stores a text as the rolling summary."""

    input: str = entry("Summary", group=WORK, templating=_FULL, is_needed=True, is_multiline=True)


class SlowButQualityRagNode(ModelNode):
    """Asks the model about each piece of a text."""

    ragTarget: str = entry("Text", group=WORK, templating=_FULL, is_needed=True, is_multiline=True)
    ragType: str = entry("Kind", group=WORK, is_needed=True)
    chunksPerMemory: int = entry("Chunks of a memory", default=3, group=WORK, templating=_EARLY)


class ContextCompactorNode(NodeModel):
    """Summarises what has become old in this conversation, as the user's compactor settings say."""


class RecentMemorySummarizerToolNode(TemplateNode):
    """Gives the newest file memories, or blocks of recent messages without a discussion."""

    maxTurnsToPull: int = entry("Messages without a discussion", group=WORK, templating=_EARLY, is_needed=True)
    maxSummaryChunksFromFile: int = entry(
        "Memories", "0: three; -1: all.", group=WORK, templating=_EARLY, low=-1, is_needed=True
    )
    lookbackStart: int = entry("Newest messages left alone", default=0, group=WORK, templating=_EARLY, low=0)
    customDelimiter: str = entry("Between memories", default="--ChunkBreak--", group=WORK)


class ChatSummaryMemoryGatheringToolNode(TemplateNode):
    """Gives the memories that the rolling summary does not contain yet."""

    maxTurnsToPull: int = entry("Messages without a discussion", group=WORK, templating=_EARLY, is_needed=True)


class GetCurrentMemoryNode(NodeModel):
    """Gives all file memories."""

    customDelimiter: str = entry("Between memories", default="--ChunkBreak--", group=WORK)


class GetCurrentSummaryNode(NodeModel):
    """Gives the rolling summary."""


class GetCurrentStateDocumentNode(NodeModel):
    """Gives the state document."""


class VectorMemorySearchNode(TemplateNode):
    """Gives the vector memories that fit best."""

    input: str = entry("Keywords", "Separated by semicolons.", group=WORK, templating=_FULL, is_needed=True)
    limit: int = entry("Memories at most", default=5, group=WORK, templating=_EARLY, low=1)
    searchMode: str | None = entry(
        "How to search", default="keyword", group=WORK, choices=("keyword", "semantic", "hybrid")
    )
    semanticQuery: str | None = entry(
        "Text to compare by meaning", "The keywords when empty.", group=WORK, templating=_FULL, is_multiline=True
    )
    embeddingEndpointName: str = entry("Embeddings endpoint", group=WORK, refers_to=Reference.EMBEDDING_ENDPOINT)
    bm25Weights: list[Any] | None = entry(
        "Weights", "Five numbers: title, summary, entities, key phrases, memory text.", group=WORK
    )
    useRecencyScoring: bool = entry("Prefer newer memories", default=False, group=WORK)
    includeDates: bool = entry("Put dates before memories", default=False, group=WORK)
    useEntityExpansion: bool = entry("Search for the names that were found, too", default=False, group=WORK)


class ConversationMemoryNode(NodeModel):
    """Gives the result of the user's workflow for conversation memory."""


class KeywordSearchNode(TemplateNode):
    """Searches the conversation or the memories for keywords."""

    keywords: str = entry("Keywords", group=WORK, templating=_FULL, is_needed=True)
    searchTarget: str = entry(
        "Search in",
        default="CurrentConversation",
        group=WORK,
        choices=("CurrentConversation", "RecentMemories"),
    )
    lookbackStartTurn: int = entry("Newest messages left alone", default=0, group=WORK, templating=_EARLY, low=0)
