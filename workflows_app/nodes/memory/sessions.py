"""Memory services run from a node: what they ask models is told as the node's own events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memory.queries.retrieval import DiscussionFiles, OpenDiscussion
from memory.services.workshop import Progress, Workshop
from memory.types import Message
from wilmer_site.lib.errors import WilmerError
from workflows_app.engine.events import MemoryProgressed, RunEvent
from workflows_app.engine.message_times import as_memory_message
from workflows_app.engine.node import ChildCall, NodeContext, Steps
from workflows_app.llm.memory_model import MemoryModel, build_node_model
from workflows_app.nodes.memory.config import find_embedder, read_memory_settings, read_tool_workflow, tools_of


def files_of(context: NodeContext) -> DiscussionFiles | None:
    """The discussion of the request; None when it names none."""
    if not context.run.discussion_id:
        return None
    return context.run.facility(OpenDiscussion).files


def messages_of(context: NodeContext) -> list[Message]:
    """The conversation as the memory layer sees it."""
    return [as_memory_message(message) for message in context.conversation]


def with_model(context: NodeContext, work: Callable[[MemoryModel], Any]) -> Steps:
    """The result of `work`, which may ask models and run workflows.

    What happens meanwhile is told at once where the run has an ear for it, else afterwards.
    """
    told: list[RunEvent] = []
    try:
        result = work(build_node_model(context, context.run.tell or told.append))
    except WilmerError:
        yield from told
        raise
    yield from told
    return result


def open_workshop(context: NodeContext, files: DiscussionFiles, model: MemoryModel) -> Workshop:
    """The workshop of the request's discussion. Raises what reading the memory settings raises."""
    settings = read_memory_settings(context)
    return Workshop(
        files=files,
        settings=settings,
        model=model,
        log=tools_of(context.run).log,
        embedder=find_embedder(context, settings.text("embeddingEndpointName")),
        resolve=context.resolve,
        report=build_report(context, model),
        is_cancelled=context.run.is_cancelled,
    )


def build_report(context: NodeContext, model: MemoryModel) -> Callable[[Progress], None]:
    """Tells the steps of memory work as events of the node."""

    def report(progress: Progress) -> None:
        model.tell(MemoryProgressed(context.path, progress.step, progress.done, progress.total, progress.detail))

    return report


def run_tool_workflow(context: NodeContext, key: str) -> Steps:
    """The result of the workflow that the user's config names under `key`."""
    result = yield from context.start_child(ChildCall(read_tool_workflow(context, key)))
    return result
