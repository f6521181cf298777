"""The tools family."""

from __future__ import annotations

from workflows_app.engine.node import NodeHandler, at_once
from workflows_app.nodes.tools.curl import curl_command
from workflows_app.nodes.tools.mcp import mcp_tool_call
from workflows_app.nodes.tools.python_module import python_module

HANDLERS: dict[str, NodeHandler] = {
    "CurlCommand": at_once(curl_command),
    "MCPToolCall": at_once(mcp_tool_call),
    "PythonModule": at_once(python_module),
}
