from __future__ import annotations

from collections.abc import Iterator

import pytest

from workflows_app.llm.client import ModelClients, Reply, ReplyPiece
from workflows_app.llm.cut_answers import report_cuts
from workflows_app.llm.requests import HttpRequest, wire_format
from workflows_app.types import Target

TARGET = Target("Local", {}, {"type": "openAIChatCompletion"})
REQUEST = HttpRequest("http://127.0.0.1", {}, {})


class Client:
    def __init__(self, reason: str) -> None:
        self.reason = reason

    def ask(self, request: HttpRequest, target: Target) -> Reply:
        return Reply("half a", finish_reason=self.reason)

    def stream(self, request: HttpRequest, target: Target) -> Iterator[ReplyPiece]:
        yield ReplyPiece("half a")
        yield ReplyPiece(finish_reason=self.reason)


@pytest.mark.parametrize(("reason", "count"), [("length", 2), ("stop", 0), ("tool_calls", 0)])
def test_an_answer_that_was_cut_off_is_told_whole_or_streamed(reason: str, count: int) -> None:
    heard: list[str] = []
    clients = ModelClients({wire_format(TARGET): Client(reason)})
    client = report_cuts(clients, heard.append).client_for(TARGET)

    assert client.ask(REQUEST, TARGET).text == "half a"
    assert len(list(client.stream(REQUEST, TARGET))) == 2

    assert len(heard) == count
    assert all("'Local' was cut off" in remark for remark in heard)
