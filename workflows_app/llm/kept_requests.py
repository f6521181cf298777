"""Requests as they are kept: pictures stand aside in them, and what was said can be said again to any server.

A picture is kept once, in the messages of its run; in a request a short text with its digest stands for it. Pure.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from workflows_app.llm.image_parts import list_forms
from workflows_app.llm.requests import Saying
from workflows_app.types import ChatMessage, JsonObject

PROMPT = "prompt"
"""The role of a text that goes to a server as one prompt."""

_ASIDE = re.compile(r"\[picture (?P<digest>[0-9a-f]{16}), [\d,]+ characters\]")
_EXTRAS = ("images", "tool_calls", "tool_call_id", "name")


def set_pictures_aside(value: Any) -> Any:
    """The same JSON value with a short text for every picture."""
    if isinstance(value, str):
        return _name(value) if _is_data_url(value) else value
    if isinstance(value, Mapping):
        return {key: _name(item) if _is_picture(value, key) else _in_field(key, item) for key, item in value.items()}
    return [set_pictures_aside(item) for item in value] if isinstance(value, list | tuple) else value


def put_pictures_back(value: Any, messages: Iterable[Any]) -> Any:
    """The same JSON value with the pictures that the messages have; others stay aside."""
    known = {_digest(form): form for picture in _list_pictures(list(messages)) for form in list_forms(picture)}
    return _put_back(value, known)


def has_pictures_aside(value: Any) -> bool:
    """Whether a short text stands for a picture somewhere, one of an older version included."""
    return any(_ASIDE.fullmatch(text) or text.startswith("[picture, ") for text in _list_texts(value))


def read_saying(body: Mapping[str, Any]) -> Saying:
    """What a request said, whatever server it was for, its system text and single prompt as messages."""
    messages: list[ChatMessage] = []
    if isinstance(body.get("system"), str) and body["system"]:
        messages.append({"role": "system", "content": body["system"]})
    if isinstance(body.get("prompt"), str):
        messages.append({"role": PROMPT, "content": body["prompt"]} | _pick(body, ("images",)))
    else:
        said = body.get("messages")
        found = said if isinstance(said, list) else []
        messages += [plain for message in found if isinstance(message, Mapping) for plain in _split(message)]
    tools = [_plain_tool(tool) for tool in body.get("tools") or () if isinstance(tool, Mapping)]
    return Saying(messages=tuple(messages), tools=tools or None, tool_choice=_plain_choice(body.get("tool_choice")))


def find_schema(body: Mapping[str, Any], api_type: JsonObject) -> JsonObject | None:
    """The schema that a request asked its answer to follow, where the API type puts it (workflows.md §8.5)."""
    how = api_type.get("structuredOutput")
    value: Any = body if isinstance(how, Mapping) and how.get("field") else None
    for name in str(how.get("field")).split(".") if isinstance(how, Mapping) else ():
        value = value.get(name) if isinstance(value, Mapping) else None
    if isinstance(how, Mapping) and how.get("style") == "openaiJsonSchema":
        wrapped = value.get("json_schema") if isinstance(value, Mapping) else None
        value = wrapped.get("schema") if isinstance(wrapped, Mapping) else None
    return dict(value) if isinstance(value, Mapping) else None


def _split(message: Mapping[str, Any]) -> Iterator[ChatMessage]:
    """A turn as messages of the common form: results of tools are messages of their own."""
    role, content = str(message.get("role", "user")), message.get("content")
    if not isinstance(content, list):
        yield {"role": role, "content": "" if content is None else str(content)} | _pick(message, _EXTRAS)
        return
    parts = [part for part in content if isinstance(part, Mapping)]
    results = [part for part in parts if part.get("type") == "tool_result"]
    for part in results:
        text = _text(part.get("content"))
        yield {"role": "tool", "content": text, "tool_call_id": part.get("tool_use_id")}
    rest = [part for part in parts if part.get("type") != "tool_result"]
    if rest or not results:
        yield {"role": role, "content": _text(rest)} | _pick(message, _EXTRAS) | _read_parts(rest)


def _read_parts(parts: list[Mapping[str, Any]]) -> ChatMessage:
    images = [url for url in map(_read_picture, parts) if url]
    calls = [_plain_call(part) for part in parts if part.get("type") == "tool_use"]
    return ({"images": images} if images else {}) | ({"tool_calls": calls} if calls else {})


def _read_picture(part: Mapping[str, Any]) -> str:
    address, source = part.get("image_url"), part.get("source")
    if isinstance(address, Mapping):
        return str(address.get("url") or "")
    if not isinstance(source, Mapping):
        return ""
    if source.get("type") == "base64":
        data = str(source.get("data"))
        return data if _ASIDE.fullmatch(data) else f"data:{source.get('media_type')};base64,{data}"
    return str(source.get("url") or "")


def _plain_call(part: Mapping[str, Any]) -> dict[str, Any]:
    function = {"name": part.get("name"), "arguments": json.dumps(part.get("input") or {})}
    return {"id": part.get("id"), "type": "function", "function": function}


def _plain_tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    if "input_schema" not in tool:
        return dict(tool)
    function = _pick(tool, ("name", "description")) | {"parameters": tool["input_schema"]}
    return {"type": "function", "function": function}


def _plain_choice(choice: Any) -> Any:
    kind = choice.get("type") if isinstance(choice, Mapping) else None
    if isinstance(choice, Mapping) and kind == "tool":
        return {"type": "function", "function": {"name": choice.get("name")}}
    return {"any": "required", "auto": "auto", "none": "none"}.get(str(kind), choice)


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(str(part["text"]) for part in content if isinstance(part, Mapping) and part.get("text"))
    return "" if content is None else str(content)


def _pick(values: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: values[name] for name in names if values.get(name)}


def _in_field(key: Any, value: Any) -> Any:
    if key == "images" and isinstance(value, list):
        return [_name(item) if _is_data(item) else set_pictures_aside(item) for item in value]
    return set_pictures_aside(value)


def _list_pictures(value: Any) -> Iterator[str]:
    if isinstance(value, str) and _is_data_url(value):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if _is_picture(value, key):
                yield str(item)
            elif key == "images" and isinstance(item, list):
                yield from (picture for picture in item if _is_data(picture))
            else:
                yield from _list_pictures(item)
    elif isinstance(value, list):
        for item in value:
            yield from _list_pictures(item)


def _put_back(value: Any, known: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        match = _ASIDE.fullmatch(value)
        return known.get(match["digest"], value) if match else value
    if isinstance(value, Mapping):
        return {key: _put_back(item, known) for key, item in value.items()}
    return [_put_back(item, known) for item in value] if isinstance(value, list) else value


def _list_texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _list_texts(item)


def _is_picture(holder: Mapping[str, Any], key: Any) -> bool:
    """Claude's form of a picture."""
    return key == "data" and holder.get("type") == "base64" and isinstance(holder[key], str)


def _is_data(value: Any) -> bool:
    return isinstance(value, str) and not value.startswith(("http://", "https://"))


def _is_data_url(text: str) -> bool:
    return text.startswith("data:image")


def _name(picture: str) -> str:
    return f"[picture {_digest(picture)}, {len(picture):,} characters]"


def _digest(picture: str) -> str:
    return hashlib.sha256(picture.encode("utf-8", "surrogatepass")).hexdigest()[:16]
