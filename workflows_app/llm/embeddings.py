"""Turning texts into vectors: OpenAI-compatible servers, Ollama, and the built-in English word vectors."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workflows_app.errors import ConfigInvalidError, ModelCallError
from workflows_app.llm.limits import DEFAULT_LIMITS, CallLimits
from workflows_app.llm.requests import HttpRequest
from workflows_app.types import Target

BUILT_IN_MODEL = "wordllama-l2-256"
"""The name under which vectors of the built-in embedder are stored."""

Vectors = list[list[float]]


@dataclass(frozen=True, slots=True)
class EndpointEmbedder:
    """The embedder of one endpoint (memory.engine.model_calls.Embedder)."""

    target: Target
    limits: CallLimits = DEFAULT_LIMITS

    @property
    def model(self) -> str:
        """The name under which vectors are stored: the endpoint's `modelNameToSendToAPI`."""
        return str(self.target.endpoint.get("modelNameToSendToAPI") or "")

    def embed(self, texts: Sequence[str]) -> Vectors | None:
        """One vector per text; None for no texts. Raises ModelCallError, ConfigInvalidError."""
        if not texts:
            return None
        ask = _KINDS.get(self.target.type)
        if ask is None:
            raise ConfigInvalidError(
                f"Endpoint {self.target.name!r} has API type {self.target.type!r}, which makes no vectors.",
                endpoint=self.target.name,
            )
        vectors = ask(self.target, list(texts), self.limits)
        if len(vectors) != len(texts):
            raise ModelCallError(f"{self.target.name!r} gave {len(vectors)} vectors for {len(texts)} texts.")
        return vectors


def _ask_open_ai(target: Target, texts: list[str], limits: CallLimits) -> Vectors:
    answer = _post(target, "/v1/embeddings", texts, limits)
    rows = answer.get("data")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ModelCallError(f"{target.name!r} answered without `data`.")
    ordered = sorted(enumerate(rows), key=lambda pair: pair[1].get("index", pair[0]))
    return [_checked(row.get("embedding"), target) for _, row in ordered]


def _ask_ollama(target: Target, texts: list[str], limits: CallLimits) -> Vectors:
    rows = _post(target, "/api/embed", texts, limits).get("embeddings")
    if not isinstance(rows, list):
        raise ModelCallError(f"{target.name!r} answered without `embeddings`.")
    return [_checked(row, target) for row in rows]


def _ask_built_in(target: Target, texts: list[str], limits: CallLimits) -> Vectors:  # noqa: ARG001
    vectors: Vectors = _load_built_in().embed(texts).tolist()
    return vectors


_KINDS: dict[str, Callable[[Target, list[str], CallLimits], Vectors]] = {
    "openAIEmbeddings": _ask_open_ai,
    "ollamaEmbeddings": _ask_ollama,
    "builtinEmbeddings": _ask_built_in,
}


def _post(target: Target, path: str, texts: list[str], limits: CallLimits) -> dict[str, Any]:
    from workflows_app.llm.transport import post_json

    endpoint = target.endpoint
    if "endpoint" not in endpoint:
        raise ConfigInvalidError(f"Endpoint {target.name!r} has no `endpoint` address.", endpoint=target.name)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {endpoint.get('apiKey') or ''}"}
    body: dict[str, Any] = {"input": texts}
    if not endpoint.get("dontIncludeModel"):
        body = {"model": endpoint.get("modelNameToSendToAPI", ""), **body}
    return post_json(HttpRequest(f"{str(endpoint['endpoint']).rstrip('/')}{path}", headers, body), limits)


def _checked(vector: Any, target: Target) -> list[float]:
    if not isinstance(vector, list) or not vector or not all(isinstance(number, int | float) for number in vector):
        raise ModelCallError(f"{target.name!r} answered something that is no vector of numbers.")
    return [float(number) for number in vector]


@functools.cache
def _load_built_in() -> Any:
    """The word vectors that lie in the package; nothing is downloaded."""
    import wordllama

    folder = Path(wordllama.__file__).parent
    return wordllama.WordLlama.load(cache_dir=folder, disable_download=True)
