"""MCPToolCall on a real program."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.fakes import mcp_server
from tests.workflows_app.builders import write
from tests.workflows_app.nodes.running import allowing, output_of
from workflows_app.errors import SwitchedOffError, ToolCallError


@pytest.fixture(autouse=True)
def server(public: Path) -> None:
    config = {"transport": "stdio", "command": sys.executable, "args": [mcp_server.__file__], "env": None}
    write(public / "Configs/MCPServers/fake.json", config)


def call(public: Path, tool: str, **values: Any) -> Any:
    facilities = values.pop("facilities", allowing(mcp_servers=("fake",)))
    node = {"type": "MCPToolCall", "server": "fake", "tool": tool, **values}
    return output_of(public, node, facilities=facilities)


def test_off_until_a_setting_allows_the_server(public: Path) -> None:
    with pytest.raises(SwitchedOffError, match="WILMER_NODE_MCP_SERVERS"):
        call(public, "echo", onError="return", facilities=allowing(mcp_servers=("other",)))


def test_texts_at_any_depth_are_resolved_and_other_content_is_json(public: Path) -> None:
    said = call(public, "echo", arguments={"deep": [{"text": "{chat_user_prompt_last_one}"}], "n": 1})

    assert said == '{"deep": [{"text": "hi"}], "n": 1}' + '{"type": "image", "data": "x"}'


def test_structured_content_wins(public: Path) -> None:
    assert json.loads(call(public, "data", arguments={"a": 1})) == {"a": 1}


def test_failing_tool(public: Path) -> None:
    with pytest.raises(ToolCallError, match="'fail' on server 'fake' failed: broken"):
        call(public, "fail")
    assert call(public, "nothing", onError="return").endswith("Unknown tool nothing")
