"""From a target and what is to be said to the exact HTTP request (workflows.md §8.5). Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from memory.engine.braces import to_plain_braces
from workflows_app.errors import ConfigInvalidError
from workflows_app.llm import claude_form, image_parts
from workflows_app.types import ChatMessage, JsonObject, Target

_ALIASES = {
    "openAIApiChatImageSpecific": "openAIChatCompletion",
    "ollamaApiChatImageSpecific": "ollamaApiChat",
    "koboldCppGenerateImageSpecific": "koboldCppGenerate",
}


@dataclass(frozen=True, slots=True)
class Saying:
    """What is to be said: messages for some servers, one prompt for others, and the tools on offer."""

    messages: tuple[ChatMessage, ...] = ()
    prompt: str = ""
    system: str = ""
    images: tuple[str, ...] = ()
    tools: Any = None
    tool_choice: Any = None
    schema: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """One request to a model server. `headers` hold the key and must never be shown."""

    url: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Parts:
    target: Target
    saying: Saying
    samplers: dict[str, Any]
    is_streaming: bool
    messages: list[ChatMessage] = field(default_factory=list)


def wire_format(target: Target) -> str:
    """The API type's `type`, old image types read as what they are today."""
    return _ALIASES.get(target.type, target.type)


def build_request(target: Target, saying: Saying, samplers: dict[str, Any], *, is_streaming: bool) -> HttpRequest:
    """The request as WilmerAI would send it.

    Raises ConfigInvalidError for an API type that cannot talk, or an endpoint without address.
    """
    builder = _BUILDERS.get(wire_format(target))
    if builder is None:
        raise ConfigInvalidError(f"Unsupported LLM type: {target.type or '(none)'}.", endpoint=target.name)
    if builder is _builtin:
        return HttpRequest("builtin:extractive", {}, _builtin(_Parts(target, saying, samplers, is_streaming))[1])
    if "endpoint" not in target.endpoint:
        raise ConfigInvalidError(f"Endpoint {target.name!r} has no `endpoint` address.", endpoint=target.name)
    parts = _Parts(target, saying, samplers, is_streaming, _prepared_messages(target, saying))
    path, body = builder(parts)
    return HttpRequest(f"{str(target.endpoint['endpoint']).rstrip('/')}{path}", _headers(target), body)


def _headers(target: Target) -> dict[str, str]:
    key = str(target.endpoint.get("apiKey") or "")
    if wire_format(target) == "claudeMessages":
        return {"Content-Type": "application/json", "x-api-key": key, "anthropic-version": "2023-06-01"}
    return {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}


def _model(parts: _Parts) -> dict[str, Any]:
    return {"model": parts.target.endpoint.get("modelNameToSendToAPI", "")}


def _model_if_wanted(parts: _Parts) -> dict[str, Any]:
    return {} if parts.target.endpoint.get("dontIncludeModel") else _model(parts)


def _extras(parts: _Parts) -> dict[str, Any]:
    extras: dict[str, Any] = {}
    if parts.saying.tools:
        extras["tools"] = parts.saying.tools
        if parts.saying.tool_choice is not None:
            extras["tool_choice"] = parts.saying.tool_choice
    return extras | _structured_output(parts)


def _structured_output(parts: _Parts) -> dict[str, Any]:
    how, schema = parts.target.api_type.get("structuredOutput") or {}, parts.saying.schema
    if not schema or not how.get("field"):
        return {}
    value: Any = schema
    if how.get("style") == "openaiJsonSchema":
        strict = how.get("strict", True)
        value = {"type": "json_schema", "json_schema": {"name": "response", "strict": strict, "schema": schema}}
    for name in reversed(str(how["field"]).split(".")):
        value = {name: value}
    return dict(value)


def _open_ai_chat(parts: _Parts) -> tuple[str, dict[str, Any]]:
    messages = image_parts.as_open_ai(parts.messages)
    return "/v1/chat/completions", {
        **_model_if_wanted(parts),
        "messages": messages,
        **parts.samplers,
        **_extras(parts),
    }


def _claude(parts: _Parts) -> tuple[str, dict[str, Any]]:
    body = {**_model_if_wanted(parts), "messages": parts.messages, **parts.samplers, **_extras(parts)}
    return "/v1/messages", claude_form.as_claude(body)


def _ollama_chat(parts: _Parts) -> tuple[str, dict[str, Any]]:
    body = {**_model(parts), "messages": image_parts.as_ollama(parts.messages), **_ollama_options(parts)}
    if not parts.is_streaming:
        body["stream"] = False
    return "/api/chat", body | _extras(parts)


def _ollama_generate(parts: _Parts) -> tuple[str, dict[str, Any]]:
    body = {**_model(parts), "prompt": _prompt(parts), "stream": parts.is_streaming, "raw": True}
    body |= _ollama_options(parts)
    if parts.saying.images:
        body["images"] = image_parts.bare_base64(parts.saying.images)
    return "/api/generate", body


def _ollama_options(parts: _Parts) -> dict[str, Any]:
    options = dict(parts.samplers)
    options.pop(str(parts.target.api_type.get("streamPropertyName")), None)
    body: dict[str, Any] = {"think": options.pop("think")} if "think" in options else {}
    return body | ({"options": options} if options else {})


def _open_ai_completion(parts: _Parts) -> tuple[str, dict[str, Any]]:
    return "/v1/completions", {"prompt": _prompt(parts), **parts.samplers, **_model(parts)}


def _kobold(parts: _Parts) -> tuple[str, dict[str, Any]]:
    body = {"prompt": _prompt(parts), **parts.samplers}
    if parts.saying.images:
        body["images"] = image_parts.bare_base64(parts.saying.images)
    return "/api/extra/generate/stream" if parts.is_streaming else "/api/v1/generate", body


def _builtin(parts: _Parts) -> tuple[str, dict[str, Any]]:
    """No request leaves the process; the body says what the built-in picker of sentences works on."""
    messages = [_shown(message) for message in parts.saying.messages]
    return "", {**_model(parts), "messages": messages, **parts.samplers}


_BUILDERS: dict[str, Callable[[_Parts], tuple[str, dict[str, Any]]]] = {
    "openAIChatCompletion": _open_ai_chat,
    "claudeMessages": _claude,
    "ollamaApiChat": _ollama_chat,
    "ollamaApiGenerate": _ollama_generate,
    "openAIV1Completion": _open_ai_completion,
    "koboldCppGenerate": _kobold,
    "builtinExtractive": _builtin,
}


def _prompt(parts: _Parts) -> str:
    """Endpoint texts around a single prompt; the whole is stripped at both ends."""
    endpoint = parts.target.endpoint
    system = _added(endpoint, "StartOfSystem") + parts.saying.system
    prompt = _added(endpoint, "StartOfPrompt") + parts.saying.prompt
    return to_plain_braces(f"{system}{prompt}{_added(endpoint, 'StartOfCompletion')}".strip())


def _added(endpoint: JsonObject, where: str) -> str:
    return str(endpoint.get(f"textToAddTo{where}") or "") if endpoint.get(f"addTextTo{where}") else ""


def _prepared_messages(target: Target, saying: Saying) -> list[ChatMessage]:
    messages = [_shown(message) for message in saying.messages]
    _drop_empty_ending(messages)
    _add_to_system(messages, _added(target.endpoint, "StartOfSystem"))
    _add_to_prompt(messages, _added(target.endpoint, "StartOfPrompt"))
    _add_to_completion(messages, _added(target.endpoint, "StartOfCompletion"), target.endpoint)
    return messages


def _shown(message: ChatMessage) -> ChatMessage:
    """The message as a server sees it: braces as braces, roles as roles, no empty tool calls."""
    content = message.get("content")
    shown = {**message, "content": to_plain_braces(content) if isinstance(content, str) else content}
    if message.get("role") == "systemMes":
        shown["role"] = "system"
    if not message.get("tool_calls"):
        shown.pop("tool_calls", None)
    return shown


def _drop_empty_ending(messages: list[ChatMessage]) -> None:
    if not messages:
        return
    last = messages[-1]
    if last.get("role") == "assistant" and not last.get("content") and not last.get("tool_calls"):
        messages.pop()


def _add_to_system(messages: list[ChatMessage], text: str) -> None:
    if not text:
        return
    for message in messages:
        if message.get("role") == "system":
            message["content"] = f"{text}{message.get('content') or ''}"
            return
    messages.insert(0, {"role": "system", "content": text})


def _add_to_prompt(messages: list[ChatMessage], text: str) -> None:
    if not text:
        return
    for message in reversed(messages):
        if message.get("role") == "user":
            message["content"] = f"{text}{message.get('content') or ''}"
            return
    messages.append({"role": "user", "content": text})


def _add_to_completion(messages: list[ChatMessage], text: str, endpoint: JsonObject) -> None:
    if not text:
        return
    needs_assistant = bool(endpoint.get("ensureTextAddedToAssistantWhenChatCompletion"))
    if messages and (not needs_assistant or messages[-1].get("role") == "assistant"):
        messages[-1]["content"] = f"{messages[-1].get('content') or ''}{text}"
    else:
        messages.append({"role": "assistant", "content": text})
