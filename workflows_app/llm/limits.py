"""How long and how much a model server may answer."""

from __future__ import annotations

from dataclasses import dataclass

from workflows_app.types import JsonObject

DEFAULT_CONNECT_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class CallLimits:
    """Limits of one call. Every wait can be cancelled before its time is over."""

    connect_seconds: float = DEFAULT_CONNECT_SECONDS
    silent_seconds: float = 60.0
    """Longest pause before the first and between two pieces of a streamed answer."""
    answer_seconds: float = 600.0
    """Longest wait for an answer that comes as a whole."""
    whole_seconds: float = 3600.0
    """Longest time a whole answer may take, however it trickles in."""
    answer_bytes: int = 32 * 1024 * 1024
    """Longest body of a response, streamed or not."""
    retry_pauses: tuple[float, ...] = (0.5, 1.0, 2.0)
    """Pauses before the connection tries again after 429, 500, 502, 503 or 504; empty: it does not."""
    longest_pause_seconds: float = 30.0
    """A `Retry-After` beyond this is not waited for."""


DEFAULT_LIMITS = CallLimits()


def read_connect_seconds(user: JsonObject) -> float:
    """The user's `connectTimeoutInSeconds`, at least one second; 30 when it is absent or no number."""
    value = user.get("connectTimeoutInSeconds")
    if isinstance(value, bool) or not isinstance(value, int | float):
        return DEFAULT_CONNECT_SECONDS
    return max(1.0, float(value))
