"""Memory settings in plain words, and what they would make of a conversation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memory.engine.memory_settings import MemorySettings, Thresholds
from memory.engine.simulation import Simulation
from memory.engine.triggers import WriterPath
from workflows_app.contexts.addresses import page_address
from workflows_app.queries.memory_simulation import PathSimulation

MAX_BARS = 300
WIDTH = 1000


@dataclass(frozen=True, slots=True)
class SimulatedBar:
    """One chunk, or several too narrow to be told apart."""

    x: str
    width: str
    is_odd: bool


@dataclass(frozen=True, slots=True)
class PathView:
    """One way of making memories, in words and as bars."""

    title: str
    is_used: bool
    rule: str
    number: str
    text: str
    bars: tuple[SimulatedBar, ...]

    @classmethod
    def build(cls, found: PathSimulation) -> PathView:
        """What would come of it."""
        simulation = found.simulation
        return cls(
            title="Vector memory" if found.path is WriterPath.VECTOR else "File memory",
            is_used=found.is_used,
            rule=describe_thresholds(found.thresholds),
            number=_count(len(simulation.chunks), "memory", "memories") if simulation else "",
            text=_describe_simulation(simulation) if simulation else "",
            bars=tuple(_bars(simulation)) if simulation else (),
        )


@dataclass(frozen=True, slots=True)
class MemoryWordsContext:
    """Plain words and the simulator beside them."""

    sentences: tuple[str, ...]
    paths: tuple[PathView, ...]
    discussions: tuple[str, ...]
    discussion: str
    url: str

    @classmethod
    def build(
        cls, path: str, values: Mapping[str, Any], found: Sequence[PathSimulation], choice: tuple[Sequence[str], str]
    ) -> MemoryWordsContext:
        """`choice` is the discussions there are, and the one that was chosen."""
        return cls(
            sentences=tuple(describe_settings(values)),
            paths=tuple(PathView.build(one) for one in sorted(found, key=lambda one: not one.is_used)),
            discussions=tuple(choice[0]),
            discussion=choice[1],
            url=page_address("config-simulation", path),
        )


def describe_settings(values: Mapping[str, Any]) -> Iterator[str]:
    """What the settings say, a sentence each."""
    settings = MemorySettings(values)
    uses_vectors = settings.uses_vector_memory
    thresholds = settings.vector_thresholds if uses_vectors else settings.file_thresholds
    yield describe_thresholds(thresholds)
    yield f"QualityMemory writes {'vector memories' if uses_vectors else 'file memories'}, {_writer(settings)}."
    embedding = settings.text("embeddingEndpointName")
    if uses_vectors and embedding:
        yield f"Each gets a vector from {embedding}, and up to {settings.backfill_size:,} older ones along with it."
    elif uses_vectors:
        yield "They get no vectors, so they are found by keywords only."
    if settings.uses_state_document and uses_vectors:
        yield f"A state document is kept by {settings.text('stateDocumentWorkflowName') or 'no workflow yet'}."
    if settings.condenses:
        yield _describe_condensing(settings)


def describe_thresholds(thresholds: Thresholds) -> str:
    """When memories are made: one per about 3,000 tokens or 10 messages, the last 5 messages never."""
    tokens = f"{thresholds.chunk_size:,} tokens"
    messages = _count(thresholds.max_messages, "message", "messages")
    if thresholds.lookback <= 0:
        return f"One memory per about {tokens} or {messages}."
    last = "message" if thresholds.lookback == 1 else f"{thresholds.lookback:,} messages"
    return f"One memory per about {tokens} or {messages}, the last {last} never."


def _writer(settings: MemorySettings) -> str:
    key, target = "fileMemoryWorkflowName", settings.file_target
    if settings.uses_vector_memory:
        key, target = "vectorMemoryWorkflowName", settings.vector_target
    workflow = settings.text(key)
    if workflow:
        return f"made by the workflow {workflow}"
    return f"made by {target.endpoint or 'no endpoint yet'} in at most {target.max_tokens:,} tokens each"


def _describe_condensing(settings: MemorySettings) -> str:
    count = settings.memories_before_condensation
    if count is None:
        return "File memories should be condensed, but how many at a time is not set."
    newest = settings.condensation_buffer
    rest = f", the newest {newest:,} never" if newest > 0 else ""
    return f"Every {count:,} file memories are condensed into one{rest}."


def _describe_simulation(simulation: Simulation) -> str:
    calls = _count(len(simulation.chunks), "model call", "model calls")
    runs = _count(simulation.run_count, "turn", "turns")
    waiting = _count(simulation.waiting, "message", "messages")
    return (
        f"{calls} in {runs} of {simulation.message_count:,} messages, reading about {simulation.token_estimate:,} "
        f"tokens of chat; {waiting} would still wait."
    )


def _bars(simulation: Simulation) -> Iterator[SimulatedBar]:
    chunks, total = simulation.chunks, max(1, simulation.message_count)
    step = max(1, -(-len(chunks) // MAX_BARS))
    for number, at in enumerate(range(0, len(chunks), step)):
        group = chunks[at : at + step]
        start, end = group[0].span.start, group[-1].span.end
        yield SimulatedBar(f"{start / total * WIDTH:.2f}", f"{(end - start) / total * WIDTH:.2f}", number % 2 == 1)


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
