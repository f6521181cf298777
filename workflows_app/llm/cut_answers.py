"""Answers that end at their limit of tokens: the clients are wrapped, so that somebody is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from workflows_app.llm.client import LlmClient, ModelClients, Reply, ReplyPiece
from workflows_app.llm.requests import HttpRequest
from workflows_app.types import Target

CUT = "length"
"""The reason to finish that every client tells when the limit was reached."""


def report_cuts(clients: ModelClients, report: Callable[[str], None]) -> ModelClients:
    """The same clients; `report` hears a sentence for every answer that was cut off, maybe in another thread."""
    return ModelClients({name: _ReportingClient(client, report) for name, client in clients.by_type.items()})


@dataclass(frozen=True, slots=True)
class _ReportingClient:
    client: LlmClient
    report: Callable[[str], None]

    def ask(self, request: HttpRequest, target: Target) -> Reply:
        reply = self.client.ask(request, target)
        self._judge(reply.finish_reason, target)
        return reply

    def stream(self, request: HttpRequest, target: Target) -> Iterator[ReplyPiece]:
        for piece in self.client.stream(request, target):
            self._judge(piece.finish_reason, target)
            yield piece

    def _judge(self, reason: str | None, target: Target) -> None:
        if reason == CUT:
            self.report(
                f"An answer of {target.name!r} was cut off at its limit of tokens. Read its end, or raise the limit"
                " of its node or settings (maxResponseSizeInTokens)."
            )
