"""What the editor shows beside a node: its variables with values, its tokens, and what a memory node gives now."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from memory.engine.braces import to_plain_braces
from memory.engine.tokens import estimate_tokens
from wilmer_site.lib.errors import WilmerError
from workflows_app.engine import conversation
from workflows_app.engine.dates import build_date_variables
from workflows_app.engine.templates import resolve_template
from workflows_app.engine.variables import NodeVariables
from workflows_app.engine.workflow_edits import Outline
from workflows_app.nodes.memory.reading import READERS
from workflows_app.queries.node_bench import Bench, build_context, build_scope, find_target, prepare_node

EXCERPT = 240
MAX_READ = 20
"""Memory readers that are asked for the values of one node's variables."""
_OUTPUT = re.compile(r"\bagent\d+Output\b")
_RUNS_A_WORKFLOW = "ConversationMemory"
READING_TYPES = frozenset(READERS) - {_RUNS_A_WORKFLOW}
"""Node types whose output can be shown without running anything."""


@dataclass(frozen=True, slots=True)
class ScopeVariable:
    """A name that templates of a node may have."""

    name: str
    value: str
    """The beginning of its value; empty where it is not known."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class ScopeGroup:
    """Variables of one origin."""

    title: str
    variables: tuple[ScopeVariable, ...]


@dataclass(frozen=True, slots=True)
class TokenBudget:
    """What a node's call takes of its endpoint's context, in estimated tokens."""

    system: int
    prompt: int
    response: int
    window: int
    """The endpoint's context size; 0 when it says none."""
    source: str
    """What `prompt` counts: `prompt` or `conversation`."""
    problem: str = ""
    """Why a template could not be filled in."""

    @property
    def total(self) -> int:
        """Everything together."""
        return self.system + self.prompt + self.response

    @property
    def is_over(self) -> bool:
        """Whether it does not fit."""
        return bool(self.window) and self.total > self.window


@dataclass(frozen=True, slots=True)
class Returned:
    """What a memory node would give now."""

    text: str
    tokens: int
    problem: str = ""


def list_scope(bench: Bench, outline: Outline, position: int) -> tuple[ScopeGroup, ...]:
    """The variables that a node sees, by origin, with the beginnings of their values."""
    scope = build_scope(bench, outline, position)
    node = prepare_node(outline.nodes[position], scope)
    values = NodeVariables(scope, node, find_target(bench, node))
    wide = scope.user.get("userWideWorkflowVariables")
    talk = sorted(name for name in values if "_prompt" in name and name.startswith(("chat_", "templated_")))
    groups = (
        ("Outputs of earlier nodes", _outputs(bench, outline, position)),
        ("Inputs from the caller", _inputs(scope.inputs)),
        ("Variables of this workflow", _plain(values, outline.variables)),
        ("The user's variables", _plain(values, wide if isinstance(wide, dict) else {})),
        ("Conversation", _plain(values, talk)),
        ("Request", _plain(values, ("Discussion_Id", "time_context_summary"))),
        ("Dates", _plain(values, build_date_variables(scope.now))),
    )
    return tuple(ScopeGroup(title, variables) for title, variables in groups if variables)


def measure(bench: Bench, outline: Outline, position: int) -> TokenBudget | None:
    """The tokens of a node that asks a model; None for one that names no endpoint."""
    raw = outline.nodes[position]
    if not isinstance(raw, dict) or "endpointName" not in raw:
        return None
    scope = build_scope(bench, outline, position)
    node = prepare_node(raw, scope)
    target = find_target(bench, node)
    variables = NodeVariables(scope, node, target)
    system, first = _fill(node, "systemPrompt", variables)
    prompt, second = _fill(node, "prompt", variables)
    sent = prompt or "\n".join(_sent_messages(bench, node))
    return TokenBudget(
        system=estimate_tokens(system) if system else 0,
        prompt=estimate_tokens(sent) if sent else 0,
        response=_number(node.get("maxResponseSizeInTokens"), 400),
        window=_number(target.endpoint.get("maxContextTokenSize"), 0),
        source="prompt" if prompt else "conversation",
        problem=first or second,
    )


def read_returned(bench: Bench, outline: Outline, position: int) -> Returned:
    """The output of a node that reads memory, made as the node makes it."""
    node = outline.nodes[position]
    kind = str(node.get("type")) if isinstance(node, dict) else ""
    if kind not in READING_TYPES:
        return Returned("", 0, "This type runs a workflow or writes memory; a dry run shows what it gives.")
    try:
        steps = READERS[kind](build_context(bench, outline, position))
        text = to_plain_braces(str(_exhaust(steps)))
    except WilmerError as error:
        return Returned("", 0, error.message)
    return Returned(text, estimate_tokens(text) if text else 0)


def read_memory_outputs(bench: Bench, outline: Outline, position: int) -> dict[str, str]:
    """What the memory readers before a node give for the chosen discussion now, by the names of their outputs."""
    if bench.ref is None:
        return {}
    found: dict[str, str] = {}
    for at, node in enumerate(outline.nodes[:position]):
        known = {**bench.outputs, **found}
        if len(found) < MAX_READ and _can_read_now(node, known):
            returned = read_returned(replace(bench, outputs=known), outline, at)
            if not returned.problem:
                found[f"agent{at + 1}Output"] = returned.text
    return found


def _exhaust(steps: Any) -> Any:
    try:
        while True:
            next(steps)
    except StopIteration as stop:
        return stop.value


def _outputs(bench: Bench, outline: Outline, position: int) -> tuple[ScopeVariable, ...]:
    now = read_memory_outputs(bench, outline, position)
    found = []
    for number, node in enumerate(outline.nodes[:position], start=1):
        name = f"agent{number}Output"
        title = str(node.get("title") or node.get("type") or "Standard") if isinstance(node, Mapping) else ""
        value = now.get(name, bench.outputs.get(name, ""))
        if name in now:
            source = ", as the discussion is now" if value else ", empty in this discussion"
        else:
            source = f", from run {bench.run_id}" if value else ""
        found.append(ScopeVariable(name, _excerpt(value), title + source))
    return tuple(reversed(found))


def _can_read_now(node: Any, known: Mapping[str, str]) -> bool:
    """Whether a node reads memory, without asking a server, and every output it names is known."""
    if not isinstance(node, Mapping) or node.get("type") not in READING_TYPES or node.get("embeddingEndpointName"):
        return False
    return all(name in known for name in _OUTPUT.findall(json.dumps(node)))


_INPUT_NOTES = (
    "What the caller hands over first; for a memory workflow the chunk of messages.",
    "Second; for a file memory workflow the newest memories.",
    "Third; for a file memory workflow all memories.",
    "Fourth; for a file memory workflow the rolling summary.",
)


def _inputs(inputs: Mapping[str, Any]) -> tuple[ScopeVariable, ...]:
    names = [f"agent{number}Input" for number in range(1, len(_INPUT_NOTES) + 1)]
    return tuple(
        ScopeVariable(name, _excerpt(str(inputs.get(name, ""))), note)
        for name, note in zip(names, _INPUT_NOTES, strict=True)
    )


def _plain(values: Mapping[str, Any], names: Iterable[str]) -> tuple[ScopeVariable, ...]:
    return tuple(ScopeVariable(name, _value_of(values, name)) for name in names if name in values)


def _value_of(values: Mapping[str, Any], name: str) -> str:
    try:
        return _excerpt(str(values[name]))
    except WilmerError:
        return ""


def _excerpt(text: str) -> str:
    plain = to_plain_braces(text[: EXCERPT * 4])
    return plain if len(plain) <= EXCERPT else f"{plain[:EXCERPT]}…"


def _fill(node: Mapping[str, Any], key: str, variables: NodeVariables) -> tuple[str, str]:
    """A template filled in as far as it can be, and why not further."""
    template = node.get(key)
    if not isinstance(template, str) or not template:
        return "", ""
    try:
        return resolve_template(template, variables, jinja2_mode=bool(node.get("jinja2"))), ""
    except WilmerError as error:
        return template, error.message


def _sent_messages(bench: Bench, node: Mapping[str, Any]) -> list[str]:
    count = _number(node.get("lastMessagesToSendInsteadOfPrompt"), 5)
    sent = conversation.drop_leading_system(bench.messages)[-count:] if count else ()
    return [conversation.text_of(message) for message in sent]


def _number(value: Any, default: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else default
