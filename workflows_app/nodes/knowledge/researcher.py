"""The offline researcher nodes (workflows.md §10.18)."""

from __future__ import annotations

from typing import Any

from workflows_app.engine.node import NodeContext, NodeHandler, at_once
from workflows_app.errors import WebError
from workflows_app.nodes.knowledge.config import ResearchSettings, read_research_settings, read_service
from workflows_app.nodes.knowledge.service_calls import Inquiry, ServiceAnswer, ask_service

PORT = 8890
NOTHING = "No pertinent information was found in the search"


class _ResearchError(Exception):
    """Why there is no answer, in one word for the result."""


def build_handler(*, is_deep: bool) -> NodeHandler:
    """The handler of the quick or the deep node."""

    def run(context: NodeContext) -> str:
        settings = read_research_settings(context, is_deep=is_deep)
        try:
            return _format(_ask(context, settings), settings)
        except _ResearchError as reason:
            return f"I'm sorry, the offline researcher returned an error ({reason}) for '{settings.query}'."

    return at_once(run)


def _ask(context: NodeContext, settings: ResearchSettings) -> dict[str, Any]:
    service = read_service(context, "OfflineResearcher", PORT)
    if not service.is_on:
        raise _ResearchError("offline_researcher_disabled")
    data: dict[str, Any] = {"query": settings.query, "mode": settings.mode}
    if settings.max_iterations is not None:
        data["max_iterations"] = settings.max_iterations
    try:
        answer = ask_service(context, service, Inquiry("/search", data, settings.timeout_seconds, posts=True))
    except WebError as error:
        raise _ResearchError("timeout" if error.extra.get("is_timeout") else "transport_error") from None
    return _read(answer)


def _read(answer: ServiceAnswer) -> dict[str, Any]:
    value = answer.value
    if isinstance(value, dict) and value.get("error"):
        raise _ResearchError(str(value["error"]))
    if answer.status >= 400:
        raise _ResearchError(f"http_{answer.status}")
    if not isinstance(value, dict):
        raise _ResearchError("invalid_json")
    return value


def _format(value: dict[str, Any], settings: ResearchSettings) -> str:
    text = str(value.get("answer") or "").strip()
    if not text:
        return NOTHING
    sources = value.get("sources")
    if not settings.includes_sources or not isinstance(sources, list) or not sources:
        return text
    lines = [f"- {source.get('book', '')} :: {source.get('title', '')}" for source in sources if _is_object(source)]
    return "\n".join([f"{text}\n\nSources:", *lines])


def _is_object(source: Any) -> bool:
    return isinstance(source, dict)
