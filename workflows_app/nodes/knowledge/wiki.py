"""The offline Wikipedia nodes (workflows.md §10.18)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from workflows_app.engine.node import NodeContext, NodeHandler, at_once
from workflows_app.errors import WebError
from workflows_app.nodes.knowledge.config import WIKI_SECONDS, WikiSettings, read_service, read_wiki_settings
from workflows_app.nodes.knowledge.service_calls import Inquiry, ask_service

PORT = 5728
OFF = "No additional information provided"
_NOT_AVAILABLE = "The information may not be available in the offline database."


@dataclass(frozen=True, slots=True)
class Article:
    """One article, or the beginning of one."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Kind:
    """How one of the four node types asks and answers."""

    path: str
    format: Callable[[Sequence[Article]], str]
    off: str = OFF
    none: str = "No article found for '{query}'."
    not_found: str = f"No articles found for '{{query}}'. {_NOT_AVAILABLE}"
    takes_top: bool = False
    is_partial: bool = False


def build_handler(kind: Kind) -> NodeHandler:
    """The handler of one node type."""

    def run(context: NodeContext) -> str:
        settings = read_wiki_settings(context, is_partial=kind.is_partial)
        service = read_service(context, "OfflineWiki", PORT)
        if not service.is_on:
            return kind.off
        try:
            inquiry = Inquiry(kind.path, _build_query(settings, kind), WIKI_SECONDS)
            answer = ask_service(context, service, inquiry)
            if answer.status == 404:
                return kind.not_found.format(query=settings.query)
            found = _read_articles(answer.value) if answer.status < 400 else None
        except WebError:
            found = None
        if found is None:
            return f"I'm sorry, I couldn't find any Wikipedia information about '{settings.query}'."
        return kind.format(found) if found else kind.none.format(query=settings.query)

    return at_once(run)


def _build_query(settings: WikiSettings, kind: Kind) -> dict[str, Any]:
    query = {"prompt": settings.query, "percentile": settings.percentile, "num_results": settings.results}
    return {**query, "num_top_articles": settings.top} if kind.takes_top else query


def _read_articles(value: Any) -> list[Article] | None:
    """The articles of an answer; None when it is something else."""
    items = [value] if isinstance(value, dict) else value
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        return None
    articles = [Article(str(item.get("title") or ""), str(item.get("text") or "")) for item in items]
    return [article for article in articles if article.text]


def _join(articles: Sequence[Article], what: str) -> str:
    return f"\n\n--- END {what} ---\n\n".join(f"Title: {article.title}\n{article.text}" for article in articles)


def _first_text(articles: Sequence[Article]) -> str:
    return articles[0].text


KINDS = {
    "OfflineWikiApiFullArticle": Kind("/articles", _first_text),
    "OfflineWikiApiBestFullArticle": Kind(
        "/top_article",
        _first_text,
        none="No additional information provided about '{query}'",
        not_found=f"No article found for '{{query}}'. {_NOT_AVAILABLE}",
    ),
    "OfflineWikiApiTopNFullArticles": Kind(
        "/top_n_articles",
        lambda articles: _join(articles, "ARTICLE"),
        none="No articles found for '{query}' in the offline database.",
        takes_top=True,
    ),
    "OfflineWikiApiPartialArticle": Kind(
        "/summaries",
        lambda articles: _join(articles, "SUMMARY"),
        off=f"Title: Offline Wiki Disabled\n{OFF}",
        none="No summary found for '{query}'.",
        not_found=f"Title: Not Found\nNo summaries found for '{{query}}'. {_NOT_AVAILABLE}",
        is_partial=True,
    ),
}
