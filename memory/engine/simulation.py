"""What memory would have done over a whole conversation under other thresholds; no model is asked."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from memory.engine.chunking import Span, list_spans
from memory.engine.memory_settings import Thresholds
from memory.engine.messages import drop_system
from memory.engine.tokens import estimate_sizes
from memory.engine.triggers import MIN_MESSAGES, WriterPath
from memory.types import Message


@dataclass(frozen=True, slots=True)
class SimulatedChunk:
    """One chunk that would have been made. Positions count without system messages."""

    span: Span
    token_estimate: int
    turn: int
    """How many messages there were when it was made."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """All chunks that these thresholds would have made, one model call each."""

    chunks: tuple[SimulatedChunk, ...]
    run_count: int
    """How many turns would have written memories."""
    message_count: int
    """Without system messages."""
    waiting: int
    """Messages behind the last chunk, the tail included."""

    @property
    def token_estimate(self) -> int:
        """The estimated tokens of chat that all calls together would read."""
        return sum(chunk.token_estimate for chunk in self.chunks)


def simulate(messages: Sequence[Message], thresholds: Thresholds, path: WriterPath) -> Simulation:
    """Go through a conversation turn by turn, as if nothing had been remembered yet.

    A turn is a request: what a user says, answered after memory had its chance (memory.md §10). Every message is
    hashed as if it were unlike all others, so repeated texts do not disturb the result (traps F4). Linear.
    """
    spoken = drop_system(messages)
    walk = _Walk(spoken, thresholds, counts_messages=path is WriterPath.VECTOR)
    others = len(messages) - len(spoken)
    for position, message in enumerate(spoken, 1):
        if message.role == "user" and position + others >= MIN_MESSAGES:
            walk.take_turn(position)
    return Simulation(tuple(walk.chunks), walk.run_count, len(spoken), len(spoken) - walk.done)


class _Walk:
    """How far the simulated memory has got."""

    def __init__(self, spoken: Sequence[Message], thresholds: Thresholds, *, counts_messages: bool) -> None:
        self._spoken = spoken
        self._thresholds = thresholds
        self._counts_messages = counts_messages
        """False while there is no memory file: then only tokens count (traps F6)."""
        self._words = [0, *itertools.accumulate(len(message.text.split()) for message in spoken)]
        self._characters = [0, *itertools.accumulate(len(message.text) for message in spoken)]
        self.chunks: list[SimulatedChunk] = []
        self.done = 0
        self.run_count = 0

    def take_turn(self, position: int) -> None:
        """Decide on one request that has so many messages."""
        end = position - min(max(0, self._thresholds.lookback), position)
        if self._is_triggered(end):
            self._make_chunks(end, position)
        self._counts_messages = True

    def _is_triggered(self, end: int) -> bool:
        count = end - self.done
        if count <= 0:
            return False
        if self._counts_messages and count >= self._thresholds.max_messages:
            return True
        return self._estimate(self.done, end) >= self._thresholds.chunk_size

    def _make_chunks(self, end: int, position: int) -> None:
        spans = list_spans(self._spoken[self.done : end], self._thresholds.chunk_size)
        for span in (span.shift(self.done) for span in spans):
            self.chunks.append(SimulatedChunk(span, self._estimate(span.start, span.end), position))
        self.done = end
        self.run_count += 1

    def _estimate(self, start: int, end: int) -> int:
        """The estimate of messages joined by line feeds, from running totals."""
        words = self._words[end] - self._words[start]
        characters = self._characters[end] - self._characters[start] + max(0, end - start - 1)
        return estimate_sizes(words, characters)
