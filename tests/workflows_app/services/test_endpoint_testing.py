from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes.llm_server import FakeLlmServer, Garbage, Silence, Status
from tests.workflows_app.builders import write, write_endpoint
from tests.workflows_app.configs_world import SECRET
from wilmer_site.lib.errors import InvalidError, NotFoundError
from workflows_app.llm.limits import CallLimits
from workflows_app.services.endpoint_testing import EndpointTest, StepState, run_endpoint_test

QUICK = CallLimits(connect_seconds=2, silent_seconds=1, answer_seconds=1, retry_pauses=())
TEMPLATE = ("promptTemplateUserPrefix", "promptTemplateUserSuffix")
TYPES = {
    "openAIChatCompletion": "/v1/models",
    "openAIV1Completion": "/v1/models",
    "claudeMessages": "/v1/models",
    "ollamaApiChat": "/api/tags",
    "ollamaApiGenerate": "/api/tags",
    "koboldCppGenerate": "/api/v1/model",
}


def run(public: Path, url: str, kind: str = "openAIChatCompletion", **values: object) -> EndpointTest:
    write(public / "Configs/ApiTypes/k.json", {"type": kind, "maxNewTokensPropertyName": "max_tokens"})
    write(public / "Configs/PromptTemplates/_chatonly.json", dict.fromkeys(TEMPLATE, ""))
    write_endpoint(public, "E", url, apiTypeConfigFileName="k", **{"modelNameToSendToAPI": "gem", **values})
    return run_endpoint_test("Endpoints/E.json", QUICK)


def states(test: EndpointTest) -> list[str]:
    return [f"{step.name} {step.state}" for step in test.steps]


@pytest.mark.parametrize(("kind", "path"), TYPES.items())
def test_every_kind_of_server_is_asked_in_its_language(opened: Path, kind: str, path: str) -> None:
    with FakeLlmServer("OK") as server:
        server.models = ["gem"]
        test = run(opened, server.url, kind)

    assert states(test) == ["Settings ok", "Server ok", "Models ok", "Answer ok"]
    assert [seen.path for seen in server.seen][1] == path
    assert test.steps[3].words == "It answered “OK”."


def test_only_one_token_is_asked_for(opened: Path) -> None:
    with FakeLlmServer("OK") as server:
        run(opened, server.url)

    assert server.seen[-1].body["max_tokens"] == 1
    assert len([seen for seen in server.seen if seen.body]) == 1


def test_a_model_the_server_has_not_is_told(opened: Path) -> None:
    with FakeLlmServer("OK") as server:
        server.models = ["llama", "phi"]
        test = run(opened, server.url)

    assert test.models == ("llama", "phi")
    assert test.steps[2].words == "The server has 2 models, but none is called 'gem'."


@pytest.mark.parametrize("kind", ["openAIEmbeddings", "ollamaEmbeddings"])
def test_the_dimension_of_vectors_is_found(opened: Path, kind: str) -> None:
    with FakeLlmServer("OK") as server:
        test = run(opened, server.url, kind)

    assert states(test)[-1] == "Vector ok"
    assert test.dimension


@pytest.mark.parametrize(
    ("item", "words"),
    [
        (Status(401, '{"error": {"message": "wrong key"}}'), "wrong key"),
        (Status(500, "out of memory"), "out of memory"),
        (Garbage(), "something else than a completion"),
        (Silence(), "was silent for"),
    ],
)
def test_failure_is_told_in_the_servers_own_words(opened: Path, item: object, words: str) -> None:
    with FakeLlmServer(item) as server:  # type: ignore[arg-type]
        test = run(opened, server.url, apiKey=SECRET)

    assert test.has_failed
    assert words in test.steps[-1].words
    assert SECRET not in repr(test)


def test_a_server_that_repeats_the_key_does_not_show_it(opened: Path) -> None:
    with FakeLlmServer(Status(401, f'{{"error": "bad key {SECRET}"}}')) as server:
        assert SECRET not in repr(run(opened, server.url, apiKey=SECRET))


def test_nobody_listening_ends_the_test(opened: Path) -> None:
    test = run(opened, "http://127.0.0.1:9")

    assert states(test) == ["Settings ok", "Server failed"]
    assert "cannot be reached" in test.steps[1].words


@pytest.mark.parametrize("address", ["", "ftp://x", "localhost:80", "file:///etc/passwd"])
def test_addresses_that_are_none_are_refused(opened: Path, address: str) -> None:
    assert states(run(opened, address))[-1] == "Server failed"


def test_missing_api_type_ends_the_test(opened: Path) -> None:
    write_endpoint(opened, "E", "http://127.0.0.1:9", apiTypeConfigFileName="nope")

    assert run_endpoint_test("Endpoints/E.json", QUICK).steps[0].state is StepState.FAILED


def test_built_in_endpoint_sends_nothing(opened: Path) -> None:
    test = run_endpoint_test("Endpoints/built-in.json", QUICK)

    assert states(test)[:2] == ["Settings ok", "Server skipped"]


@pytest.mark.parametrize("path", ["Endpoints/none.json", "Endpoints/../x.json", "etc/passwd"])
def test_unknown_endpoint_is_not_found(opened: Path, path: str) -> None:
    with pytest.raises(NotFoundError):
        run_endpoint_test(path)


def test_other_configs_cannot_be_tested(opened: Path) -> None:
    with pytest.raises(InvalidError):
        run_endpoint_test("Users/ann.json")


@pytest.mark.parametrize("key", ["sk\nsecret", "sk-sécret", "sk\x00secret"])
@pytest.mark.parametrize("kind", ["openAIChatCompletion", "claudeMessages", "ollamaApiChat", "openAIEmbeddings"])
def test_a_key_that_cannot_be_sent_is_told_without_it(opened: Path, key: str, kind: str) -> None:
    with FakeLlmServer("OK") as server:
        test = run(opened, server.url, kind, apiKey=key)

    words = " ".join(step.words for step in test.steps)
    assert "cannot be sent" in words
    assert "sk" not in words.replace("ask", "")


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize(
    "body",
    ["[" * 100_000, '{"content": [null], "choices": [{"message": {"content": "\\ud800"}}], "results": [{"text": 1}]}'],
)
def test_an_odd_answer_is_told_and_can_be_shown(opened: Path, kind: str, body: str) -> None:
    with FakeLlmServer(Status(200, body)) as server:
        server.models = ["\ud800"]
        test = run(opened, server.url, kind)

    " ".join([*test.models, *(step.words for step in test.steps)]).encode()
    assert len(test.steps) == 4
