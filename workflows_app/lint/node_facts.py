"""What the rules know of node types beside their fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from workflows_app.lint.workflow import STARTERS, Node

ASKS_MODEL: Final = frozenset({"Standard", "ImageProcessor", "chatSummarySummarizer", "SlowButQualityRAG"})
"""Types that ask the model of their `endpointName`."""
ALWAYS_NULL: Final = frozenset({"WorkflowLock", "QualityMemory"})
"""Types whose output is `null` (`QualityMemory`: with a discussion)."""
HAS_EFFECT: Final = STARTERS | {
    "WorkflowLock",
    "SaveCustomFile",
    "PythonModule",
    "WebFetch",
    "CurlCommand",
    "MCPToolCall",
    "QualityMemory",
    "RecentMemory",
    "FullChatSummary",
    "chatSummarySummarizer",
    "WriteCurrentSummaryToFileAndReturnIt",
    "ContextCompactor",
    "ConversationMemory",
}
"""Types that write, lock, or reach something outside."""
ONE_WORD: Final = frozenset({"Conditional", "ArithmeticProcessor"})
"""Types whose output is a single word or number."""
NEEDS_MEMORY_SETTINGS: Final = frozenset({"QualityMemory", "RecentMemory", "FullChatSummary"})
TOOL_OF: Final = {
    "FullChatSummary": "chatSummaryToolWorkflow",
    "RecentMemory": "recentMemoryToolWorkflow",
    "ConversationMemory": "conversationMemoryToolWorkflow",
}
"""The user's field that a node type needs."""


def has_effect(node: Node) -> bool:
    """Whether a node does something beside giving its output."""
    if node.type == "ImageProcessor":
        return bool(node.values.get("addAsUserMessage") or node.values.get("saveVisionResponsesToDiscussionId"))
    return node.type in HAS_EFFECT


def makes_memories(node: Node) -> bool:
    """Whether a node writes memories, which needs memory settings."""
    return node.type in NEEDS_MEMORY_SETTINGS and not is_manual_summary(node)


def is_manual_summary(node: Node) -> bool:
    """A `FullChatSummary` that only gives what is stored."""
    return node.type == "FullChatSummary" and bool(node.values.get("isManualConfig"))


def find_unshowable(node: Node) -> str:
    """Why the output of a node is nothing a chat can show; empty when it is text."""
    if node.type in ALWAYS_NULL:
        return "gives nothing"
    if node.type == "FullChatSummary":
        return "may give a list, which breaks a streamed answer"
    if node.type == "ImageProcessor":
        return "fails when the answer is streamed"
    if node.type == "ConditionalCustomWorkflow" and node.values.get("UseDefaultContentInsteadOfWorkflow") is not None:
        return "breaks a streamed answer when it gives its default content"
    return ""


def missing_properties(node: Node) -> list[str]:
    """Names of the properties a node needs and does not have."""
    missing = [field.name for field in node.fields.values() if field.is_required and _lacks(node.values, field.name)]
    if node.type == "SaveCustomFile":
        missing += _missing_of_save(node.values)
    return missing


def _lacks(values: Mapping[str, Any], name: str) -> bool:
    value = values.get(name)
    return value is None or value == "" or (name in ("conditionalWorkflows",) and not value)


def _missing_of_save(values: Mapping[str, Any]) -> list[str]:
    mode = values.get("mode") or "overwrite"
    missing = []
    if mode in ("overwrite", "append", "replace") and values.get("content") is None:
        missing.append("content")
    if mode in ("replace", "remove") and not values.get("find"):
        missing.append("find")
    return missing
