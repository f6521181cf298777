"""All variables a node's templates may use, computed only when named (workflows.md §6.4).

A conversation may have 30,000 messages and a node a dozen conversation variables; building them all for every node
would cost far more than the node itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from memory.engine.braces import to_sentinels
from workflows_app.engine import conversation
from workflows_app.engine.clamp import PromptBudget
from workflows_app.engine.dates import build_date_variables
from workflows_app.types import ChatMessage, JsonObject, Target

_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "ten": 10, "twenty": 20}


@dataclass(frozen=True, slots=True)
class VariableScope:
    """Where a node stands: what its templates can see."""

    now: datetime
    """Local time, without offset."""
    messages: Sequence[ChatMessage] = field(default_factory=list)
    user: JsonObject = field(default_factory=dict)
    chat_template: JsonObject = field(default_factory=dict)
    """The user's `chatPromptTemplateName`, for `chat_system_prompt` on single-prompt endpoints."""
    custom: JsonObject = field(default_factory=dict)
    """Top-level keys of the workflow file but `nodes`."""
    outputs: JsonObject = field(default_factory=dict)
    inputs: JsonObject = field(default_factory=dict)
    routing: JsonObject = field(default_factory=dict)
    discussion_id: str | None = None
    time_context: Callable[[], str] = str


class NodeVariables(Mapping[str, Any]):
    """The variables of one node by name; later groups of workflows.md §6.4 win over earlier ones."""

    def __init__(self, scope: VariableScope, node: JsonObject, target: Target) -> None:
        self._scope = scope
        self._known: dict[str, Any] = _plain_variables(scope)
        self._lazy = _conversation_variables(scope, node, target) if scope.messages else {}
        self._later = _hidden(scope.outputs) | _hidden(scope.inputs) | dict(scope.routing)
        self._later["messages"] = scope.messages

    def __getitem__(self, name: str) -> Any:
        if name in self._later:
            return self._later[name]
        if name in self._lazy:
            self._later[name] = self._lazy[name]()
            return self._later[name]
        if name == "time_context_summary":
            self._later[name] = self._scope.time_context()
            return self._later[name]
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._known, **self._lazy, **self._later})

    def __len__(self) -> int:
        return len({**self._known, **self._lazy, **self._later})


def build_early_variables(scope: VariableScope) -> dict[str, Any]:
    """Custom variables and inputs, all that `endpointName`, `preset` and numbers may use (workflows.md §6.6)."""
    return {**scope.custom, **scope.inputs}


def build_inputs(values: Sequence[Any]) -> dict[str, Any]:
    """What a caller passed, as `agent1Input`, `agent2Input` and so on."""
    return {f"agent{number}Input": value for number, value in enumerate(values, start=1)}


def _plain_variables(scope: VariableScope) -> dict[str, Any]:
    wide = scope.user.get("userWideWorkflowVariables")
    return {
        **(wide if isinstance(wide, dict) else {}),
        **build_date_variables(scope.now),
        **{name: value for name, value in scope.custom.items() if name != "nodes"},
        "Discussion_Id": scope.discussion_id or "",
        "time_context_summary": "",
    }


def _hidden(values: JsonObject) -> dict[str, Any]:
    """Texts of outputs and inputs must not be taken for templates."""
    return {name: to_sentinels(value) if isinstance(value, str) else value for name, value in values.items()}


def _conversation_variables(scope: VariableScope, node: JsonObject, target: Target) -> dict[str, Callable[[], str]]:
    slices = ConversationSlices(scope, node, target)
    lazy: dict[str, Callable[[], str]] = {}
    for word, count in _COUNTS.items():
        lazy |= slices.both(f"last_{word}", lambda messages, count=count: messages[-count:])  # type: ignore[misc]
    lazy |= slices.both("n_messages", slices.take_count)
    if slices.count == 0:
        # WilmerAI reads zero as "none" for the plain form and as "all" for the wrapped one.
        lazy["chat_user_prompt_n_messages"] = str
    lazy |= slices.both("estimated_token_limit", slices.take_within_tokens)
    lazy |= slices.both("min_n_max_tokens", slices.take_minimum)
    lazy["chat_system_prompt"] = lambda: slices.system_prompt(scope.chat_template, is_chat=True)
    lazy["templated_system_prompt"] = lambda: slices.system_prompt(target.template, is_chat=False)
    lazy["chat_user_prompt_without_system"] = lambda: slices.without_system(scope.chat_template)
    lazy["templated_user_prompt_without_system"] = lambda: slices.without_system(target.template)
    return lazy


Chooser = Callable[[Sequence[ChatMessage]], Sequence[ChatMessage]]


class ConversationSlices:
    """The conversation variables of one node."""

    def __init__(self, scope: VariableScope, node: JsonObject, target: Target) -> None:
        self._scope = scope
        self._node = node
        self._target = target
        self._budget = PromptBudget.of(node, target, scope.user)

    def both(self, name: str, choose: Chooser) -> dict[str, Callable[[], str]]:
        """The plain and the wrapped form of one slice."""
        return {
            f"chat_user_prompt_{name}": lambda: self._chat(choose),
            f"templated_user_prompt_{name}": lambda: self._templated(choose),
        }

    def take_count(self, messages: Sequence[ChatMessage]) -> Sequence[ChatMessage]:
        """The last `nMessagesToIncludeInVariable`."""
        return messages[-self.count :]

    @property
    def count(self) -> int:
        """How many messages `…_n_messages` takes."""
        return self._number("nMessagesToIncludeInVariable", 5)

    def take_within_tokens(self, messages: Sequence[ChatMessage]) -> Sequence[ChatMessage]:
        """Newest first within `estimatedTokensToIncludeInVariable`, at least one."""
        limit = self._budget.limit_tokens(self._number("estimatedTokensToIncludeInVariable", 2048))
        return conversation.last_within_tokens(messages, limit=limit, at_least=1)

    def take_minimum(self, messages: Sequence[ChatMessage]) -> Sequence[ChatMessage]:
        """At least `minMessagesInVariable`, then more within `maxEstimatedTokensInVariable`."""
        limit = self._budget.limit_tokens(self._number("maxEstimatedTokensInVariable", 2048))
        minimum = 1 if self._budget.is_on else self._number("minMessagesInVariable", 5)
        return conversation.last_within_tokens(messages, limit=limit, at_least=minimum)

    def system_prompt(self, template: JsonObject, *, is_chat: bool) -> str:
        """The system texts joined by one space."""
        messages = self._scope.messages
        if not self._target.takes_single_prompt:
            return " ".join(conversation.text_of(message) for message in conversation.leading_system(messages))
        text = " ".join(conversation.text_of(message) for message in messages if conversation.is_system(message))
        prefix, suffix = template.get("promptTemplateSystemPrefix", ""), template.get("promptTemplateSystemSuffix", "")
        return conversation.remove_markers(f"{prefix}{text}{suffix}") if text or not is_chat else ""

    def without_system(self, template: JsonObject) -> str:
        """All other messages, without separator."""
        messages = self._limited(conversation.drop_system(self._scope.messages))
        return self._wrapped(messages, template)

    def _chat(self, choose: Chooser) -> str:
        drops_all = self._target.takes_single_prompt
        messages = self._spoken if drops_all else conversation.drop_leading_system(self._described)
        chosen = self._limited(choose(messages))
        if self._node.get("addUserAssistantTags"):
            return self._delimiter.join(conversation.tag_roles(chosen))
        return self._delimiter.join(conversation.text_of(message) for message in chosen)

    def _templated(self, choose: Chooser) -> str:
        chosen = self._limited(choose(self._spoken))
        return self._wrapped(chosen, self._target.template)

    def _wrapped(self, messages: Sequence[ChatMessage], template: JsonObject) -> str:
        if self._target.takes_single_prompt:
            return conversation.wrap_in_template(messages, template)
        return conversation.remove_markers("".join(conversation.text_of(message) for message in messages))

    @cached_property
    def _described(self) -> Sequence[ChatMessage]:
        if self._node.get("includeToolCallsInConversation"):
            return conversation.describe_tool_calls(self._scope.messages)
        return self._scope.messages

    @cached_property
    def _spoken(self) -> Sequence[ChatMessage]:
        """Looked for once, however many of the variables a node names: it goes through the whole conversation."""
        return conversation.drop_system(self._described)

    def _limited(self, messages: Sequence[ChatMessage]) -> Sequence[ChatMessage]:
        return self._budget.fit(messages)

    @property
    def _delimiter(self) -> str:
        if self._scope.user.get("separateConversationInVariables"):
            return str(self._scope.user.get("conversationSeparationDelimiter", "\n"))
        return "\n"

    def _number(self, key: str, default: int) -> int:
        value = self._node.get(key, default)
        return value if isinstance(value, int) else default
