"""Settings of the memory nodes: their properties, and the files that the user's config names (workflows.md §10.19)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from memory.engine.compaction import CompactorSettings
from memory.engine.memory_settings import MemorySettings
from memory.engine.model_calls import Embedder
from memory.queries.retrieval import KeywordRequest, RecallRequest, RecentMemoryRequest
from memory.services.notes import AttemptLog, InMemoryAttemptLog
from workflows_app.engine.node import NodeContext
from workflows_app.engine.run import Run
from workflows_app.errors import NodeFailedError
from workflows_app.llm.embeddings import EndpointEmbedder
from workflows_app.types import Target


@dataclass(frozen=True, slots=True)
class MemoryTools:
    """What memory nodes need beside the discussion; a run may be given its own as a facility."""

    log: AttemptLog = field(default_factory=InMemoryAttemptLog)
    """What did not work in earlier runs and where they left off."""
    build_embedder: Callable[[Target], Embedder] = EndpointEmbedder
    """The embedder of an endpoint."""


def tools_of(run: Run) -> MemoryTools:
    """The tools a run was given, else ones that forget when the run ends."""
    given = run.facilities.get(MemoryTools)
    return given if isinstance(given, MemoryTools) else MemoryTools()


def read_memory_settings(context: NodeContext) -> MemorySettings:
    """The document that the user's `discussionIdMemoryFileWorkflowSettings` names. Raises what reading it raises."""
    return MemorySettings(context.run.configs.read_settings(_named(context, "discussionIdMemoryFileWorkflowSettings")))


def find_compactor_settings(context: NodeContext) -> CompactorSettings | None:
    """The document that the user's `contextCompactorSettingsFile` names; None when it names none."""
    name = context.run.configs.user.get("contextCompactorSettingsFile")
    return CompactorSettings(context.run.configs.read_settings(str(name))) if name else None


def find_embedder(context: NodeContext, endpoint: str) -> Embedder | None:
    """The embedder of an endpoint by name; None without a name."""
    return tools_of(context.run).build_embedder(context.run.configs.read_target(endpoint)) if endpoint else None


def read_tool_workflow(context: NodeContext, key: str) -> str:
    """The workflow that the user's config names for this kind of node. Raises NodeFailedError when it names none."""
    return _named(context, key)


def read_recent_request(context: NodeContext) -> RecentMemoryRequest:
    """Raises NodeFailedError without the two properties that must be there."""
    return RecentMemoryRequest(
        read_count(context, "maxTurnsToPull"),
        read_count(context, "maxSummaryChunksFromFile"),
        read_count(context, "lookbackStart", 0),
        read_delimiter(context),
    )


def read_keyword_request(context: NodeContext) -> KeywordRequest:
    """The properties of the two keyword nodes."""
    return KeywordRequest(
        keywords=context.text("keywords"),
        target=str(context.node.get("searchTarget", "CurrentConversation")),
        lookback=read_count(context, "lookbackStartTurn", 0),
        counts_system=not context.target.takes_single_prompt,
    )


def read_recall_request(context: NodeContext, embedder: Embedder | None) -> RecallRequest:
    """The properties of `VectorMemorySearch`."""
    node = context.node
    return RecallRequest(
        keywords=context.text("input"),
        mode=str(node.get("searchMode") or ""),
        limit=read_count(context, "limit", 5),
        weights=node.get("bm25Weights"),
        use_recency=bool(node.get("useRecencyScoring")),
        expand_entities=bool(node.get("useEntityExpansion")),
        semantic_query=context.text("semanticQuery") if node.get("semanticQuery") else None,
        model=embedder.model if embedder else None,
    )


def read_delimiter(context: NodeContext) -> str | None:
    """`customDelimiter` as written; None when absent."""
    value = context.node.get("customDelimiter")
    return None if value is None else str(value)


def read_count(context: NodeContext, key: str, default: int | None = None) -> int:
    """A whole number. Raises NodeFailedError when it is missing without a default, or none."""
    value = context.node.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int):
        raise NodeFailedError(f"{context.node.get('type')} needs {key!r} as a whole number; it is {value!r}.")
    return value


def _named(context: NodeContext, key: str) -> str:
    name = context.run.configs.user.get(key)
    if not name:
        raise NodeFailedError(
            f"{context.node.get('type')} needs `{key}` in the config of the user {context.run.configs.user_name!r}."
        )
    return str(name)
