from __future__ import annotations

import json
from typing import Any

import pytest

from workflows_app.llm.kept_requests import (
    find_schema,
    has_pictures_aside,
    put_pictures_back,
    read_saying,
    set_pictures_aside,
)
from workflows_app.llm.requests import Saying, build_request
from workflows_app.types import Target

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
CALL = {"id": "c1", "type": "function", "function": {"name": "find_plant", "arguments": '{"name": "leek"}'}}
TOOL = {
    "type": "function",
    "function": {"name": "find_plant", "description": "Finds.", "parameters": {"type": "object"}},
}
MESSAGES = (
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "What is this?", "images": [f"data:image/png;base64,{PNG}"]},
    {"role": "assistant", "content": "", "tool_calls": [CALL]},
    {"role": "tool", "content": "A leek.", "tool_call_id": "c1"},
)
CHOICE = {"type": "function", "function": {"name": "find_plant"}}


def body_for(kind: str, saying: Saying, **api_type: Any) -> dict[str, Any]:
    endpoint = {"endpoint": "http://127.0.0.1:1", "modelNameToSendToAPI": "m"}
    return build_request(Target("e", endpoint, {"type": kind, **api_type}, {}), saying, {}, is_streaming=True).body


@pytest.mark.parametrize("kind", ["openAIChatCompletion", "claudeMessages", "ollamaApiChat"])
def test_what_was_said_comes_back_out_of_every_servers_form(kind: str) -> None:
    saying = Saying(messages=MESSAGES, tools=[TOOL], tool_choice=CHOICE)
    body = json.loads(json.dumps(body_for(kind, saying)))

    again = body_for(kind, read_saying(put_pictures_back(set_pictures_aside(body), MESSAGES)))

    assert again == body
    if kind != "ollamaApiChat":
        assert body_for("openAIChatCompletion", read_saying(body)) == body_for("openAIChatCompletion", saying)


@pytest.mark.parametrize("kind", ["koboldCppGenerate", "ollamaApiGenerate"])
def test_single_prompts_have_their_pictures(kind: str) -> None:
    body = body_for(kind, Saying(prompt="What is this?", images=(PNG,)))

    message = read_saying(body).messages[0]

    assert message == {"role": "prompt", "content": "What is this?", "images": [PNG]}


@pytest.mark.parametrize("kind", ["openAIChatCompletion", "claudeMessages", "ollamaApiChat", "koboldCppGenerate"])
def test_no_picture_is_kept_in_a_request(kind: str) -> None:
    images = (f"data:image/png;base64,{PNG}",)
    aside = set_pictures_aside(body_for(kind, Saying(messages=MESSAGES, prompt="What?", images=images)))

    assert PNG not in json.dumps(aside)
    assert has_pictures_aside(aside)
    assert has_pictures_aside(put_pictures_back(aside, []))


def test_addresses_of_pictures_stay() -> None:
    body = {"images": ["https://example.org/leek.png"]}

    assert set_pictures_aside(body) == body


@pytest.mark.parametrize(
    "how", [{"field": "format", "style": "plain"}, {"field": "response_format", "style": "openaiJsonSchema"}]
)
def test_schema_comes_back(how: dict[str, str]) -> None:
    body = body_for("openAIChatCompletion", Saying(messages=MESSAGES, schema={"type": "array"}), structuredOutput=how)

    assert find_schema(body, {"structuredOutput": how}) == {"type": "array"}
    assert find_schema(body, {}) is None
