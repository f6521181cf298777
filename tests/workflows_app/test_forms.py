from __future__ import annotations

import pytest
from django.http import QueryDict

from wilmer_site.lib.errors import InvalidError
from workflows_app.forms import parse_chat, parse_number, parse_run_filter


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("", []),
        ("  \n", []),
        ("Hello: you", [("user", "Hello: you")]),
        ("User: a\nAssistant: b\nc", [("user", "a"), ("assistant", "b\nc")]),
        ("Look:\nUser: a", [("user", "Look:\nUser: a")]),
        ('[{"role": "user", "content": "x"}]', [("user", "x")]),
        ('{"model": "m", "messages": [{"role": "system", "content": "x"}]}', [("system", "x")]),
        ("[stage direction] waves", [("user", "[stage direction] waves")]),
    ],
)
def test_parse_chat_reads(text: str, messages: list[tuple[str, str]]) -> None:
    assert [(message["role"], message["content"]) for message in parse_chat(text).messages] == messages


def test_parse_chat_keeps_the_tools_of_a_chat_request() -> None:
    chat = parse_chat(
        '{"messages": [{"role": "user", "content": "x"}], "tools": [{"type": "function"}], "tool_choice": "auto"}'
    )

    assert (list(chat.tools), chat.tool_choice) == ([{"type": "function"}], "auto")


BAD_TOOLS = '{"messages": [{"role": "user", "content": "x"}], "tools": "all"}'


@pytest.mark.parametrize("text", [BAD_TOOLS, '[{"role": "user"', "[1]", '{"a": 1}', '[{"content": "x"}]'])
def test_parse_chat_refuses(text: str) -> None:
    with pytest.raises(InvalidError):
        parse_chat(text)


def test_parse_number_refuses_what_is_none() -> None:
    with pytest.raises(InvalidError):
        parse_number({"page": "-1"}, "page", 1)


def test_parse_run_filter_reads_a_url() -> None:
    assert parse_run_filter(QueryDict("state=failed&text=x")).state == "failed"
