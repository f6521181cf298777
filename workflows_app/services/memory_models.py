"""The model of the memory layer when no workflow runs: pages, jobs and `manage.py create_memories`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.engine.model_calls import UNWATCHED, Embedder, Model, Watch
from wilmer_site.lib.clock import local_now
from workflows_app import wiring
from workflows_app.engine.run import Run
from workflows_app.errors import RunCancelledError
from workflows_app.llm.client import ModelClients
from workflows_app.llm.cut_answers import report_cuts
from workflows_app.llm.embeddings import EndpointEmbedder
from workflows_app.llm.memory_model import build_run_model
from workflows_app.llm.waiting import wait_for


def build_memory_model(watch: Watch = UNWATCHED) -> Model:
    """Asks the endpoints and runs the workflows that memory settings name, as the user whose config counts.

    Whoever watches ends a call by cancelling, and hears of answers that were cut off.

    WILMER_MEMORY_MODEL names this function.
    """
    configs = wiring.open_configs()
    facilities = wiring.build_facilities(configs)
    facilities[ModelClients] = report_cuts(facilities[ModelClients], watch.remark)
    run = Run(
        configs=configs,
        locks=wiring.build_locks(configs, None),
        messages=[],
        now=local_now,
        is_cancelled=watch.is_cancelled,
        facilities=facilities,
    )
    return build_run_model(run, wiring.build_handlers())


def build_memory_embedder(endpoint: str, watch: Watch = UNWATCHED) -> Embedder:
    """The embedder of an endpoint, as the user whose config counts; whoever watches ends a call by cancelling.

    WILMER_MEMORY_EMBEDDER names this function.
    """
    return _WatchedEmbedder(EndpointEmbedder(wiring.open_configs().read_target(endpoint)), watch)


@dataclass(frozen=True, slots=True)
class _WatchedEmbedder:
    """Gives a silent server up as soon as somebody cancels."""

    inner: Embedder
    watch: Watch

    @property
    def model(self) -> str:
        """As the one inside."""
        return self.inner.model

    def embed(self, texts: Sequence[str]) -> list[list[float]] | None:
        """As the one inside; raises RunCancelledError when it is given up."""
        return wait_for(lambda: self.inner.embed(texts), self._check)

    def _check(self) -> None:
        if self.watch.is_cancelled():
            raise RunCancelledError("The work was cancelled.")
