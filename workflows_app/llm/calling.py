"""Asking a model with retries and backups, whole or streamed (workflows.md §8.5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from wilmer_site.lib.errors import UpstreamError
from workflows_app.engine.events import ModelAsked, TokenStreamed, ToolCallsStreamed
from workflows_app.engine.node import Steps
from workflows_app.engine.run import Run
from workflows_app.engine.samplers import Sizes, build_samplers
from workflows_app.errors import ConfigInvalidError, ModelCallError
from workflows_app.llm.cleaning import CleaningRules, StreamCleaner
from workflows_app.llm.client import LlmClient, ModelClients, Reply, ReplyPiece
from workflows_app.llm.hosts import is_clearly_public
from workflows_app.llm.requests import HttpRequest, Saying, build_request
from workflows_app.llm.tool_calls import ToolCallCollector
from workflows_app.llm.waiting import iterate, wait_for
from workflows_app.types import Target

ATTEMPTS = 3
"""Attempts of an unstreamed call without a backup."""


@dataclass(frozen=True, slots=True)
class Question:
    """One thing to be asked: who, with which preset, and how it is said to whichever endpoint answers."""

    target: Target
    preset: str
    response_tokens: int | None
    compose: Callable[[Target], Saying]
    path: tuple[int, ...] = ()


def check_connection(run: Run, target: Target, preset: str) -> None:
    """Raises what a call would raise before it is made: a preset that is not there, an endpoint for vectors."""
    if target.type.endswith("Embeddings"):
        raise ConfigInvalidError(
            f"Endpoint {target.name!r} uses embeddings API type {target.type!r} and cannot be used for text "
            "generation. Reference it from an embeddings setting (such as 'embeddingEndpointName') instead.",
            endpoint=target.name,
        )
    run.configs.read_preset(preset, target)


def ask_model(run: Run, question: Question) -> Steps:
    """The whole Reply. Raises ModelCallError with the server's own words when no endpoint of the chain answers."""
    visited: list[str] = []
    while True:
        visited.append(question.target.name)
        backup = _backup_name(question)
        request, client = _prepare(run, question, is_streaming=False)
        for attempt in range(1 if backup else ATTEMPTS):
            yield _asked(question, request)
            try:
                return wait_for(lambda: client.ask(request, question.target), run.check_cancelled)  # noqa: B023
            except UpstreamError:
                if not backup and attempt == ATTEMPTS - 1:
                    raise
        question = _fail_over(run, question, backup, visited)


def stream_model(run: Run, question: Question, rules: CleaningRules) -> Steps:
    """Streams the cleaned answer and returns it as a Reply; a backup may take over before the first piece only."""
    visited: list[str] = []
    while True:
        visited.append(question.target.name)
        backup = _backup_name(question)
        request, client = _prepare(run, question, is_streaming=True)
        yield _asked(question, request)
        answer = _Answer(StreamCleaner(rules))
        try:
            yield from _stream_once(run, question, (request, client), answer)
            return answer.reply()
        except UpstreamError:
            if answer.has_begun or not backup:
                raise
        question = _fail_over(run, question, backup, visited)


class _Answer:
    """A streamed answer as it grows."""

    def __init__(self, cleaner: StreamCleaner) -> None:
        self.cleaner = cleaner
        self.has_begun = False
        self.texts: list[str] = []
        self.calls = ToolCallCollector()
        self.last = ReplyPiece()

    def take(self, piece: ReplyPiece) -> str:
        """What of the piece can be sent on now."""
        self.has_begun = self.has_begun or bool(piece.text or piece.tool_calls)
        self.calls.add(piece.tool_calls)
        self.last = replace(
            self.last,
            finish_reason=piece.finish_reason or self.last.finish_reason,
            usage=piece.usage or self.last.usage,
        )
        return self.cleaner.feed(piece.text) if piece.text else ""

    def reply(self) -> Reply:
        """The answer as a whole."""
        calls = self.calls.calls
        reason = "tool_calls" if calls else self.last.finish_reason or "stop"
        reply = Reply("".join(self.texts), calls, reason)
        return replace(reply, usage=self.last.usage) if self.last.usage else reply


def _stream_once(run: Run, question: Question, call: tuple[HttpRequest, LlmClient], answer: _Answer) -> Steps:
    request, client = call
    pieces = iterate(lambda: client.stream(request, question.target), run.check_cancelled)
    for piece in pieces:
        text = answer.take(piece)
        if text:
            answer.texts.append(text)
            yield TokenStreamed(text)
        if piece.tool_calls:
            yield ToolCallsStreamed(piece.tool_calls)
    rest = answer.cleaner.finish()
    if rest:
        answer.texts.append(rest)
        yield TokenStreamed(rest)


def _prepare(run: Run, question: Question, *, is_streaming: bool) -> tuple[HttpRequest, LlmClient]:
    target = question.target
    check_connection(run, target, question.preset)
    preset = run.configs.read_preset(question.preset, target)
    samplers = build_samplers(preset, target, Sizes(question.response_tokens, is_streaming))
    request = build_request(target, question.compose(target), samplers, is_streaming=is_streaming)
    return request, run.facility(ModelClients).client_for(target)


def _asked(question: Question, request: HttpRequest) -> ModelAsked:
    return ModelAsked(
        path=question.path,
        url=request.url,
        body=request.body,
        endpoint=question.target.name,
        preset=question.preset,
        response_tokens=question.response_tokens,
    )


def _backup_name(question: Question) -> str:
    return str(question.target.endpoint.get("backupEndpointName") or "")


def _fail_over(run: Run, question: Question, backup: str, visited: list[str]) -> Question:
    if backup in visited:
        raise ModelCallError(
            f"Failover cycle detected: backup {backup!r} is already in the failover chain (visited endpoints: "
            f"{', '.join(visited)}). Check the backupEndpointName settings on each endpoint."
        )
    target = run.configs.read_target(backup)
    address = str(target.endpoint.get("endpoint") or "")
    if not target.endpoint.get("allowRemoteBackup") and is_clearly_public(address):
        raise ModelCallError(
            f"Failover to backup {backup!r} is blocked: its host ({address}) is a public address, so failing over "
            "would send the prompt and conversation off-machine. If that is intended, set "
            f'"allowRemoteBackup": true on endpoint {backup!r}.'
        )
    preset = str(question.target.endpoint.get("backupPresetName") or question.preset)
    return replace(question, target=target, preset=preset)
