"""What model servers count: their clients are wrapped, so that every call tells its time and tokens."""

from __future__ import annotations

import queue
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from workflows_app.llm.client import LlmClient, ModelClients, Reply, ReplyPiece, Usage
from workflows_app.llm.requests import HttpRequest
from workflows_app.types import Target


@dataclass(frozen=True, slots=True)
class Measure:
    """One call that is over, well or badly."""

    type: str
    """The endpoint's API type."""
    milliseconds: float
    usage: Usage
    answer: str = ""
    """What the server said, as it came."""


@dataclass(frozen=True, slots=True)
class Meter:
    """Collects measures; calls happen in threads of their own."""

    _found: queue.SimpleQueue[Measure] = field(default_factory=queue.SimpleQueue)

    def note(self, measure: Measure) -> None:
        """Remember one call."""
        self._found.put(measure)

    def drain(self) -> list[Measure]:
        """What was measured since the last time, oldest first."""
        measures: list[Measure] = []
        while True:
            try:
                measures.append(self._found.get_nowait())
            except queue.Empty:
                return measures


def meter_clients(clients: ModelClients, meter: Meter) -> ModelClients:
    """The same clients, measured."""
    return ModelClients({name: _MeteredClient(client, meter) for name, client in clients.by_type.items()})


@dataclass(slots=True)
class _Said:
    """What a server has said so far."""

    usage: Usage = field(default_factory=Usage)
    texts: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _MeteredClient:
    client: LlmClient
    meter: Meter

    def ask(self, request: HttpRequest, target: Target) -> Reply:
        started, said = time.monotonic(), _Said()
        try:
            reply = self.client.ask(request, target)
            said.usage = reply.usage
            said.texts.append(reply.text)
            return reply
        finally:
            self._note(target, started, said)

    def stream(self, request: HttpRequest, target: Target) -> Iterator[ReplyPiece]:
        started, said = time.monotonic(), _Said()
        try:
            for piece in self.client.stream(request, target):
                said.usage = piece.usage or said.usage
                said.texts.append(piece.text)
                yield piece
        finally:
            self._note(target, started, said)

    def _note(self, target: Target, started: float, said: _Said) -> None:
        milliseconds = (time.monotonic() - started) * 1000
        self.meter.note(Measure(target.type, milliseconds, said.usage, "".join(said.texts)))
