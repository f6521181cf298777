"""Messages inside a chunk at which it can be split: each has a hash that the first part may end with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.engine.timestamps import parse_time
from memory.types import Entry


@dataclass(frozen=True, slots=True)
class SplitPlace:
    """One message that the first part may end with."""

    hash: str
    share: float
    """How much of the chunk's messages lies before and in it, from 0 to 1."""
    message_number: int | None = None
    sent_at: str = ""
    text: str = ""
    """Empty when only its time is known."""


def build_places(messages: Sequence[tuple[int, str, str]]) -> tuple[SplitPlace, ...]:
    """The places between the messages of a chunk: number, hash and text of each, the chunk's last one included."""
    total = sum(len(text) for _, _, text in messages) or 1
    places, before = [], 0
    for number, value, text in messages[:-1]:
        before += len(text)
        if value:
            places.append(SplitPlace(value, before / total, number, text=text))
    return tuple(places)


def find_timed_places(ledger: Sequence[Entry], number: int, timestamps: Mapping[str, object]) -> tuple[SplitPlace, ...]:
    """Places told from `timestamps.json` alone: messages sent between the end of the chunk before and this one's end.

    Empty when the times of both ends are not known.
    """
    end = _time_of(timestamps, ledger[number - 1].hash)
    start = _time_of(timestamps, ledger[number - 2].hash) if number > 1 else datetime.min  # noqa: DTZ901
    if end is None or start is None:
        return ()
    timed = [(moment, value) for value in timestamps if (moment := _time_of(timestamps, value)) is not None]
    inside = sorted((moment, value) for moment, value in timed if start < moment < end)
    count = len(inside) + 1
    return tuple(
        SplitPlace(value, at / count, sent_at=str(timestamps[value])) for at, (_, value) in enumerate(inside, 1)
    )


def choose_place(places: Sequence[SplitPlace], text: str, position: int) -> str | None:
    """The hash of the place nearest to a position in the chunk's text; None without places."""
    share = position / max(1, len(text))
    nearest = min(places, key=lambda place: abs(place.share - share), default=None)
    return nearest.hash if nearest else None


def _time_of(timestamps: Mapping[str, object], value: str) -> datetime | None:
    stored = timestamps.get(value)
    return parse_time(stored) if isinstance(stored, str) else None
