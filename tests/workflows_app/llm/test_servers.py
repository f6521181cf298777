"""Every client against a real server on loopback."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.fakes.llm_server import Answer, CutOff, Endless, FakeLlmServer, Garbage, Silence, Status, whole_answer
from workflows_app.errors import ModelCallError
from workflows_app.llm.client import LlmClient, Reply, Usage
from workflows_app.llm.clients import build_model_clients
from workflows_app.llm.limits import CallLimits
from workflows_app.llm.requests import HttpRequest, Saying, build_request
from workflows_app.types import Target

LIMITS = CallLimits(connect_seconds=20, silent_seconds=20, answer_seconds=20, answer_bytes=200_000, retry_pauses=())
TYPES = (
    "openAIChatCompletion",
    "openAIV1Completion",
    "ollamaApiChat",
    "ollamaApiGenerate",
    "koboldCppGenerate",
    "claudeMessages",
)
SAYS_WHEN_IT_ENDS = tuple(name for name in TYPES if name != "koboldCppGenerate")


def connect(
    url: str, kind: str, *, stream: bool = False, key: str = "", limits: CallLimits = LIMITS
) -> tuple[LlmClient, HttpRequest, Target]:
    endpoint = {"endpoint": url, "apiKey": key, "modelNameToSendToAPI": "m"}
    target = Target("here", endpoint, {"type": kind, "streamPropertyName": "stream"})
    saying = Saying(messages=({"role": "user", "content": "hi"},), prompt="hi")
    request = build_request(target, saying, {"stream": stream}, is_streaming=stream)
    return build_model_clients(limits).client_for(target), request, target


def ask(server: FakeLlmServer, kind: str, **options: Any) -> Reply:
    client, request, target = connect(server.url, kind, **options)
    return client.ask(request, target)


def stream(server: FakeLlmServer, kind: str, **options: Any) -> str:
    client, request, target = connect(server.url, kind, stream=True, **options)
    return "".join(piece.text for piece in client.stream(request, target))


@pytest.mark.parametrize("kind", TYPES)
def test_whole_answer(kind: str) -> None:
    with FakeLlmServer("Good morning to you.") as server:
        assert ask(server, kind).text == "Good morning to you."


@pytest.mark.parametrize("kind", TYPES)
def test_streamed_answer(kind: str) -> None:
    with FakeLlmServer("Good morning to you.") as server:
        assert stream(server, kind).strip() == "Good morning to you."


@pytest.mark.parametrize("kind", TYPES)
def test_error_in_the_servers_own_words(kind: str) -> None:
    with FakeLlmServer(Status(404, '{"error": {"message": "model m is not loaded"}}')) as server:
        with pytest.raises(ModelCallError, match="answered 404: model m is not loaded"):
            ask(server, kind)
        with pytest.raises(ModelCallError, match="model m is not loaded"):
            stream(server, kind)


@pytest.mark.parametrize("kind", ["openAIChatCompletion", "claudeMessages"])
def test_error_never_shows_the_key(kind: str) -> None:
    refusal = Status(401, '{"error": {"message": "Incorrect key sk-secret given"}}')
    with FakeLlmServer(refusal) as server, pytest.raises(ModelCallError, match="key … given") as caught:
        ask(server, kind, key="sk-secret")

    assert "sk-secret" not in caught.value.message
    assert "apiKey" in caught.value.message


@pytest.mark.parametrize("kind", TYPES)
def test_refused_connection(kind: str) -> None:
    with FakeLlmServer() as server:
        url = server.url
    client, request, target = connect(url, kind)

    with pytest.raises(ModelCallError, match="cannot be reached"):
        client.ask(request, target)


@pytest.mark.parametrize("kind", TYPES)
def test_garbage(kind: str) -> None:
    with FakeLlmServer(Garbage()) as server, pytest.raises(ModelCallError):
        ask(server, kind)


@pytest.mark.parametrize("kind", ["ollamaApiChat", "ollamaApiGenerate", "claudeMessages"])
def test_tokens_of_a_streamed_answer_are_the_servers_own(kind: str) -> None:
    with FakeLlmServer("Good morning.") as server:
        client, request, target = connect(server.url, kind, stream=True)
        usage = [piece.usage for piece in client.stream(request, target) if piece.usage]

    assert usage == [Usage(11, 3)]


@pytest.mark.parametrize("kind", TYPES)
def test_server_that_cannot_stream_gives_its_whole_answer(kind: str) -> None:
    _, request, _ = connect("http://127.0.0.1", kind)
    whole = whole_answer(urlsplit(request.url).path, Answer("Good morning."))
    with FakeLlmServer(Garbage(json.dumps(whole))) as server:
        assert stream(server, kind) == "Good morning."


@pytest.mark.parametrize("kind", TYPES)
def test_error_with_status_200_instead_of_a_stream(kind: str) -> None:
    said = Garbage('{"error": {"message": "no model loaded"}}')
    with FakeLlmServer(said) as server, pytest.raises(ModelCallError, match="no model loaded"):
        stream(server, kind)


@pytest.mark.parametrize("kind", SAYS_WHEN_IT_ENDS)
def test_stream_cut_off(kind: str) -> None:
    with FakeLlmServer(CutOff()) as server, pytest.raises(ModelCallError, match="in the middle"):
        stream(server, kind)


@pytest.mark.parametrize("kind", TYPES)
def test_whole_answer_cut_off(kind: str) -> None:
    with FakeLlmServer(CutOff()) as server, pytest.raises(ModelCallError):
        ask(server, kind)


@pytest.mark.parametrize("kind", TYPES)
def test_silence(kind: str) -> None:
    hurried = replace(LIMITS, silent_seconds=0.3, answer_seconds=0.3)
    with FakeLlmServer(Silence()) as server:
        with pytest.raises(ModelCallError, match=r"was silent for 0\.3 seconds"):
            ask(server, kind, limits=hurried)
        with pytest.raises(ModelCallError, match=r"was silent for 0\.3 seconds"):
            stream(server, kind, limits=hurried)


@pytest.mark.parametrize("kind", TYPES)
def test_endless_stream_is_bounded(kind: str) -> None:
    with FakeLlmServer(Endless()) as server, pytest.raises(ModelCallError, match="more than 200,000 bytes"):
        stream(server, kind)


@pytest.mark.parametrize("kind", TYPES)
def test_passing_trouble_is_tried_again(kind: str) -> None:
    trouble = (Status(429, "slow down", {"Retry-After": "0"}), Status(503, "loading"))
    limits = replace(LIMITS, retry_pauses=(0.0, 0.0))
    with FakeLlmServer(*trouble, "Third time.") as server:
        assert ask(server, kind, limits=limits).text == "Third time."

    assert len(server.seen) == 3


def test_long_retry_after_is_not_waited_for() -> None:
    limits = replace(LIMITS, retry_pauses=(0.0,))
    refusal = Status(429, "come back in an hour", {"Retry-After": "3600"})
    with FakeLlmServer(refusal) as server, pytest.raises(ModelCallError, match="answered 429: come back"):
        ask(server, "ollamaApiChat", limits=limits)

    assert len(server.seen) == 1


def test_headers_and_body_arrive_as_built() -> None:
    with FakeLlmServer() as server:
        ask(server, "openAIChatCompletion")

    seen = server.seen[0]
    assert seen.path == "/v1/chat/completions"
    assert seen.headers["authorization"] == "Bearer"
    assert seen.body == {"model": "m", "messages": [{"role": "user", "content": "hi"}], "stream": False}


def test_tool_calls_and_usage() -> None:
    call = {"index": 0, "id": "c1", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
    with FakeLlmServer(Answer("", (call,))) as server:
        reply = ask(server, "openAIChatCompletion")

    assert reply.tool_calls == (call,)
    assert reply.finish_reason == "tool_calls"
    assert reply.usage.prompt_tokens == 11
