"""Handlers that say what their node was given, and that can give back a recorded output instead of running."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from wilmer_site.lib.errors import WilmerError
from workflows_app.engine.events import AnswerFinished, TokenStreamed
from workflows_app.engine.node import NodeContext, NodeHandler, Steps
from workflows_app.run_results import PromptText, format_output
from workflows_app.services.replay import Replay
from workflows_app.services.run_events import NodePrepared, NodeReplayed

MAX_TEXT = 200_000
"""Characters of a prompt or variable that are recorded; the model gets all of it."""

_NAME = re.compile(r"\{\{?\s*([A-Za-z_]\w*)")
_JINJA_BLOCK = re.compile(r"\{%.*?%\}", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]\w*")
_ALWAYS = ("systemPrompt", "prompt")


def watch_handlers(handlers: Mapping[str, NodeHandler], replay: Replay) -> dict[str, NodeHandler]:
    """The same node types, watched."""
    return {name: _watched(handler, replay) for name, handler in handlers.items()}


def cut_text(text: str, limit: int = MAX_TEXT) -> str:
    """The text, or its beginning and how much was left out."""
    return text if len(text) <= limit else f"{text[:limit]}\n[… {len(text) - limit:,} more characters]"


def _watched(handler: NodeHandler, replay: Replay) -> NodeHandler:
    def run(context: NodeContext) -> Steps:
        recorded = replay.take(context.path)
        if recorded is not None:
            yield NodeReplayed(
                context.path,
                is_pinned=recorded.is_pinned,
                is_edited=recorded.is_edited,
                made_at=recorded.made_at,
                digest=recorded.digest,
                variables=recorded.variables,
            )
            if context.is_streaming:
                yield TokenStreamed(format_output(recorded.output))
                yield AnswerFinished()
            return recorded.output
        yield _prepared(context)
        output = yield from handler(context)
        return output

    return run


def _prepared(context: NodeContext) -> NodePrepared:
    prompts = tuple(_list_prompts(context))
    names = dict.fromkeys(name for prompt in prompts for name in prompt.names)
    return NodePrepared(
        path=context.path,
        endpoint=context.target.name,
        preset=str(context.node.get("preset") or ""),
        prompts=prompts,
        variables={name: _value(context, name) for name in names},
    )


def _list_prompts(context: NodeContext) -> Iterator[PromptText]:
    for key, value in _list_texts("", context.node):
        if key in _ALWAYS or "{" in value:
            yield PromptText(key, cut_text(value), cut_text(_resolve(context, value)), _find_names(context, value))


def _list_texts(key: str, value: Any) -> Iterator[tuple[str, str]]:
    """Every text of a node with its place, such as `strings[2]` or `headers.Accept`; positions are 1-based."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield from _list_texts(f"{key}.{name}" if key else str(name), item)
    elif isinstance(value, list):
        for position, item in enumerate(value, start=1):
            yield from _list_texts(f"{key}[{position}]", item)


def _resolve(context: NodeContext, template: str) -> str:
    """Some properties are no templates at all; those stay as they are."""
    try:
        return context.resolve(template)
    except WilmerError:
        return template


def _find_names(context: NodeContext, template: str) -> tuple[str, ...]:
    found = _NAME.findall(template)
    if context.node.get("jinja2"):
        found += [word for block in _JINJA_BLOCK.findall(template) for word in _WORD.findall(block)]
    known = set(context.variables)
    return tuple(dict.fromkeys(name for name in found if name in known))


def _value(context: NodeContext, name: str) -> str:
    try:
        value: Any = context.variables[name]
    except WilmerError as error:
        return f"[{error.message}]"
    return cut_text(format_output(value))
