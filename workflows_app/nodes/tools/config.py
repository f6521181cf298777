"""Settings of the tool nodes, checked before anything runs (workflows.md §10.14, §10.15)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workflows_app.engine.node import NodeContext
from workflows_app.engine.properties import (
    read_choice,
    read_flag,
    read_hosts,
    read_object,
    read_proxy,
    read_required,
    read_response_limit,
    read_texts,
    read_timeout,
    returns_errors,
)

STDOUT, BOTH, FULL = "stdout", "stdout+stderr", "full"


@dataclass(frozen=True, slots=True)
class CurlSettings:
    """One `CurlCommand` node. `args` are pairs: as written, and resolved."""

    args: tuple[tuple[str, str], ...]
    output_format: str
    returns_errors: bool
    timeout_seconds: float
    limit_bytes: int
    proxy: str
    blocks_private: bool
    allowed_hosts: frozenset[str] | None
    blocks_options: bool
    allows_schemes: bool

    @property
    def has_guard(self) -> bool:
        """Whether the hosts that are asked matter."""
        return self.blocks_private or self.allowed_hosts is not None


@dataclass(frozen=True, slots=True)
class ToolSettings:
    """One `MCPToolCall` node, templates resolved."""

    server: str
    tool: str
    arguments: Mapping[str, Any]
    timeout_seconds: float
    returns_errors: bool


def read_curl_settings(context: NodeContext) -> CurlSettings:
    """Raises NodeFailedError for what cannot be meant, even with `onError: return`."""
    return CurlSettings(
        args=tuple(read_texts(context, "args")),
        output_format=read_choice(context, "outputFormat", (STDOUT, BOTH, FULL)),
        returns_errors=returns_errors(context),
        timeout_seconds=read_timeout(context),
        limit_bytes=read_response_limit(context),
        proxy=read_proxy(context),
        blocks_private=read_flag(context, "blockPrivateAddresses", default=False),
        allowed_hosts=read_hosts(context),
        blocks_options=read_flag(context, "blockOptionInjection", default=False),
        allows_schemes=read_flag(context, "allowSchemeInjection", default=False),
    )


def read_tool_settings(context: NodeContext) -> ToolSettings:
    """Raises NodeFailedError for what cannot be meant, even with `onError: return`."""
    return ToolSettings(
        server=read_required(context, "server"),
        tool=read_required(context, "tool"),
        returns_errors=returns_errors(context),
        timeout_seconds=read_timeout(context),
        arguments={key: _resolve_all(context, value) for key, value in read_object(context, "arguments").items()},
    )


def _resolve_all(context: NodeContext, value: Any) -> Any:
    """Texts at any depth resolved; everything else as it is."""
    if isinstance(value, str):
        return context.resolve(value)
    if isinstance(value, list):
        return [_resolve_all(context, item) for item in value]
    if isinstance(value, dict):
        return {key: _resolve_all(context, item) for key, item in value.items()}
    return value
