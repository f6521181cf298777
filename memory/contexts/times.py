"""Times as they are stored, read for showing."""

from __future__ import annotations

from datetime import UTC, datetime


def parse_stored_time(text: str | None) -> datetime | None:
    """An ISO 8601 time as WilmerAI stores it, UTC when it names no zone (memory.md §14.2); None when unreadable."""
    try:
        moment = datetime.fromisoformat((text or "").strip())
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def from_nanoseconds(modified_ns: int | None) -> datetime | None:
    """The modification time of a file, aware, in UTC."""
    return None if modified_ns is None else datetime.fromtimestamp(modified_ns / 1e9, UTC)
