"""What a node says to its model: messages for some servers, one prompt for others (workflows.md §8.1-§8.4)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from memory.engine.tokens import estimate_tokens
from workflows_app.engine import conversation
from workflows_app.engine.clamp import PER_MESSAGE_TOKENS, PromptBudget
from workflows_app.engine.node import NodeContext
from workflows_app.engine.variables import NodeVariables
from workflows_app.errors import ConfigInvalidError, NodeFailedError
from workflows_app.llm.requests import Saying
from workflows_app.types import ChatMessage, JsonObject, Target

_DEFAULT_WINDOW = 5


@dataclass(frozen=True, slots=True)
class Words:
    """A node's own part of a request, its templates resolved; the same for an endpoint and its backups."""

    system: str
    prompt: str | None
    """None: the conversation is sent instead."""
    exchange: tuple[ChatMessage, ...] = ()
    """A trailing tool exchange that follows the prompt as messages."""
    images: tuple[str, ...] = ()
    """Pictures that go with a written prompt."""


def read_words(context: NodeContext) -> Words:
    """The node's `systemPrompt` and `prompt`, resolved once. Raises TemplateError."""
    exchange: tuple[ChatMessage, ...] = ()
    if _appends_exchange(context):
        rest, exchange = split_tool_exchange(context.messages)
        context = _seeing(context, rest)
    system = context.text("systemPrompt")
    prompt = context.resolve(context.node["prompt"]) if context.node.get("prompt") else None
    window = _last(context.messages, _window_size(context.node))
    images = _limit_images(window, context.node) if prompt is not None else []
    return Words(system, prompt, exchange, tuple(image for message in images for image in message.get("images") or ()))


def compose(context: NodeContext, words: Words, target: Target) -> Saying:
    """What is sent to `target`, which is the node's endpoint or a backup of it."""
    if target.takes_single_prompt:
        return _compose_prompt(context, words, target)
    messages = [_message("system", words.system)] if words.system else []
    if words.prompt is not None:
        messages += [_with_images(_message("user", words.prompt), words.images), *words.exchange]
    else:
        messages = _with_user_message(messages + _window(context, words, target), context.messages)
    return _offer_tools(Saying(messages=tuple(messages)), context, target)


def compose_plain(target: Target, system: str, prompt: str, images: Sequence[str] = ()) -> Saying:
    """One question without a conversation, for callers that are no Standard node.

    A single prompt is wrapped as a user's turn and left open for the answer where the endpoint wants that.
    """
    if not target.takes_single_prompt:
        messages = [_message("system", system)] if system else []
        return Saying(messages=(*messages, _with_images(_message("user", prompt), images)))
    text = _turn(target, "User", prompt)
    if target.endpoint.get("addGenerationPrompt"):
        text = f"{text}{_piece(target, 'AssistantPrefix')}{_piece(target, 'EndToken')}"
    turn = _turn(target, "System", system) if system else ""
    return Saying(
        system=conversation.remove_markers(turn), prompt=conversation.remove_markers(text), images=tuple(images)
    )


def split_tool_exchange(messages: Sequence[ChatMessage]) -> tuple[list[ChatMessage], tuple[ChatMessage, ...]]:
    """The conversation without its trailing tool calls and results, and those."""
    start = len(messages)
    while start > 0 and messages[start - 1].get("role") == "tool":
        start -= 1
    has_results = start < len(messages)
    if not has_results or start == 0 or not messages[start - 1].get("tool_calls"):
        return list(messages), ()
    return list(messages[: start - 1]), tuple(messages[start - 1 :])


def _appends_exchange(context: NodeContext) -> bool:
    node, target = context.node, context.target
    wants = bool(node.get("appendNativeToolExchange") and node.get("prompt"))
    return wants and not target.takes_single_prompt and target.endpoint.get("backendSupportsToolTurns") is not False


def _seeing(context: NodeContext, messages: list[ChatMessage]) -> NodeContext:
    scope = replace(context.scope, messages=messages)
    return replace(context, scope=scope, variables=NodeVariables(scope, context.node, context.target))


def _message(role: str, content: str) -> ChatMessage:
    return {"role": role, "content": content}


def _with_images(message: ChatMessage, images: Sequence[str]) -> ChatMessage:
    return {**message, "images": list(images)} if images else message


def _window_size(node: JsonObject) -> int:
    value = node.get("lastMessagesToSendInsteadOfPrompt", _DEFAULT_WINDOW)
    return max(0, value) if isinstance(value, int) else _DEFAULT_WINDOW


def _last(messages: Sequence[ChatMessage], count: int) -> list[ChatMessage]:
    return list(messages[-count:]) if count else []


def _window(context: NodeContext, words: Words, target: Target) -> list[ChatMessage]:
    """The newest messages, merged or parted, within the limits of node and endpoint."""
    node = context.node
    budget = PromptBudget.of(node, target, context.run.configs.user)
    size = _window_size(node)
    if target.takes_single_prompt:
        chosen = _last(conversation.drop_system(context.messages), size + 1)
    else:
        chosen = _last(conversation.drop_leading_system(context.messages), size)
    ceiling = node.get("lastMessagesToSendInsteadOfPromptMaxTokenSize")
    if isinstance(ceiling, int) and chosen:
        chosen = conversation.last_within_tokens(chosen, limit=budget.limit_tokens(ceiling), at_least=1)
    used = _estimate_fixed(words.system, _tools(context, target))
    return _limit_images(budget.fit(_parted(chosen, node), used=used, overhead=PER_MESSAGE_TOKENS), node)


def _estimate_fixed(system: str, tools: Any) -> int:
    return estimate_tokens(system) + (estimate_tokens(json.dumps(tools)) if tools else 0)


def _parted(messages: list[ChatMessage], node: JsonObject) -> list[ChatMessage]:
    """Neighbouring assistant messages joined, or a user message put between them."""
    merges, inserts = node.get("mergeConsecutiveAssistantMessages"), node.get("insertUserTurnBetweenAssistantMessages")
    if not merges and not inserts:
        return messages
    delimiter = str(node.get("mergeConsecutiveAssistantMessagesDelimiter", "\n"))
    parted: list[ChatMessage] = []
    for message in messages:
        is_second = bool(parted) and parted[-1].get("role") == message.get("role") == "assistant"
        if is_second and merges:
            parted[-1] = _joined(parted[-1], message, delimiter)
        elif is_second:
            parted += [_message("user", str(node.get("insertedUserTurnText", "Continue."))), message]
        else:
            parted.append(message)
    return parted


def _joined(first: ChatMessage, second: ChatMessage, delimiter: str) -> ChatMessage:
    joined = {**first, "content": f"{conversation.text_of(first)}{delimiter}{conversation.text_of(second)}"}
    for key in ("images", "tool_calls"):
        values = [*(first.get(key) or ()), *(second.get(key) or ())]
        if values:
            joined[key] = values
    return joined


def _limit_images(messages: Sequence[ChatMessage], node: JsonObject) -> list[ChatMessage]:
    """Pictures only where they are accepted, and of those the newest; 0 means all."""
    if not node.get("acceptImages"):
        return [_without_images(message) for message in messages]
    limit = node.get("maxImagesToSend", 0)
    left = limit if isinstance(limit, int) and limit > 0 else sum(len(m.get("images") or ()) for m in messages)
    kept: list[ChatMessage] = []
    for message in reversed(messages):
        images = list(message.get("images") or ())[-left:] if left else []
        left -= len(images)
        kept.append(_with_images(_without_images(message), images))
    return kept[::-1]


def _without_images(message: ChatMessage) -> ChatMessage:
    return {key: value for key, value in message.items() if key != "images"}


def _with_user_message(messages: list[ChatMessage], whole: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Servers want at least one user message: the newest of the conversation comes back when none is left."""
    if any(message.get("role") == "user" for message in messages):
        return messages
    user = next((message for message in reversed(whole) if message.get("role") == "user"), None)
    if user is None:
        return messages
    start = len(conversation.leading_system(messages))
    return [*messages[:start], _without_images(user), *messages[start:]]


def _compose_prompt(context: NodeContext, words: Words, target: Target) -> Saying:
    messages = [] if words.prompt is not None else _window(context, words, target)
    wrapped = conversation.wrap_in_template(messages, target.template)
    prompt = words.prompt if words.prompt is not None else wrapped
    images = words.images or tuple(image for message in messages for image in message.get("images") or ())
    system = _turn(target, "System", words.system)
    return Saying(
        system=conversation.remove_markers(system),
        prompt=conversation.remove_markers(_wrapped(context, target, prompt)),
        images=images,
    )


def _wrapped(context: NodeContext, target: Target, prompt: str) -> str:
    node = context.node
    if node.get("addUserTurnTemplate"):
        prompt = _turn(target, "User", prompt)
    if node.get("addOpenEndedAssistantTurnTemplate"):
        prompt = f"{_piece(target, 'AssistantPrefix')}{prompt}"
    if _adds_generation_prompt(context, target):
        prompt = f"{prompt}{_piece(target, 'AssistantPrefix')}{_piece(target, 'EndToken')}"
    return prompt


def _adds_generation_prompt(context: NodeContext, target: Target) -> bool:
    """workflows.md §8.3."""
    node = context.node
    if node.get("blockGenerationPrompt"):
        return False
    asks = node.get("forceGenerationPromptIfEndpointAllows") or node.get("addUserTurnTemplate")
    answers_caller = context.is_responder and context.is_in_quiet_child
    return bool((asks or answers_caller) and target.endpoint.get("addGenerationPrompt"))


def _turn(target: Target, role: str, text: str) -> str:
    return f"{_piece(target, f'{role}Prefix')}{text}{_piece(target, f'{role}Suffix')}"


def _piece(target: Target, name: str) -> str:
    key = f"promptTemplate{name}"
    if key not in target.template:
        raise ConfigInvalidError(f"The prompt template of endpoint {target.name!r} has no `{key}`.", key=key)
    return str(target.template[key])


def _tools(context: NodeContext, target: Target) -> Any:
    return context.run.tools if context.node.get("allowTools") and not target.takes_single_prompt else None


def _offer_tools(saying: Saying, context: NodeContext, target: Target) -> Saying:
    tools = _tools(context, target)
    choice = context.run.tool_choice if tools else None
    schema = _read_schema(context, target)
    if schema and (isinstance(choice, dict) or choice == "required"):
        raise NodeFailedError("A node cannot ask for structured output while the request forces a tool call.")
    return replace(saying, tools=tools, tool_choice=choice, schema=schema)


def _read_schema(context: NodeContext, target: Target) -> JsonObject | None:
    name = context.node.get("structuredOutputFile")
    if not name or not target.api_type.get("structuredOutput"):
        return None
    return context.run.configs.read_schema(str(name))
