"""Retries, backups and cancellation against real servers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.fakes.llm_server import CutOff, FakeLlmServer, Silence, Status
from tests.workflows_app.builders import build_run, write_endpoint, write_workflow
from workflows_app.engine.events import ModelAsked, RunEvent, RunFinished, TokenStreamed
from workflows_app.engine.router import answer_request
from workflows_app.engine.run import Run
from workflows_app.errors import ModelCallError, RunCancelledError
from workflows_app.nodes.registry import build_registry

NODE = {"type": "Standard", "endpointName": "first", "preset": "plain", "prompt": "Say something."}


@pytest.fixture
def told() -> list[RunEvent]:
    return []


def listen(run: Run, told: list[RunEvent]) -> Any:
    for event in answer_request(run, build_registry()):
        told.append(event)
    return next(event.answer for event in told if isinstance(event, RunFinished))


def test_three_attempts_without_backup(public: Path, told: list[RunEvent]) -> None:
    with FakeLlmServer(Status(500, "oops"), Status(500, "oops"), "Third.") as server:
        write_endpoint(public, "first", server.url)
        write_workflow(public, "Main", NODE)

        assert listen(build_run(public, "hi"), told) == "Third."

    assert len(server.seen) == 3


def test_refused_endpoint_fails_over_to_its_backup(public: Path, told: list[RunEvent]) -> None:
    with FakeLlmServer() as closed:
        write_endpoint(public, "first", closed.url, backupEndpointName="second")
    with FakeLlmServer("From the backup.") as server:
        write_endpoint(public, "second", server.url)
        write_workflow(public, "Main", NODE)

        assert listen(build_run(public, "hi"), told) == "From the backup."

    assert [event.body["model"] for event in told if isinstance(event, ModelAsked)] == ["first", "second"]


def test_stream_that_has_begun_is_not_repeated_elsewhere(public: Path, told: list[RunEvent]) -> None:
    with FakeLlmServer(CutOff("one two")) as server, FakeLlmServer("never") as backup:
        write_endpoint(public, "first", server.url, backupEndpointName="second")
        write_endpoint(public, "second", backup.url)
        write_workflow(public, "Main", NODE)

        with pytest.raises(ModelCallError, match="in the middle"):
            listen(build_run(public, "hi", is_streaming=True), told)

    assert backup.seen == []
    assert "".join(event.text for event in told if isinstance(event, TokenStreamed)) == "one two "


@pytest.mark.parametrize("is_streaming", [True, False])
def test_silent_server_can_be_cancelled(public: Path, told: list[RunEvent], is_streaming: bool) -> None:
    with FakeLlmServer(Silence()) as server:
        write_endpoint(public, "first", server.url)
        write_workflow(public, "Main", NODE)
        run = build_run(public, "hi", is_streaming=is_streaming, is_cancelled=lambda: bool(server.seen))

        with pytest.raises(RunCancelledError):
            listen(run, told)


def test_asked_event_has_no_secret(public: Path, told: list[RunEvent]) -> None:
    with FakeLlmServer("Fine.") as server:
        write_endpoint(public, "first", server.url, apiKey="sk-secret")
        write_workflow(public, "Main", NODE)
        listen(build_run(public, "hi"), told)

    assert server.seen[0].headers["authorization"] == "Bearer sk-secret"
    assert "sk-secret" not in repr(told)


def test_built_in_needs_no_server(public: Path, told: list[RunEvent]) -> None:
    text = "Hello. Anna moved to Brno in March 2024. Nice. She decided to plant 12 pears. Fine weather. Ok."
    write_workflow(public, "Main", {**NODE, "endpointName": "built-in", "prompt": f"<text>\n{text}\n</text>"})

    answer = listen(build_run(public, "hi"), told)

    assert "Anna moved to Brno in March 2024." in answer
    assert "She decided to plant 12 pears." in answer
    assert "Hello." not in answer
