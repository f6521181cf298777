"""Plays a transcript turn by turn through the rules of memory, to learn which messages each memory covers.

Nothing here writes texts: every entry's text is the stretch of messages it covers, such as `9-16`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from memory.engine.chunking import PackedChunk, pack_messages
from memory.engine.condensation import condense, find_condensation
from memory.engine.hashing import hash_message
from memory.engine.memory_settings import MemorySettings
from memory.engine.messages import build_conversation, drop_system
from memory.engine.new_messages import HISTORY_DEPTH
from memory.engine.summary_plan import SummaryNode, list_batches, list_unsummarised
from memory.engine.triggers import Decision, Outcome, Progress, WriterPath, decide
from memory.types import Entry, Message
from sample.build.sources import Transcript

PLACEHOLDER = "PLACEHOLDER_TIMESTAMP_HASH_0000"
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LOOKING_THINGS_UP = timedelta(seconds=3)


@dataclass(frozen=True, slots=True)
class Turn:
    """One request: the messages as memory sees them, and when it came."""

    messages: tuple[Message, ...]
    time: datetime
    answered: datetime


@dataclass(frozen=True, slots=True)
class VectorChunk:
    """A chunk that became vector memories."""

    covers: str
    hash: str
    stored: datetime


@dataclass(slots=True)
class Replay:
    """What memory holds after the last turn."""

    ledger: list[Entry] = field(default_factory=list)
    ledger_exists: bool = False
    tracker: str = ""
    summary: list[Entry] = field(default_factory=list)
    vector_chunks: list[VectorChunk] = field(default_factory=list)
    timestamps: dict[str, str] = field(default_factory=dict)


def replay(transcript: Transcript, settings: MemorySettings, node: SummaryNode) -> Replay:
    """Run every turn of a conversation through both writer paths, condensation, summary and timestamps."""
    state = Replay()
    for turn in list_turns(transcript):
        _track_times(state, turn)
        _write_vector_memories(state, turn, settings)
        _write_file_memories(state, turn, settings)
        _summarise(state, node)
    return state


def list_turns(transcript: Transcript) -> Iterator[Turn]:
    """The requests a chat front end made: one for each message of the user, with all messages before it."""
    for at, message in enumerate(transcript.messages):
        if message["role"] == "user":
            sent = build_conversation(transcript.messages[: at + 1]).messages
            yield Turn(sent, transcript.times[at - 1], transcript.times[at])


def format_time(time: datetime) -> str:
    """A time as WilmerAI stamps messages (memory.md §22)."""
    return f"({_WEEKDAYS[time.weekday()]}, {time:%Y-%m-%d %H:%M:%S})"


def put_texts(entries: Sequence[Entry], texts: Mapping[str, Any]) -> list[Entry]:
    """The entries with what was written by hand for the messages they cover; KeyError when nothing was."""
    return [replace(entry, text=texts[entry.text]) for entry in entries]


def _write_file_memories(state: Replay, turn: Turn, settings: MemorySettings) -> None:
    known = [entry.hash for entry in reversed(state.ledger)]
    progress = Progress(known, file_existed=state.ledger_exists)
    decision = decide(WriterPath.FILE, turn.messages, thresholds=settings.file_thresholds, progress=progress)
    existed, state.ledger_exists = state.ledger_exists, decision.outcome is not Outcome.FEWER_THAN_THREE_MESSAGES
    if not decision.is_triggered:
        return
    state.ledger += [Entry(_label(chunk), chunk.hash) for chunk in _pack(decision)]
    if not existed:
        state.tracker = state.ledger[-1].hash
    plan = find_condensation(state.ledger, state.tracker, settings)
    if plan:
        state.ledger = condense(state.ledger, plan, _join_labels(plan.batch))
        state.tracker = plan.hash


def _write_vector_memories(state: Replay, turn: Turn, settings: MemorySettings) -> None:
    known = [chunk.hash for chunk in reversed(state.vector_chunks)][:HISTORY_DEPTH]
    decision = decide(WriterPath.VECTOR, turn.messages, thresholds=settings.vector_thresholds, progress=Progress(known))
    if not decision.is_triggered:
        return
    for order, chunk in enumerate(_pack(decision), start=1):
        fraction = timedelta(microseconds=int(chunk.hash[:6], 16) % 1_000_000)
        stored = turn.answered + order * timedelta(seconds=5) + fraction
        state.vector_chunks.append(VectorChunk(_label(chunk), chunk.hash, stored))


def _summarise(state: Replay, node: SummaryNode) -> None:
    for batch in list_batches(list_unsummarised(state.summary, state.ledger), node):
        state.summary = [Entry(f"1-{batch[-1].text.partition('-')[2]}", batch[-1].hash)]


def _track_times(state: Replay, turn: Turn) -> None:
    pending = state.timestamps.pop(PLACEHOLDER, None)
    spoken = drop_system(turn.messages)
    if pending:
        state.timestamps.setdefault(hash_message(spoken[-2]), pending)
    state.timestamps.setdefault(hash_message(spoken[-1]), format_time(turn.time))
    state.timestamps[PLACEHOLDER] = format_time(turn.time + _LOOKING_THINGS_UP)


def _pack(decision: Decision) -> list[PackedChunk]:
    assert decision.new is not None and decision.new.span is not None
    return pack_messages(decision.messages, decision.thresholds.chunk_size, offset=decision.new.span.start)


def _label(chunk: PackedChunk) -> str:
    return f"{chunk.span.start + 1}-{chunk.span.end}"


def _join_labels(batch: Sequence[Entry]) -> str:
    return f"{batch[0].text.partition('-')[0]}-{batch[-1].text.partition('-')[2]}"
