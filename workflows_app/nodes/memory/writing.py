"""Nodes that make memories, summaries and compactions (workflows.md §10.17, §10.19)."""

from __future__ import annotations

from memory.engine.prompts import NO_SUMMARY_YET
from memory.engine.readers import NO_DISCUSSION_FOR_MEMORIES
from memory.engine.summary_plan import parse_summary_node
from memory.engine.triggers import WriterPath
from memory.queries.retrieval import DiscussionFiles, get_full_summary
from memory.services.compaction import Compactor, compact_context
from memory.services.creation import create_memories
from memory.services.summaries import SummaryRun, save_summary, update_summary
from workflows_app.engine.node import NodeContext, NodeHandler, Steps, at_once
from workflows_app.errors import NodeFailedError
from workflows_app.nodes.memory.config import find_compactor_settings
from workflows_app.nodes.memory.rag import slow_but_quality_rag
from workflows_app.nodes.memory.sessions import (
    build_report,
    files_of,
    messages_of,
    open_workshop,
    run_tool_workflow,
    with_model,
)


def quality_memory(context: NodeContext) -> Steps:
    """Nothing; makes vector or file memories, as the memory settings say."""
    files = files_of(context)
    if files is not None:
        yield from _create(context, files)
        return None
    if not context.run.configs.user.get("recentMemoryToolWorkflow"):
        return NO_DISCUSSION_FOR_MEMORIES
    result = yield from run_tool_workflow(context, "recentMemoryToolWorkflow")
    return result


def recent_memory(context: NodeContext) -> Steps:
    """The result of `recentMemoryToolWorkflow`, after file memories were made."""
    files = files_of(context)
    if files is not None:
        yield from _create(context, files, WriterPath.FILE)
    result = yield from run_tool_workflow(context, "recentMemoryToolWorkflow")
    return result


def full_chat_summary(context: NodeContext) -> Steps:
    """The summary as text (W22), or what `chatSummaryToolWorkflow` makes of it when it is behind."""
    files = files_of(context)
    is_manual = bool(context.node.get("isManualConfig"))
    if files is not None and not is_manual:
        yield from _create(context, files, WriterPath.FILE)
    summary = get_full_summary(files, is_manual=is_manual)
    if not summary.starts_workflow:
        return summary.text
    result = yield from run_tool_workflow(context, "chatSummaryToolWorkflow")
    return result


def chat_summary_summarizer(context: NodeContext) -> Steps:
    """The summary, brought up to date with the new memories."""
    files = files_of(context)
    if files is None:
        return NO_SUMMARY_YET
    node = parse_summary_node(context.node)
    result = yield from with_model(
        context,
        lambda model: (
            update_summary(
                SummaryRun(
                    files,
                    node,
                    model,
                    resolve=context.resolve,
                    report=build_report(context, model),
                    is_cancelled=context.run.is_cancelled,
                )
            ).text
        ),
    )
    return result


def write_current_summary(context: NodeContext) -> str:
    """The text of `input`, stored as the summary."""
    if context.node.get("input") is None:
        raise NodeFailedError("No 'input' found in config for saving summary.")
    return save_summary(files_of(context), context.text("input"))


def context_compactor(context: NodeContext) -> Steps:
    """Summaries of what has become old in this conversation; empty text while there are none."""
    files, settings = files_of(context), find_compactor_settings(context)
    if files is None or settings is None:
        return ""
    result = yield from with_model(
        context, lambda model: compact_context(Compactor(files, settings, model), messages_of(context)).text
    )
    return result


def _create(context: NodeContext, files: DiscussionFiles, path: WriterPath | None = None) -> Steps:
    if context.run.is_making_memory:
        raise NodeFailedError("A workflow that makes a memory cannot make memories itself; it would wait for itself.")
    context.run.is_making_memory = True
    try:
        result = yield from with_model(
            context,
            lambda model: create_memories(open_workshop(context, files, model), messages_of(context), path=path),
        )
    finally:
        context.run.is_making_memory = False
    return result


WRITERS: dict[str, NodeHandler] = {
    "QualityMemory": quality_memory,
    "RecentMemory": recent_memory,
    "FullChatSummary": full_chat_summary,
    "chatSummarySummarizer": chat_summary_summarizer,
    "WriteCurrentSummaryToFileAndReturnIt": at_once(write_current_summary),
    "SlowButQualityRAG": slow_but_quality_rag,
    "ContextCompactor": context_compactor,
}
