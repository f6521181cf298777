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


@dataclass(frozen=True, slots=True)
class _MeteredClient:
    client: LlmClient
    meter: Meter

    def ask(self, request: HttpRequest, target: Target) -> Reply:
        started, usage = time.monotonic(), Usage()
        try:
            reply = self.client.ask(request, target)
            usage = reply.usage
            return reply
        finally:
            self._note(target, started, usage)

    def stream(self, request: HttpRequest, target: Target) -> Iterator[ReplyPiece]:
        started, usage = time.monotonic(), Usage()
        try:
            for piece in self.client.stream(request, target):
                usage = piece.usage or usage
                yield piece
        finally:
            self._note(target, started, usage)

    def _note(self, target: Target, started: float, usage: Usage) -> None:
        self.meter.note(Measure(target.type, (time.monotonic() - started) * 1000, usage))
