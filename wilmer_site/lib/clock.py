"""The only places that ask what time it is; everything below the edge is given the time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Gives an aware time."""


def utc_now() -> datetime:
    """The present moment, aware, in UTC."""
    return datetime.now(UTC)


def local_now() -> datetime:
    """The present moment in the machine's zone, without an offset, as WilmerAI stamps messages (memory.md §22)."""
    return datetime.now().astimezone().replace(tzinfo=None)
