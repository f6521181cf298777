"""Where memory is cut when a conversation is rolled back: what was made from messages behind the cut goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from memory.engine.chunk_facts import condensed_count
from memory.engine.covered_messages import spans_of
from memory.types import Entry
from wilmer_site.lib.errors import InvalidError


@dataclass(frozen=True, slots=True)
class RollbackPoint:
    """From where on everything is forgotten: a message of the chat, or behind a chunk of the ledger."""

    message: int | None = None
    """The first message that is forgotten, counted from 1."""
    chunk: int | None = None
    """The last chunk that stays; 0 for none."""

    def __post_init__(self) -> None:
        if (self.message is None) == (self.chunk is None):
            raise InvalidError("Name either the first message to forget or the last chunk to keep.", field="message")
        if self.message is not None and self.message < 1:
            raise InvalidError("The first message is number 1.", field="message")
        if self.chunk is not None and self.chunk < 0:
            raise InvalidError("A chunk to keep has a number, or 0 for none.", field="chunk")


@dataclass(frozen=True, slots=True)
class LogRow:
    """One row of the hash log, or of the first-generation tracker."""

    row_id: int | None
    message_hash: str
    timestamp: str


@dataclass(frozen=True, slots=True)
class LogCut:
    """What goes of the vector memory."""

    kept: tuple[LogRow, ...]
    removed: tuple[LogRow, ...]
    memory_ids: tuple[int, ...]
    """Stored after the last row that stays."""


def count_kept_chunks(entries: Sequence[Entry], message_hashes: Sequence[str], message: int) -> int:
    """How many chunks, from the oldest, were made only from messages before this one.

    The first chunk that ends at or behind the message ends the run; chunks whose message is not in the chat stay
    with those around them.
    """
    for number, span in enumerate(spans_of(entries, message_hashes)):
        if span.span is not None and span.span.end >= message:
            return number
    return len(entries)


def find_first_forgotten(entries: Sequence[Entry], message_hashes: Sequence[str], kept: int) -> int | None:
    """The message behind the newest chunk that stays, counted from 1; None when the chat does not hold its end."""
    if not message_hashes:
        return None
    if not kept:
        return 1
    last = spans_of(entries, message_hashes)[kept - 1].span
    return last.end + 1 if last else None


def find_straddling(entries: Sequence[Entry], message_hashes: Sequence[str], message: int, kept: int) -> Entry | None:
    """The first chunk that goes, if it was made from messages before the cut, too."""
    if kept >= len(entries):
        return None
    span = spans_of(entries, message_hashes)[kept].span
    return entries[kept] if span is not None and span.start + 1 < message <= span.end else None


def reaches_behind(positions: Sequence[int], message: int) -> bool:
    """Whether a text stands in the chat only from this message on, so that what was made up to it goes."""
    return bool(positions) and min(positions) >= message


def cut_log(rows: Sequence[LogRow], kept: int, memories: Sequence[tuple[int, str]]) -> LogCut:
    """Keep the first rows; memories stored later than the last of them go with the others.

    A memory is stored together with its row or shortly before it (memory.md §13), so times tell where it belongs.
    One whose date cannot be read stays, and all stay when no row that stays has a time that can be read.
    """
    if kept >= len(rows):
        return LogCut(tuple(rows), (), ())
    times = [moment for row in rows[:kept] if (moment := _moment(row.timestamp))]
    if kept and not times:
        going: list[int] = []
    else:
        border = times[-1] if times else None
        going = [memory_id for memory_id, date in memories if _is_later(date, border)]
    return LogCut(tuple(rows[:kept]), tuple(rows[kept:]), tuple(going))


def count_kept_rows(rows: Sequence[LogRow], message_hashes: Sequence[str], message: int) -> int:
    """How many log rows, from the oldest, stand for messages before this one."""
    return count_kept_chunks([Entry("", row.message_hash) for row in rows], message_hashes, message)


def find_row(rows: Sequence[LogRow], message_hash: str) -> int | None:
    """How many rows there are up to the newest one with that hash; None when none has it."""
    return next((number for number in range(len(rows), 0, -1) if rows[number - 1].message_hash == message_hash), None)


def cut_tracker(tracker: str, entries: Sequence[Entry], kept: int) -> str:
    """The condensation tracker for the first chunks alone; empty when it then has no chunk to name."""
    condensed = condensed_count(tracker, entries)
    if not condensed or condensed <= kept:
        return tracker
    return entries[kept - 1].hash if kept else ""


def cut_timestamps(values: Mapping[str, str], positions: Mapping[str, tuple[int, ...]], message: int) -> dict[str, str]:
    """The times without those of messages that stand only behind the cut."""
    return {value: time for value, time in values.items() if not positions.get(value) or positions[value][0] < message}


def _is_later(date: str, border: datetime | None) -> bool:
    moment = _moment(date)
    return border is None or (moment is not None and moment > border)


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
