"""Properties that must be of the right kind as written, with the words that say what is wrong (workflows.md §10.13)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from workflows_app.engine.node import NodeContext
from workflows_app.errors import NodeFailedError

RAISE, RETURN = "raise", "return"
DEFAULT_TIMEOUT_SECONDS = 30.0
DEFAULT_RESPONSE_BYTES = 10 * 1024 * 1024


def read_choice(context: NodeContext, key: str, choices: tuple[str, ...]) -> str:
    """One of a few words; the first is the default."""
    value = context.node.get(key, choices[0])
    if value not in choices:
        raise NodeFailedError(f"{_who(context)} {key!r} must be one of {choices!r}; got {value!r}.")
    return str(value)


def returns_errors(context: NodeContext) -> bool:
    """Whether `onError` makes a failure the node's result."""
    return read_choice(context, "onError", (RAISE, RETURN)) == RETURN


def read_timeout(context: NodeContext, default: float = DEFAULT_TIMEOUT_SECONDS) -> float:
    """`timeout` in seconds, a number or the text of one."""
    value = context.node.get("timeout")
    if value is None:
        return default
    try:
        seconds = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        seconds = math.nan
    if math.isnan(seconds):
        raise NodeFailedError(f"{_who(context)} 'timeout' must be a number of seconds; got {value!r}.")
    if not 0 < seconds < math.inf:
        raise NodeFailedError(f"{_who(context)} 'timeout' must be a positive number of seconds; got {value!r}.")
    return seconds


def read_flag(context: NodeContext, key: str, *, default: bool) -> bool:
    """A switch that must be a boolean."""
    value = context.node.get(key, default)
    if not isinstance(value, bool):
        raise NodeFailedError(f"{_who(context)} {key!r} must be a boolean (true/false); got {value!r}.")
    return value


def read_response_limit(context: NodeContext) -> int:
    """`maxResponseBytes`; 0 means that there is no limit."""
    value = context.node.get("maxResponseBytes", DEFAULT_RESPONSE_BYTES)
    try:
        limit = None if isinstance(value, bool) else int(value)
    except (TypeError, ValueError, OverflowError):
        limit = None
    if limit is None:
        raise NodeFailedError(f"{_who(context)} 'maxResponseBytes' must be an integer; got {value!r}.")
    return max(0, limit)


def read_object(context: NodeContext, key: str) -> dict[str, Any]:
    """A JSON object; empty when absent."""
    value = context.node.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise NodeFailedError(f"{_who(context)} {key!r} must be a JSON object.")
    return value


def read_hosts(context: NodeContext) -> frozenset[str] | None:
    """`allowedHosts`, resolved and in lower case; None when the node restricts nothing."""
    value = context.node.get("allowedHosts")
    if value is None:
        return None
    if not isinstance(value, list):
        raise NodeFailedError(f"{_who(context)} 'allowedHosts' must be a JSON list of host strings.")
    hosts = frozenset(host for host in (context.resolve(str(item)).strip().lower() for item in value) if host)
    if not hosts:
        raise NodeFailedError(
            f"{_who(context)} 'allowedHosts' was configured but contains no usable host entries; refusing to run with "
            "no effective host restriction."
        )
    return hosts


def read_proxy(context: NodeContext) -> str:
    """`proxy`, resolved; empty when absent."""
    value = context.node.get("proxy")
    if value is None:
        return ""
    if not isinstance(value, str):
        raise NodeFailedError(f"{_who(context)} 'proxy' must be a string URL (e.g., 'socks5://host:1080').")
    return context.resolve(value).strip()


def read_texts(context: NodeContext, key: str) -> list[tuple[str, str]]:
    """The items of a list as texts: as written, and resolved. Raises NodeFailedError when the list is missing."""
    values = context.node.get(key)
    if values is None:
        raise NodeFailedError(f"{_who(context)} node requires an {key!r} field (a JSON list).")
    if not isinstance(values, Sequence) or isinstance(values, str):
        raise NodeFailedError(f"{_who(context)} {key!r} must be a JSON list of strings.")
    return [(str(value), context.resolve(str(value))) for value in values]


def read_required(context: NodeContext, key: str) -> str:
    """A template that must be there, resolved."""
    value = context.node.get(key)
    if not value:
        raise NodeFailedError(f"{_who(context)} node requires a {key!r} field.")
    return context.resolve(str(value))


def _who(context: NodeContext) -> str:
    return str(context.node.get("type"))
