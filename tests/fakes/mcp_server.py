"""A tool server over pipes: `python mcp_server.py`. It chatters, asks back, and has the tools `echo` and `fail`."""

from __future__ import annotations

import json
import sys
from typing import Any


def answer(message: dict[str, Any]) -> dict[str, Any] | None:
    """What a server says to one message; None for notifications and for answers to its own questions."""
    if "id" not in message or "method" not in message:
        return None
    reply = {"jsonrpc": "2.0", "id": message["id"]}
    if message["method"] == "initialize":
        return {**reply, "result": {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "f"}}}
    params = message.get("params") or {}
    if params.get("name") == "fail":
        return {**reply, "result": {"isError": True, "content": [{"type": "text", "text": "broken"}]}}
    if params.get("name") == "data":
        return {**reply, "result": {"structuredContent": params["arguments"], "content": []}}
    if params.get("name") != "echo":
        return {**reply, "error": {"code": -32602, "message": f"Unknown tool {params.get('name')}"}}
    said = json.dumps(params["arguments"])
    return {**reply, "result": {"content": [{"type": "text", "text": said}, {"type": "image", "data": "x"}]}}


def main() -> None:
    print("starting up, this line is no message", flush=True)  # noqa: T201
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("method") == "tools/call":
            print(json.dumps({"jsonrpc": "2.0", "id": "q", "method": "roots/list"}), flush=True)  # noqa: T201
        reply = answer(message)
        if reply is not None:
            print(json.dumps(reply), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
