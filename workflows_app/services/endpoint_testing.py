"""Test an endpoint step by step, each step told in the server's own words. Nothing is sent before this is called."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from wilmer_site.lib.errors import WilmerError
from workflows_app import wiring
from workflows_app.engine.samplers import Sizes, build_samplers
from workflows_app.errors import ConfigInvalidError
from workflows_app.llm.composing import compose_plain
from workflows_app.llm.embeddings import EndpointEmbedder
from workflows_app.llm.limits import CallLimits
from workflows_app.llm.model_lists import list_models, reach_server
from workflows_app.llm.requests import HttpRequest, build_request
from workflows_app.queries.endpoints import get_target, show_address
from workflows_app.types import Target

LIMITS = CallLimits(
    connect_seconds=5, silent_seconds=30, answer_seconds=60, answer_bytes=4 * 1024 * 1024, retry_pauses=()
)
"""No step takes longer than this; nothing is tried twice."""
PROBE = "Answer with the word OK."
MAX_SHOWN = 300


class StepState(StrEnum):
    """How a step went."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class TestStep:
    """One step and what came of it."""

    __test__ = False

    name: str
    state: StepState
    words: str
    """A sentence for people; the server's own words where it spoke."""
    milliseconds: float | None = None


@dataclass(frozen=True, slots=True)
class EndpointTest:
    """Everything a test found out."""

    path: str
    address: str
    type: str
    """The wire format of the API type."""
    steps: tuple[TestStep, ...]
    models: tuple[str, ...] = ()
    """The names of the models the server has, when it says."""
    dimension: int | None = None
    """Numbers in a vector; None for endpoints that make text."""

    @property
    def has_failed(self) -> bool:
        """Whether any step failed."""
        return any(step.state is StepState.FAILED for step in self.steps)


def run_endpoint_test(path: str, limits: CallLimits = LIMITS) -> EndpointTest:
    """Test the endpoint at a path below `Configs`: is it there, which models, one token or one vector.

    Raises ConfigNotFoundError. What goes wrong later is told by the steps.
    """
    tester = _Tester(path, limits)
    steps = tuple(tester.run())
    target = tester.target
    return EndpointTest(
        path=path,
        address=show_address(target),
        type=target.type,
        steps=steps,
        models=tester.models,
        dimension=tester.dimension,
    )


class _Tester:
    """One test as it goes on."""

    def __init__(self, path: str, limits: CallLimits) -> None:
        self.limits = limits
        self.target = get_target(path)
        self.models: tuple[str, ...] = ()
        self.dimension: int | None = None

    def run(self) -> Iterator[TestStep]:
        settings = _timed("Settings", self._check_settings)
        yield settings
        if settings.state is StepState.FAILED:
            return
        if self.target.type.startswith("builtin"):
            yield TestStep("Server", StepState.SKIPPED, "It is built in; nothing is sent anywhere.")
        else:
            reached = _timed("Server", self._reach)
            yield reached
            if reached.state is StepState.FAILED:
                return
            yield _timed("Models", self._list_models, StepState.WARNING)
        makes_vectors = self.target.type.endswith("Embeddings")
        yield _timed("Vector", self._embed) if makes_vectors else _timed("Answer", self._ask)

    def _check_settings(self) -> tuple[StepState, str]:
        if not self.target.type:
            name = self.target.endpoint.get("apiTypeConfigFileName") or ""
            raise ConfigInvalidError(f"There is no API type {name!r} that names a wire format.")
        if not self.target.type.endswith("Embeddings"):
            wiring.get_model_clients(self.limits).client_for(self.target)
        address = show_address(self.target).rstrip("/")
        if address.endswith("/v1"):
            return StepState.WARNING, f"The address ends in /v1, and the path of the API is appended: {address}/v1/…"
        return StepState.OK, f"{address or 'No address'}, spoken to as {self.target.type}."

    def _reach(self) -> tuple[StepState, str]:
        status = reach_server(self.target, self.limits)
        return StepState.OK, f"{show_address(self.target)} answers (status {status} for the bare address)."

    def _list_models(self) -> tuple[StepState, str]:
        self.models = tuple(map(_shown, list_models(self.target, self.limits)))
        wanted = str(self.target.endpoint.get("modelNameToSendToAPI") or "")
        count = f"{len(self.models)} {'model' if len(self.models) == 1 else 'models'}"
        if not wanted or self.target.endpoint.get("dontIncludeModel"):
            return StepState.OK, f"The server has {count}; this endpoint names none."
        known = {name.removesuffix(":latest") for name in self.models}
        if wanted.removesuffix(":latest") in known:
            return StepState.OK, f"The server has {count}, {wanted!r} among them."
        return StepState.WARNING, f"The server has {count}, but none is called {wanted!r}."

    def _ask(self) -> tuple[StepState, str]:
        request = _build_probe(self.target)
        reply = wiring.get_model_clients(self.limits).client_for(self.target).ask(request, self.target)
        text = reply.text.strip()[:MAX_SHOWN]
        if not text:
            return StepState.WARNING, "The server took the request and answered with no text."
        return StepState.OK, f"It answered “{text}”."

    def _embed(self) -> tuple[StepState, str]:
        vectors = EndpointEmbedder(self.target, self.limits).embed([PROBE]) or [[]]
        self.dimension = len(vectors[0])
        return StepState.OK, f"A vector has {self.dimension:,} numbers."


def _build_probe(target: Target) -> HttpRequest:
    saying = compose_plain(target, "", PROBE)
    return build_request(target, saying, build_samplers({}, target, Sizes(1, False)), is_streaming=False)


def _timed(name: str, work: Callable[[], tuple[StepState, str]], on_error: StepState = StepState.FAILED) -> TestStep:
    begun = time.perf_counter()
    try:
        state, words = work()
    except WilmerError as error:
        state, words = on_error, error.message
    return TestStep(name, state, _shown(words), (time.perf_counter() - begun) * 1000)


def _shown(text: str) -> str:
    """What a server said, without halves of characters, which no page can show."""
    return text.encode("utf-8", "replace").decode()
