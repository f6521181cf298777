"""The known node types, by family (workflows.md §10.1)."""

from __future__ import annotations

from typing import Final

FAMILIES: Final[dict[str, tuple[str, ...]]] = {
    "model": ("Standard",),
    "flow": ("CustomWorkflow", "ConditionalCustomWorkflow", "ConversationChunkProcessor", "WorkflowLock"),
    "text": (
        "StaticResponse",
        "StringConcatenator",
        "Conditional",
        "ArithmeticProcessor",
        "JsonExtractor",
        "TagTextExtractor",
        "DelimitedChunker",
    ),
    "files and outside": (
        "GetCustomFile",
        "SaveCustomFile",
        "PythonModule",
        "WebFetch",
        "CurlCommand",
        "MCPToolCall",
    ),
    "pictures": ("ImageProcessor",),
    "knowledge": (
        "OfflineWikiApiFullArticle",
        "OfflineWikiApiBestFullArticle",
        "OfflineWikiApiTopNFullArticles",
        "OfflineWikiApiPartialArticle",
        "OfflineResearcherApiQuickSearch",
        "OfflineResearcherApiDeepResearch",
    ),
    "memory, write": (
        "QualityMemory",
        "RecentMemory",
        "FullChatSummary",
        "chatSummarySummarizer",
        "WriteCurrentSummaryToFileAndReturnIt",
        "SlowButQualityRAG",
        "ContextCompactor",
    ),
    "memory, read": (
        "RecentMemorySummarizerTool",
        "ChatSummaryMemoryGatheringTool",
        "GetCurrentMemoryFromFile",
        "GetCurrentSummaryFromFile",
        "GetCurrentStateDocument",
        "VectorMemorySearch",
        "ConversationMemory",
        "MemoryKeywordSearchPerformerTool",
        "ConversationalKeywordSearchPerformerTool",
    ),
}

NODE_TYPES: Final[frozenset[str]] = frozenset(name for names in FAMILIES.values() for name in names)
"""All names; letter case counts."""
