"""Which services are asked, as the user's config and the node say (workflows.md §10.18)."""

from __future__ import annotations

from dataclasses import dataclass

from workflows_app.engine.node import NodeContext
from workflows_app.errors import NodeFailedError

WIKI_SECONDS = 60.0
QUICK_SECONDS, DEEP_SECONDS = 240.0, 600.0


@dataclass(frozen=True, slots=True)
class Service:
    """Where a knowledge service listens, and whether the user wants it."""

    is_on: bool
    host: str
    port: int

    def url(self, path: str) -> str:
        """The address of one of its pages."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}{path}"


@dataclass(frozen=True, slots=True)
class WikiSettings:
    """One offline Wikipedia node."""

    query: str
    percentile: float
    results: int
    top: int


@dataclass(frozen=True, slots=True)
class ResearchSettings:
    """One offline researcher node."""

    query: str
    mode: str
    max_iterations: int | None
    timeout_seconds: float
    includes_sources: bool


def read_service(context: NodeContext, name: str, default_port: int) -> Service:
    """`OfflineWiki` or `OfflineResearcher`, from the user's config."""
    user = context.run.configs.user
    host = str(user.get(f"o{name[1:]}ApiHost") or "127.0.0.1")
    port = user.get(f"o{name[1:]}ApiPort", default_port)
    try:
        return Service(bool(user.get(f"use{name}Api")), host, int(port))
    except (TypeError, ValueError):
        raise NodeFailedError(f"The user's `o{name[1:]}ApiPort` is no port: {port!r}.") from None


def read_wiki_settings(context: NodeContext, *, is_partial: bool) -> WikiSettings:
    """Raises NodeFailedError without `promptToSearch`."""
    node = context.node
    return WikiSettings(
        _read_query(context, "OfflineWikiApi"),
        node.get("percentile", 0.5),
        node.get("num_results", 1 if is_partial else 10),
        node.get("top_n_articles", 3),
    )


def read_research_settings(context: NodeContext, *, is_deep: bool) -> ResearchSettings:
    """Raises NodeFailedError without `promptToSearch`, or for limits that are no numbers."""
    node = context.node
    default = DEEP_SECONDS if is_deep else QUICK_SECONDS
    query = _read_query(context, "OfflineResearcherApi")
    try:
        iterations = node.get("maxIterations")
        return ResearchSettings(
            query,
            "deep" if is_deep else "quick",
            None if iterations is None else int(iterations),
            float(node.get("timeoutSeconds") or default),
            bool(node.get("includeSources")),
        )
    except (TypeError, ValueError, OverflowError):
        raise NodeFailedError("`maxIterations` and `timeoutSeconds` must be numbers.") from None


def _read_query(context: NodeContext, what: str) -> str:
    if context.node.get("promptToSearch") is None:
        raise NodeFailedError(f"No 'promptToSearch' specified for {what} node.")
    return context.resolve(str(context.node["promptToSearch"]))
