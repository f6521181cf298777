"""The model of the memory layer when no workflow runs: pages, jobs and `manage.py create_memories`."""

from __future__ import annotations

from memory.engine.model_calls import UNWATCHED, Embedder, Model, Watch
from wilmer_site.lib.clock import local_now
from workflows_app import wiring
from workflows_app.engine.run import Run
from workflows_app.llm.client import ModelClients
from workflows_app.llm.cut_answers import report_cuts
from workflows_app.llm.embeddings import EndpointEmbedder
from workflows_app.llm.memory_model import build_run_model


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


def build_memory_embedder(endpoint: str) -> Embedder:
    """The embedder of an endpoint, as the user whose config counts. WILMER_MEMORY_EMBEDDER names this function."""
    return EndpointEmbedder(wiring.open_configs().read_target(endpoint))
