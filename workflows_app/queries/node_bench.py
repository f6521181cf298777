"""A node of a text that is being edited, as it would stand in a run on a chosen discussion. Nothing is written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from memory import wiring as memory_wiring
from memory.queries.retrieval import OpenDiscussion
from memory.queries.transcripts import find_transcript
from memory.results import ApiKeys
from memory.types import DiscussionRef
from wilmer_site.lib.clock import local_now
from wilmer_site.lib.errors import WilmerError
from workflows_app import wiring
from workflows_app.engine.coercion import coerce_numbers
from workflows_app.engine.gateway import prepare_messages
from workflows_app.engine.node import NodeContext
from workflows_app.engine.run import Run
from workflows_app.engine.templates import resolve_early
from workflows_app.engine.variables import NodeVariables, VariableScope, build_early_variables
from workflows_app.engine.workflow_edits import Outline
from workflows_app.models import NodeRun
from workflows_app.queries.example_inputs import build_example_inputs
from workflows_app.results import NodeState
from workflows_app.stores.config_files import ConfigFiles
from workflows_app.types import ChatMessage, LazyObject, Target

_PREPARING = ("chatCompleteAddUserAssistant", "chatCompletionAddMissingAssistantGenerator", "livenessToolCall")
"""What of a user's config decides how messages come in (workflows.md §13.3)."""


@dataclass(frozen=True, slots=True)
class BenchRequest:
    """For whom and on what a node is looked at."""

    path: str
    """The file below `Configs`, with `.json`."""
    user: str
    discussion: str = ""
    """`DiscussionRef.text`; empty for none."""
    keys: ApiKeys = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Bench:
    """What there is to look at a node with."""

    request: BenchRequest
    configs: ConfigFiles
    messages: list[ChatMessage]
    ref: DiscussionRef | None
    outputs: Mapping[str, str]
    """Outputs of this workflow's nodes in its newest run that made them."""
    run_id: int = 0
    """The run they are from; 0 for none."""
    inputs: Mapping[str, str] = field(default_factory=dict)
    """What a memory workflow would be given for this discussion, as an example."""


def open_bench(request: BenchRequest) -> Bench:
    """Read the conversation and the newest outputs. Raises what opening the user's config raises."""
    configs = wiring.open_configs(request.user)
    ref = DiscussionRef.parse(request.discussion) if request.discussion else None
    messages = _find_messages(ref, _user_of(configs)) if ref else []
    run_id, outputs = _newest_outputs(request.path)
    inputs = build_example_inputs(ref, messages, request.keys) if ref and messages else {}
    return Bench(request, configs, messages, ref, outputs, run_id, inputs)


def build_scope(bench: Bench, outline: Outline, position: int) -> VariableScope:
    """What the templates of a node see; inputs are what a memory workflow would be given, as far as that is known."""
    template = _user_of(bench.configs).get("chatPromptTemplateName")
    names = {f"agent{number}Output" for number in range(1, position + 1)}
    return VariableScope(
        now=local_now(),
        messages=bench.messages,
        user=_user_of(bench.configs),
        chat_template=LazyObject(lambda: bench.configs.read_prompt_template(str(template))) if template else {},
        custom=outline.variables,
        outputs={name: bench.outputs.get(name, f"({name})") for name in names},
        inputs=dict(bench.inputs),
        discussion_id=bench.ref.discussion_id if bench.ref else None,
    )


def build_context(bench: Bench, outline: Outline, position: int) -> NodeContext:
    """The node about to run. Raises what its endpoint raises."""
    scope = build_scope(bench, outline, position)
    node = prepare_node(outline.nodes[position], scope)
    target = find_target(bench, node)
    run = Run(
        configs=bench.configs,
        locks=wiring.build_locks(bench.configs, None),
        messages=bench.messages,
        now=local_now,
        discussion_id=scope.discussion_id,
        facilities=_facilities(bench),
    )
    variables = NodeVariables(scope, node, target)
    return NodeContext(node, variables, target, run, scope, conversation=bench.messages)


def prepare_node(node: Any, scope: VariableScope) -> dict[str, Any]:
    """The node with its numbers as numbers, endpoint and preset resolved."""
    early = build_early_variables(scope)
    prepared = coerce_numbers(node if isinstance(node, dict) else {}, early)
    for key in ("endpointName", "preset"):
        if isinstance(prepared.get(key), str):
            prepared[key] = resolve_early(prepared[key], early)
    return prepared


def find_target(bench: Bench, node: Mapping[str, Any]) -> Target:
    """The node's endpoint; an empty one when it names none that there is."""
    try:
        return bench.configs.read_target(str(node["endpointName"])) if node.get("endpointName") else Target()
    except WilmerError:
        return Target()


def _facilities(bench: Bench) -> dict[type[Any], Any]:
    files = memory_wiring.open_discussion(bench.ref, bench.request.keys) if bench.ref else None
    return {**wiring.build_facilities(bench.configs), OpenDiscussion: OpenDiscussion(files)}


def _user_of(configs: ConfigFiles) -> dict[str, Any]:
    try:
        return configs.user
    except WilmerError:
        return {}


def _find_messages(ref: DiscussionRef, user: Mapping[str, Any]) -> list[ChatMessage]:
    """The conversation as workflows see it; none where the console has no transcript."""
    card = find_transcript(ref)
    if card is None:
        return []
    labels = json.dumps({key: user.get(key) for key in _PREPARING})
    return list(_load_messages(ref, (card.id, card.updated_at, card.message_count), labels))


@lru_cache(maxsize=2)
def _load_messages(ref: DiscussionRef, version: tuple[object, ...], labels: str) -> tuple[ChatMessage, ...]:  # noqa: ARG001
    """Every step of editing looks at the same conversation, which may have 30,000 messages."""
    return tuple(prepare_messages(wiring.find_transcript(ref) or [], json.loads(labels)).messages)


def _newest_outputs(path: str) -> tuple[int, dict[str, str]]:
    """What the nodes of this file gave in the newest run that came to them."""
    source = path.removeprefix("Workflows/").removesuffix(".json")
    rows = NodeRun.objects.filter(source=source, state=NodeState.FINISHED)
    newest = rows.order_by("-run_id").values_list("run_id", flat=True).first()
    if newest is None:
        return 0, {}
    found = rows.filter(run_id=newest).order_by("number").values_list("path", "output")
    return newest, {f"agent{where.rpartition('.')[2]}Output": _as_text(output) for where, output in found}


def _as_text(output: str) -> str:
    """A recorded output, which is JSON, as a template would show it."""
    try:
        value = json.loads(output)
    except ValueError:
        return output
    return value if isinstance(value, str) else str(value)
