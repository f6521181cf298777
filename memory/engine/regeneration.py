"""Making memory anew: what can be asked for, and what would be sent to a model for it. Values only."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from memory.engine.model_calls import Call, ModelCall, WorkflowCall
from memory.engine.tokens import estimate_tokens
from wilmer_site.lib.errors import InvalidError


class Kind(StrEnum):
    """What is made anew."""

    CHUNKS = "chunks"
    """Chunks `first` to `last`, each where it stands."""
    FROM_MESSAGE = "from-message"
    """Every chunk from the one that covers message `first`, packed anew."""
    EVERYTHING = "everything"
    """The whole ledger, packed anew."""
    CONDENSE = "condense"
    """Chunks `first` to `last` merged into one; without numbers the oldest that are not merged yet."""
    SUMMARY = "summary"
    """The rolling summary, from chunk `first` on."""
    STATE_DOCUMENT = "state-document"
    """From vector memory `first` on; without one, from an empty document."""
    VECTOR_MEMORIES = "vector-memories"
    """The vector memories made from messages `first` to `last`."""
    EMBED = "embed"
    """Vectors for the memories without one; with `replaces`, for all."""
    INDEX = "index"
    """The search index."""


class Layer(StrEnum):
    """What a job changes; one job at a time may be open for each."""

    MEMORIES = "memories"
    SUMMARY = "summary"
    STATE_DOCUMENT = "state-document"
    VECTOR = "vector"


_LAYERS = {
    Kind.CHUNKS: Layer.MEMORIES,
    Kind.FROM_MESSAGE: Layer.MEMORIES,
    Kind.EVERYTHING: Layer.MEMORIES,
    Kind.CONDENSE: Layer.MEMORIES,
    Kind.SUMMARY: Layer.SUMMARY,
    Kind.STATE_DOCUMENT: Layer.STATE_DOCUMENT,
    Kind.VECTOR_MEMORIES: Layer.VECTOR,
    Kind.EMBED: Layer.VECTOR,
    Kind.INDEX: Layer.VECTOR,
}

WITHOUT_DRAFTS = frozenset({Kind.EMBED, Kind.INDEX})
"""Nothing to read or to decide: the texts stay as they are."""

AS_A_WHOLE = frozenset({Kind.FROM_MESSAGE, Kind.EVERYTHING})
"""The drafts replace a stretch of the ledger together or not at all."""


@dataclass(frozen=True, slots=True)
class RegenerationRequest:
    """What is asked for. What the numbers count, `Kind` says."""

    kind: Kind
    first: int | None = None
    last: int | None = None
    replaces: bool = False
    picked: tuple[int, ...] = ()
    """Single chunks, ascending, in the place of a range."""

    @property
    def layer(self) -> Layer:
        """What it would change."""
        return _LAYERS[self.kind]

    @property
    def is_whole(self) -> bool:
        """Whether its drafts are accepted together."""
        return self.kind in AS_A_WHOLE

    @property
    def has_drafts(self) -> bool:
        """Whether somebody decides about what it makes."""
        return self.kind not in WITHOUT_DRAFTS

    @property
    def numbers(self) -> tuple[int, int]:
        """First and last; raises InvalidError without a first or when they are the wrong way round."""
        if self.first is None:
            raise InvalidError("Say which ones: the first number is missing.", field="first")
        last = self.first if self.last is None else self.last
        if not 1 <= self.first <= last:
            raise InvalidError(
                f"{self.first} to {last} is no range: numbers start at 1, the smaller one first.", field="last"
            )
        return self.first, last

    @property
    def chosen(self) -> tuple[int, ...]:
        """The picked numbers, else the range; raises InvalidError as `numbers`."""
        if self.picked:
            return tuple(sorted(set(self.picked)))
        first, last = self.numbers
        return tuple(range(first, last + 1))

    def to_json(self) -> dict[str, Any]:
        """As a job keeps it."""
        value = {"kind": self.kind.value, "first": self.first, "last": self.last, "replaces": self.replaces}
        return {**value, "picked": list(self.picked)} if self.picked else value

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> RegenerationRequest:
        """The reverse."""
        return cls(
            Kind(value["kind"]),
            value.get("first"),
            value.get("last"),
            bool(value.get("replaces")),
            tuple(value.get("picked", ())),
        )


@dataclass(frozen=True, slots=True)
class DraftSpec:
    """One draft that would be made."""

    title: str
    """For people: `Chunk 3, messages 12 to 17`."""
    target: Mapping[str, Any]
    """What it is about, as JSON."""
    found: Found
    calls: int = 1
    """How often a model or workflow is asked for it."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a draft is made from and would replace, as it is at one moment."""

    text: str
    """What is stored."""
    source_digest: str
    target_digest: str
    sources: str = ""
    """What it is made from, in words a reader can check: the messages or memories."""

    @property
    def seen(self) -> str:
        """Both digests as one text for forms; whoever sends it has seen this state."""
        return f"{self.source_digest}.{self.target_digest}"


@dataclass(frozen=True, slots=True)
class Made:
    """What one call yielded for a draft."""

    text: str
    """What would be stored now."""
    raw: str = ""
    """The answer, as it came."""
    problem: str = ""
    """Why the answer cannot be used; the text is then for mending by hand."""
    done: int = 1
    """Calls that are finished for this draft."""
    notes: tuple[str, ...] = ()
    """Things to look at before it is accepted."""


@dataclass(frozen=True, slots=True)
class PromptView:
    """One model call as it would be sent, as far as it is known before."""

    title: str
    endpoint: str
    preset: str
    max_tokens: int | None
    system_prompt: str
    prompt: str

    @property
    def token_estimate(self) -> int:
        """Tokens of both prompts together."""
        return estimate_tokens(self.system_prompt) + estimate_tokens(self.prompt)


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """One call of the plan."""

    title: str
    workflow: str
    """Empty for a direct call."""
    prompts: tuple[PromptView, ...]
    is_provisional: bool = False
    """It holds what an earlier call of the same job will answer."""

    @property
    def token_estimate(self) -> int:
        """Tokens that would be sent."""
        return sum(prompt.token_estimate for prompt in self.prompts)


@dataclass(frozen=True, slots=True)
class Plan:
    """What starting would do, before anything is spent."""

    request: RegenerationRequest
    specs: tuple[DraftSpec, ...]
    calls: tuple[PlannedCall, ...]
    """The first ones whole; see `call_count`."""
    call_count: int
    model_calls: int
    """Model calls: a workflow may make several."""
    token_estimate: int
    endpoints: tuple[str, ...]
    notes: tuple[str, ...] = field(default=())
    digest: str = ""
    """Changes with anything that would be sent or replaced."""
    is_encrypted: bool = False
    """The files are, so the drafts will be."""


def digest_of(*parts: object) -> str:
    """A short text that changes with any of the parts."""
    data = json.dumps(parts, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(data.encode()).hexdigest()[:32]


def view_call(call: Call, nodes: Sequence[Mapping[str, Any]]) -> tuple[PromptView, ...]:
    """What a call sends: its own prompts, or those of the nodes of its workflow with the inputs filled in.

    `{agentNOutput}` stays: what a node answers is not known before.
    """
    if isinstance(call, ModelCall):
        target = call.target
        return (
            PromptView(
                "Direct call", target.endpoint, target.preset, target.max_tokens, call.system_prompt, call.prompt
            ),
        )
    return tuple(_view_node(number, node, call) for number, node in enumerate(nodes, 1) if _asks_a_model(node))


def list_inputs(call: Call) -> tuple[tuple[str, str], ...]:
    """The scoped inputs of a workflow call by name."""
    inputs = call.inputs if isinstance(call, WorkflowCall) else ()
    return tuple((f"agent{number}Input", text) for number, text in enumerate(inputs, 1))


def list_endpoints(calls: Iterable[PlannedCall]) -> tuple[str, ...]:
    """The endpoints that would be asked, each once."""
    return tuple(dict.fromkeys(prompt.endpoint for call in calls for prompt in call.prompts if prompt.endpoint))


_INPUT = re.compile(r"\{agent(\d{1,3})Input\}")


def _asks_a_model(node: Mapping[str, Any]) -> bool:
    return str(node.get("type") or "Standard") == "Standard" or bool(node.get("endpointName"))


def _view_node(number: int, node: Mapping[str, Any], call: WorkflowCall) -> PromptView:
    size = node.get("maxResponseSizeInTokens")
    return PromptView(
        str(node.get("title") or node.get("agentName") or f"Node {number}"),
        str(node.get("endpointName") or ""),
        str(node.get("preset") or ""),
        size if isinstance(size, int) else None,
        _fill(str(node.get("systemPrompt") or ""), call.inputs),
        _fill(str(node.get("prompt") or ""), call.inputs),
    )


def _fill(template: str, inputs: Sequence[str]) -> str:
    """Inputs put in, in one pass."""

    def value(match: re.Match[str]) -> str:
        number = int(match.group(1))
        return inputs[number - 1] if 1 <= number <= len(inputs) else match.group()

    return _INPUT.sub(value, template)
