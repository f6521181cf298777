"""How far the rolling summary is behind, and which batches a summary run feeds in (memory.md §18, W21)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory.engine.chunk_facts import count_behind
from memory.engine.memory_settings import Target, as_int
from memory.engine.prompts import SUMMARY_SEPARATOR
from memory.types import Entry

DEFAULT_MIN_MEMORIES = 3
DEFAULT_LOOP = 3
DEFAULT_ANSWER_TOKENS = 400
UNNAMED_TARGET = Target("", "", DEFAULT_ANSWER_TOKENS)
NO_SUMMARY_FOUND = "No summary found"

CURRENT_SUMMARY = "[CHAT_SUMMARY]"
LATEST_MEMORIES = "[LATEST_MEMORIES]"


@dataclass(frozen=True, slots=True)
class SummaryNode:
    """The properties of a `chatSummarySummarizer` node that decide how it works."""

    system_prompt: str = ""
    prompt: str = ""
    min_memories: int = DEFAULT_MIN_MEMORIES
    """`minMemoriesPerSummary`: a remainder below it waits."""
    loop_limit: int = DEFAULT_LOOP
    """`loopIfMemoriesExceed`: how many memories one call takes; 0 or less counts as 1 (W21)."""
    target: Target = UNNAMED_TARGET
    """The model of the node."""

    @property
    def uses_memories(self) -> bool:
        """Whether a prompt takes the summary or memories in; otherwise the node is one plain model call."""
        both = self.system_prompt + "\0" + self.prompt
        return CURRENT_SUMMARY in both or LATEST_MEMORIES in both


def parse_summary_node(node: Mapping[str, object]) -> SummaryNode:
    """The node's properties with their defaults."""
    minimum = as_int(node.get("minMemoriesPerSummary"))
    loop = as_int(node.get("loopIfMemoriesExceed"))
    size = as_int(node.get("maxResponseSizeInTokens"))
    target = Target(
        str(node.get("endpointName") or ""),
        str(node.get("preset") or ""),
        DEFAULT_ANSWER_TOKENS if size is None else size,
    )
    return SummaryNode(
        str(node.get("systemPrompt") or ""),
        str(node.get("prompt") or ""),
        DEFAULT_MIN_MEMORIES if minimum is None else minimum,
        DEFAULT_LOOP if loop is None else loop,
        target,
    )


def list_unsummarised(summary: Sequence[Entry], memories: Sequence[Entry]) -> list[Entry]:
    """The memories a summary run would use: the newer ones, or all of them when the link is lost."""
    behind = count_behind(summary, memories)
    if summary and behind >= 0:
        return list(memories[len(memories) - behind :])
    return list(memories)


def list_batches(unsummarised: Sequence[Entry], node: SummaryNode) -> list[tuple[Entry, ...]]:
    """The batches of one run, oldest first; a remainder below the minimum waits for more."""
    limit = max(1, node.loop_limit)
    batches: list[tuple[Entry, ...]] = []
    rest = tuple(unsummarised)
    while len(rest) > limit:
        batches.append(rest[:limit])
        rest = rest[limit:]
    if rest and len(rest) >= node.min_memories:
        batches.append(rest)
    return batches


def build_summary_values(current: str, batch: Sequence[Entry]) -> dict[str, str]:
    """What the placeholders of a summary prompt stand for."""
    return {CURRENT_SUMMARY: current, LATEST_MEMORIES: join_for_summary(batch)}


def join_for_summary(entries: Sequence[Entry]) -> str:
    """Memory texts as a summary prompt shows them."""
    return SUMMARY_SEPARATOR.join(entry.text for entry in entries)


def needs_summary_workflow(summary: Sequence[Entry], memories: Sequence[Entry]) -> bool:
    """Whether `FullChatSummary` starts its follow-up workflow; one memory behind is tolerated (§18.3, W22).

    Never without memories; with one memory and no summary there is nothing to catch up on yet.
    """
    behind = count_behind(summary, memories)
    return bool(memories) and (behind > 1 or behind < 0)


def summary_text(summary: Sequence[Entry]) -> str:
    """The text `FullChatSummary` gives: that of the first entry, or that there is none (W22)."""
    return summary[0].text if summary else NO_SUMMARY_FOUND
