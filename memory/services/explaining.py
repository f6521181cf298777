"""Why memory runs or does not, told from the imported chat; no model is asked and nothing is written."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from memory.engine.chunking import list_spans
from memory.engine.explanations import Explanation, WhatIf, Why
from memory.engine.memory_settings import MemorySettings, Thresholds
from memory.engine.messages import SYSTEM_ROLE
from memory.engine.simulation import Simulation, simulate
from memory.engine.transcripts import TranscriptCard
from memory.engine.triggers import Decision, WriterPath
from memory.queries.transcripts import find_transcript, load_conversation, load_numbers, no_transcript
from memory.results import ApiKeys
from memory.services.creation import preview_creation
from memory.services.opening import UnconnectedModel, WorkshopRequest, open_workshop
from memory.types import DiscussionRef, Message
from memory.wiring import get_memory_settings, open_discussion
from wilmer_site.lib.errors import WilmerError


def find_why(ref: DiscussionRef, keys: ApiKeys) -> Why | None:
    """Both verdicts with every number; None without a transcript. Raises DiscussionNotFoundError."""
    open_discussion(ref, keys)
    messages = load_conversation(ref)
    if not messages:
        return None
    settings, problem = read_settings()
    workshop = open_workshop(WorkshopRequest(ref, keys, model=UnconnectedModel(), settings=settings))
    first = WriterPath.VECTOR if settings.uses_vector_memory else WriterPath.FILE
    numbers = _number_spoken(messages, load_numbers(ref))
    explanations = tuple(
        _explain(preview_creation(workshop, messages, path=path), numbers, is_chosen=path is first)
        for path in sorted(WriterPath, key=lambda path: path is not first)
    )
    return Why(len(messages), explanations, problem)


def find_simulation(ref: DiscussionRef, asked: WhatIf) -> Simulation | None:
    """What memory would have made of the whole chat; None without a transcript."""
    card = find_transcript(ref)
    if card is None or not load_conversation(ref):
        return None
    settings, _ = read_settings()
    factor = thresholds_of(settings, asked.path).factor
    thresholds = Thresholds(asked.chunk_size, factor, asked.max_messages, asked.lookback)
    return _simulate(ref, card, thresholds, asked.path)


def get_why(ref: DiscussionRef, keys: ApiKeys) -> Why:
    """As `find_why`; raises NotFoundError without a transcript."""
    why = find_why(ref, keys)
    if why is None:
        raise no_transcript(ref)
    return why


def get_simulation(ref: DiscussionRef, asked: WhatIf) -> Simulation:
    """As `find_simulation`; raises NotFoundError without a transcript."""
    simulation = find_simulation(ref, asked)
    if simulation is None:
        raise no_transcript(ref)
    return simulation


def get_present_thresholds(path: WriterPath | None = None) -> WhatIf:
    """What the settings say now; without a path, of the one in use."""
    settings, _ = read_settings()
    chosen = path or (WriterPath.VECTOR if settings.uses_vector_memory else WriterPath.FILE)
    found = thresholds_of(settings, chosen)
    return WhatIf(chosen, found.configured_chunk_size, found.max_messages, max(0, found.lookback))


def thresholds_of(settings: MemorySettings, path: WriterPath) -> Thresholds:
    """The thresholds of one path."""
    return settings.vector_thresholds if path is WriterPath.VECTOR else settings.file_thresholds


def read_settings() -> tuple[MemorySettings, str | None]:
    """The memory settings in use; WilmerAI's defaults and the reason when they cannot be read."""
    try:
        return get_memory_settings(), None
    except WilmerError as error:
        return MemorySettings(), error.message


@lru_cache(maxsize=8)
def _simulate(ref: DiscussionRef, card: TranscriptCard, thresholds: Thresholds, path: WriterPath) -> Simulation:  # noqa: ARG001
    """Kept for as long as the card stays the same, which any change of the chat changes."""
    return simulate(load_conversation(ref), thresholds, path)


def _explain(decision: Decision, numbers: Sequence[int], *, is_chosen: bool) -> Explanation:
    new = decision.new
    anchor = numbers[new.anchor_position] if new and new.anchor_position is not None else None
    span = (numbers[new.span.start], numbers[new.span.end - 1]) if new and new.span else None
    return Explanation(decision, is_chosen, anchor, span, _count_calls(decision))


def _count_calls(decision: Decision) -> int:
    return len(list_spans(decision.messages, decision.thresholds.chunk_size)) if decision.messages else 0


def _number_spoken(messages: Sequence[Message], numbers: Sequence[int]) -> list[int]:
    """The numbers of the messages without system messages: positions of a decision count those alone."""
    return [number for message, number in zip(messages, numbers, strict=True) if message.role != SYSTEM_ROLE]
