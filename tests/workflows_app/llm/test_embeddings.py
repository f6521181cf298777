"""Vectors from servers and from the package."""

from __future__ import annotations

import pytest

from tests.fakes.llm_server import FakeLlmServer, Garbage
from workflows_app.errors import ConfigInvalidError, ModelCallError
from workflows_app.llm.embeddings import BUILT_IN_MODEL, EndpointEmbedder
from workflows_app.llm.limits import CallLimits
from workflows_app.types import Target

LIMITS = CallLimits(answer_seconds=5, retry_pauses=())


def embedder(url: str, kind: str, model: str = "m") -> EndpointEmbedder:
    return EndpointEmbedder(Target("e", {"endpoint": url, "modelNameToSendToAPI": model}, {"type": kind}), LIMITS)


@pytest.mark.parametrize("kind", ["openAIEmbeddings", "ollamaEmbeddings"])
def test_one_vector_per_text_in_order(kind: str) -> None:
    with FakeLlmServer() as server:
        vectors = embedder(server.url, kind).embed(["a", "bbb", "cc"])

    assert vectors == [[1.0, 1.0, 0.0], [3.0, 1.0, 0.0], [2.0, 1.0, 0.0]]
    assert server.seen[0].body == {"model": "m", "input": ["a", "bbb", "cc"]}


def test_no_texts_ask_nobody() -> None:
    assert embedder("http://127.0.0.1:9", "openAIEmbeddings").embed([]) is None


def test_nonsense_is_told() -> None:
    with FakeLlmServer(Garbage('{"data": [{"embedding": "no"}]}')) as server, pytest.raises(ModelCallError):
        embedder(server.url, "openAIEmbeddings").embed(["a"])


def test_text_endpoint_makes_no_vectors() -> None:
    with pytest.raises(ConfigInvalidError):
        embedder("http://127.0.0.1:9", "openAIChatCompletion").embed(["a"])


def test_built_in_vectors_need_no_server() -> None:
    built_in = embedder("http://127.0.0.1", "builtinEmbeddings", BUILT_IN_MODEL)

    vectors = built_in.embed(["pears and apples", "the harbour at night"])

    assert built_in.model == "wordllama-l2-256"
    assert vectors is not None
    assert [len(vector) for vector in vectors] == [256, 256]
