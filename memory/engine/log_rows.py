"""Which row of the hash log belongs to which memory: both carry the time they were stored (memory.md §6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime


def find_row_of(rows: Sequence[Mapping[str, object]], date_added: str) -> int | None:
    """The position of the first row logged at or after a memory was stored: its chunk's row.

    A chunk is logged after its memories. None when a time cannot be read, or nothing was logged since.
    """
    stored = parse_moment(date_added)
    if stored is None:
        return None
    for position, row in enumerate(rows):
        logged = parse_moment(str(row.get("timestamp") or ""))
        if logged is not None and logged >= stored:
            return position
    return None


def parse_moment(text: str) -> datetime | None:
    """A stored time, UTC when it names no zone; None when it cannot be read."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
