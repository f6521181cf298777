"""The model of each node type."""

from __future__ import annotations

from typing import Final

from workflows_app.configs import node_flow as flow
from workflows_app.configs import node_memory as memory
from workflows_app.configs import node_outside as outside
from workflows_app.configs.node_base import ImageProcessorNode, NodeModel, StandardNode

NODE_MODELS: Final[dict[str, type[NodeModel]]] = {
    "Standard": StandardNode,
    "CustomWorkflow": flow.CustomWorkflowNode,
    "ConditionalCustomWorkflow": flow.ConditionalCustomWorkflowNode,
    "ConversationChunkProcessor": flow.ConversationChunkProcessorNode,
    "WorkflowLock": flow.WorkflowLockNode,
    "StaticResponse": outside.StaticResponseNode,
    "StringConcatenator": outside.StringConcatenatorNode,
    "Conditional": outside.ConditionalNode,
    "ArithmeticProcessor": outside.ArithmeticProcessorNode,
    "JsonExtractor": outside.JsonExtractorNode,
    "TagTextExtractor": outside.TagTextExtractorNode,
    "DelimitedChunker": outside.DelimitedChunkerNode,
    "GetCustomFile": outside.GetCustomFileNode,
    "SaveCustomFile": outside.SaveCustomFileNode,
    "PythonModule": outside.PythonModuleNode,
    "WebFetch": outside.WebFetchNode,
    "CurlCommand": outside.CurlCommandNode,
    "MCPToolCall": outside.McpToolCallNode,
    "ImageProcessor": ImageProcessorNode,
    "OfflineWikiApiFullArticle": flow.WikiNode,
    "OfflineWikiApiBestFullArticle": flow.WikiNode,
    "OfflineWikiApiTopNFullArticles": flow.WikiNode,
    "OfflineWikiApiPartialArticle": flow.WikiNode,
    "OfflineResearcherApiQuickSearch": flow.ResearcherNode,
    "OfflineResearcherApiDeepResearch": flow.ResearcherNode,
    "QualityMemory": memory.QualityMemoryNode,
    "RecentMemory": memory.RecentMemoryNode,
    "FullChatSummary": memory.FullChatSummaryNode,
    "chatSummarySummarizer": memory.ChatSummarySummarizerNode,
    "WriteCurrentSummaryToFileAndReturnIt": memory.WriteCurrentSummaryNode,
    "SlowButQualityRAG": memory.SlowButQualityRagNode,
    "ContextCompactor": memory.ContextCompactorNode,
    "RecentMemorySummarizerTool": memory.RecentMemorySummarizerToolNode,
    "ChatSummaryMemoryGatheringTool": memory.ChatSummaryMemoryGatheringToolNode,
    "GetCurrentMemoryFromFile": memory.GetCurrentMemoryNode,
    "GetCurrentSummaryFromFile": memory.GetCurrentSummaryNode,
    "GetCurrentStateDocument": memory.GetCurrentStateDocumentNode,
    "VectorMemorySearch": memory.VectorMemorySearchNode,
    "ConversationMemory": memory.ConversationMemoryNode,
    "MemoryKeywordSearchPerformerTool": memory.KeywordSearchNode,
    "ConversationalKeywordSearchPerformerTool": memory.KeywordSearchNode,
}
