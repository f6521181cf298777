"""Nodes that start workflows or hold locks, and the knowledge services (workflows.md §5, §10.11, §10.18)."""

from __future__ import annotations

from typing import Any

from workflows_app.configs.entries import Templating, entry
from workflows_app.configs.kinds import Reference
from workflows_app.configs.node_base import WORK, NodeModel, TemplateNode

_FULL, _EARLY = Templating.FULL, Templating.EARLY


class ChildNode(TemplateNode):
    """A node that starts another workflow."""

    workflowUserFolderOverride: str = entry(
        "Folder",
        "Instead of the user's workflow folder; holds for this one workflow only.",
        default="",
        group=WORK,
        refers_to=Reference.WORKFLOW_FOLDER,
    )
    scoped_variables: list[Any] | None = entry(
        "Inputs", "Become {agent1Input}, {agent2Input} and so on.", default=[], group=WORK, templating=_FULL
    )


class CustomWorkflowNode(ChildNode):
    """Runs another workflow."""

    workflowName: str = entry("Workflow", group=WORK, refers_to=Reference.WORKFLOW, is_needed=True)
    firstNodeSystemPromptOverride: str | None = entry(
        "System prompt of its first node", group=WORK, templating=_FULL, is_multiline=True
    )
    firstNodePromptOverride: str | None = entry(
        "Prompt of its first node", group=WORK, templating=_FULL, is_multiline=True
    )
    systemPromptOverride: str | None = entry(
        "System prompt of its first node (older name)", group=WORK, templating=_FULL, is_multiline=True
    )
    promptOverride: str | None = entry(
        "Prompt of its first node (older name)", group=WORK, templating=_FULL, is_multiline=True
    )


class ConditionalCustomWorkflowNode(ChildNode):
    """Runs the workflow that stands for a key."""

    conditionalKey: str = entry("Key", group=WORK, templating=_FULL, is_needed=True)
    conditionalWorkflows: dict[str, Any] = entry(
        "Workflows", "Key → workflow; default stands for every other key.", group=WORK, is_needed=True
    )
    UseDefaultContentInsteadOfWorkflow: str | None = entry(
        "Text instead of a default workflow", group=WORK, templating=_FULL, is_multiline=True
    )
    routeOverrides: dict[str, Any] = entry(
        "Prompts of the first node, by key", "The entry of the key that was found.", default={}, group=WORK
    )


class ConversationChunkProcessorNode(TemplateNode):
    """Runs a workflow for every block of conversation it has not seen yet."""

    id: str = entry("Id", "Letters, digits, dot, minus and underscore.", group=WORK, is_needed=True, is_coerced=True)
    workflowName: str = entry("Workflow", group=WORK, refers_to=Reference.WORKFLOW, is_needed=True)
    cursorDirectory: str = entry(
        "Folder that keeps its place", group=WORK, templating=_FULL, is_needed=True, refers_to=Reference.PATH
    )
    chunkSize: int = entry("Messages of a block", default=10, group=WORK, low=1, is_strict=True)
    lookbackMessages: int = entry("Newest messages left alone", default=4, group=WORK, low=0, is_strict=True)
    scoped_variables: list[Any] | None = entry(
        "Inputs",
        "Become {agent2Input} and so on; {agent1Input} is the block.",
        default=[],
        group=WORK,
        templating=_FULL,
    )
    returnFile: str = entry("File that is the result", group=WORK, templating=_FULL, refers_to=Reference.PATH)


class WorkflowLockNode(NodeModel):
    """Takes a named lock, or ends the whole request when it is taken."""

    workflowLockId: str = entry("Lock", "No variables here.", group=WORK, is_needed=True, is_coerced=True)


class WikiNode(TemplateNode):
    """Looks something up in offline Wikipedia."""

    promptToSearch: str = entry(
        "Search for", group=WORK, templating=_FULL, is_needed=True, is_coerced=True, is_multiline=True
    )
    percentile: float = entry("Percentile", default=0.5, group=WORK, templating=_EARLY, low=0, high=1)
    num_results: int = entry("Results", default=10, group=WORK, templating=_EARLY, low=1)
    top_n_articles: int = entry("Articles", default=3, group=WORK, templating=_EARLY)


class ResearcherNode(TemplateNode):
    """Asks the offline researcher."""

    promptToSearch: str = entry(
        "Search for", group=WORK, templating=_FULL, is_needed=True, is_coerced=True, is_multiline=True
    )
    maxIterations: int | None = entry("Rounds at most", group=WORK, low=1)
    timeoutSeconds: float = entry("Seconds", "240 for a quick search, 600 for deep research.", group=WORK)
    includeSources: bool = entry("Add the sources", default=False, group=WORK)
