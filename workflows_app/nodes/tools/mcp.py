"""`MCPToolCall` (workflows.md §10.15)."""

from __future__ import annotations

import json
from typing import Any

from wilmer_site.lib.ids import is_plain_name
from workflows_app.engine.node import NodeContext
from workflows_app.engine.permissions import permissions_of
from workflows_app.errors import ConfigInvalidError, ConfigNotFoundError, ToolCallError
from workflows_app.llm.waiting import wait_for
from workflows_app.net.mcp import McpServer, Message, ToolCall, call_tool
from workflows_app.nodes.tools.config import ToolSettings, read_tool_settings
from workflows_app.types import JsonObject

TRANSPORTS = ("stdio", "sse", "streamable_http")


def mcp_tool_call(context: NodeContext) -> str:
    """What the tool gave. Raises ToolCallError when it failed, unless the node wants errors as its result."""
    settings = read_tool_settings(context)
    try:
        server = _read_server(context, settings.server)
        permissions_of(context.run).check_mcp_server(settings.server)
        return _format(_call(context, server, settings))
    except ToolCallError as error:
        if not settings.returns_errors:
            raise
        return error.message


def _read_server(context: NodeContext, name: str) -> McpServer:
    if not is_plain_name(name):
        raise ToolCallError(
            f"Invalid MCP server name {name!r}: must not contain path separators or a drive-letter prefix."
        )
    try:
        return _parse_server(name, context.run.configs.read_mcp_server(name))
    except ConfigNotFoundError:
        raise ToolCallError(f"MCP server config {name!r} was not found under Public/Configs/MCPServers/.") from None
    except ConfigInvalidError as error:
        reason = error.extra.get("reason") or error.message
        raise ToolCallError(f"MCP server config {name!r} could not be loaded: {reason}") from None


def _parse_server(name: str, config: JsonObject) -> McpServer:
    transport = config.get("transport")
    if transport not in TRANSPORTS:
        raise ToolCallError(
            f"MCP server {name!r} has invalid or missing 'transport' (must be one of {TRANSPORTS!r}; "
            f"got {transport!r})."
        )
    needed = "command" if transport == "stdio" else "url"
    if not config.get(needed):
        raise ToolCallError(f"MCP server {name!r} ({transport}) requires a {needed!r} field.")
    return McpServer(
        name,
        str(transport),
        command=str(config.get("command") or ""),
        args=tuple(str(arg) for arg in config.get("args") or ()),
        env=_texts(config.get("env")),
        cwd=str(config["cwd"]) if config.get("cwd") else None,
        url=str(config.get("url") or ""),
        headers=_texts(config.get("headers")),
    )


def _texts(value: Any) -> dict[str, str]:
    return {str(key): str(text) for key, text in value.items()} if isinstance(value, dict) else {}


def _call(context: NodeContext, server: McpServer, settings: ToolSettings) -> Message:
    call = ToolCall(settings.tool, settings.arguments, settings.timeout_seconds, context.run.check_cancelled)
    try:
        result = wait_for(lambda: call_tool(server, call), context.run.check_cancelled)
    except ToolCallError as error:
        raise ToolCallError(f"MCP tool {settings.tool!r} on server {server.name!r} failed: {error.message}") from None
    if result.get("isError"):
        raise ToolCallError(
            f"MCP tool {settings.tool!r} on server {server.name!r} failed: {_join(result.get('content'))}"
        )
    return result


def _format(result: Message) -> str:
    structured = result.get("structuredContent")
    return json.dumps(structured) if structured is not None else _join(result.get("content"))


def _join(content: Any) -> str:
    """The texts one behind the other; what is no text as JSON."""
    items = content if isinstance(content, list) else []
    return "".join(
        str(item.get("text", "")) if isinstance(item, dict) and item.get("type") == "text" else json.dumps(item)
        for item in items
    )
