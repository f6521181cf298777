"""The chat beside the memory: what each chunk covers, why memory runs, what nodes would return."""

from __future__ import annotations

from typing import Any

from ninja import Schema
from pydantic import Field

from memory.engine.coverage import Coverage, Trouble
from memory.engine.explanations import Explanation, WhatIf, Why
from memory.engine.origin_evidence import Confidence
from memory.engine.simulation import Simulation
from memory.engine.transcripts import TranscriptLine
from memory.engine.triggers import Outcome, Rule, WriterPath
from memory.queries.origins import WeighedOrigin
from memory.schemas.base import PageSchema, Text


class ReachSchema(Schema):
    """How far one layer of memory has got."""

    last: int = Field(description="Number of the last message in it; 0 for none.")
    is_known: bool = Field(description="False when it has hashes, but none of them is in the chat.")


class CoveredSchema(Schema):
    """One chunk and the messages it was made from."""

    number: int
    hash: Text
    first: int | None = Field(description="Null when no message has its hash.")
    last: int | None
    candidates: list[int] = Field(description="Every message with its hash.")
    changed: list[int] = Field(description="Messages in it that were not there when it was made.")
    lost: int = Field(description="How many messages it was made from are gone.")
    gap: tuple[int, int] | None = Field(description="First and last of the messages in front that no chunk has.")
    troubles: list[Trouble]


class CoveragePage(PageSchema):
    """The X-ray of a discussion."""

    items: list[CoveredSchema]
    message_count: int
    file: ReachSchema
    vector: ReachSchema
    summary: ReachSchema
    summary_behind: int | None
    tail_start: int = Field(description="From this message on memory does not look yet.")
    counts: dict[str, int] = Field(description="Chunks per trouble.")

    @staticmethod
    def facts(coverage: Coverage) -> dict[str, Any]:
        """Everything but the page of chunks."""
        names = ("message_count", "file", "vector", "summary", "summary_behind", "tail_start", "counts")
        return {name: getattr(coverage, name) for name in names}


class CoveredMessageSchema(Schema):
    """One message under a chunk."""

    number: int
    role: Text
    name: Text
    text: Text
    hash: Text

    @staticmethod
    def resolve_text(obj: TranscriptLine) -> str:
        """As it was imported."""
        return obj.text


class CoveredMessagePage(PageSchema):
    """The messages a chunk was made from."""

    items: list[CoveredMessageSchema]
    chunk: CoveredSchema


class OriginSchema(Schema):
    """The messages that a vector memory probably came from; its own row does not say."""

    first: int
    last: int
    chunks: list[int] = Field(description="Chunks of the ledger made from the same messages.")
    waited_seconds: float = Field(description="Between the memory and the row of the hash log behind it.")
    confidence: Confidence
    found: list[Text] = Field(description="Terms of the memory that the messages say.")
    missing: list[Text]

    @classmethod
    def build(cls, weighed: WeighedOrigin) -> dict[str, Any]:
        """An origin with what speaks for it."""
        origin, evidence = weighed.origin, weighed.evidence
        places = {name: getattr(origin, name) for name in ("first", "last", "chunks", "waited_seconds")}
        return {**places, **{name: getattr(evidence, name) for name in ("confidence", "found", "missing")}}


class OriginAnswer(Schema):
    """Where a vector memory came from, as far as can be told."""

    origin: OriginSchema | None = Field(description="Null when no row of the hash log fits, or no chat is attached.")


class RuleSchema(Schema):
    """One rule and the numbers it saw."""

    rule: Rule
    is_met: bool
    found: int
    needed: int
    is_in_force: bool


class VerdictSchema(Schema):
    """What one path of the writer would decide now."""

    path: WriterPath
    is_chosen: bool = Field(description="Whether the memory settings use this path.")
    is_triggered: bool
    outcome: Outcome
    rules: list[RuleSchema]
    token_estimate: int
    messages_missing: int | None = Field(description="Null when no number of messages starts a run.")
    tokens_missing: int
    anchor: int | None = Field(description="Number of the last message that memory has processed.")
    new: tuple[int, int] | None = Field(description="First and last message that would be processed.")
    call_count: int

    @classmethod
    def build(cls, explanation: Explanation) -> dict[str, Any]:
        """A verdict flattened."""
        decision = explanation.decision
        names = ("path", "is_triggered", "outcome", "token_estimate", "messages_missing", "tokens_missing")
        own = {name: getattr(explanation, name) for name in ("is_chosen", "anchor", "new", "call_count")}
        return {**{name: getattr(decision, name) for name in names}, **own, "rules": decision.verdicts}


class ThresholdsSchema(Schema):
    """Thresholds that are tried out."""

    path: WriterPath
    chunk_size: int
    max_messages: int
    lookback: int


class SimulatedChunkSchema(Schema):
    """One chunk that would have been made; positions count from 1 without system messages."""

    first: int
    last: int
    token_estimate: int
    turn: int


class SimulationSchema(Schema):
    """What memory would have made of the whole chat."""

    thresholds: ThresholdsSchema
    chunk_count: int
    run_count: int
    token_estimate: int
    waiting: int
    chunks: list[SimulatedChunkSchema]

    @classmethod
    def build(cls, tried: WhatIf, simulation: Simulation) -> dict[str, Any]:
        """The answer."""
        names = ("run_count", "token_estimate", "waiting")
        chunks = [
            {
                "first": chunk.span.start + 1,
                "last": chunk.span.end,
                "token_estimate": chunk.token_estimate,
                "turn": chunk.turn,
            }
            for chunk in simulation.chunks
        ]
        facts = {name: getattr(simulation, name) for name in names}
        return {"thresholds": tried, "chunk_count": len(chunks), "chunks": chunks, **facts}


class WhySchema(Schema):
    """Both verdicts over the chat as it was imported."""

    message_count: int
    settings_problem: Text | None
    verdicts: list[VerdictSchema]

    @classmethod
    def build(cls, why: Why) -> dict[str, Any]:
        """The answer."""
        return {
            "message_count": why.message_count,
            "settings_problem": why.settings_problem,
            "verdicts": [VerdictSchema.build(explanation) for explanation in why.explanations],
        }


class PreviewSchema(Schema):
    """The text one memory node would return."""

    node: str
    title: str
    note: str
    text: Text
    token_estimate: int


class PreviewListSchema(Schema):
    """One preview for each node."""

    previews: list[PreviewSchema]
