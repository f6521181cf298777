"""How runs end, and what listeners hear."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.workflows_app.builders import build_run, write_workflow
from workflows_app.engine.events import AnswerFinished, NodeFailed, NodeFinished, NodeStarted, RunEvent, TokenStreamed
from workflows_app.engine.router import answer_request
from workflows_app.engine.run import Run
from workflows_app.errors import NodeFailedError, RunCancelledError, SwitchedOffError, TemplateError
from workflows_app.nodes.registry import build_registry

SAYS = {"type": "StaticResponse", "content": "Hello  there"}


def listen(run: Run) -> list[RunEvent]:
    return list(answer_request(run, build_registry()))


def kinds(events: list[RunEvent]) -> list[str]:
    return [type(event).__name__ for event in events]


def test_events_of_a_streamed_run(public: Path) -> None:
    write_workflow(public, "Main", SAYS)

    events = listen(build_run(public, "hi", is_streaming=True))

    assert kinds(events) == ["NodeStarted", "TokenStreamed", "AnswerFinished", "NodeFinished", "RunFinished"]
    assert events[1] == TokenStreamed("Hello  there")


def test_child_events_carry_their_path(public: Path) -> None:
    write_workflow(public, "Main", SAYS, {"type": "CustomWorkflow", "workflowName": "Child"})
    write_workflow(public, "Child", SAYS)

    started = [event for event in listen(build_run(public, "hi")) if isinstance(event, NodeStarted)]

    assert [(event.path, event.workflow) for event in started] == [((1,), "Main"), ((2,), "Main"), ((2, 1), "Child")]


def test_child_that_streams_ends_the_answer_once(public: Path) -> None:
    write_workflow(public, "Main", {"type": "CustomWorkflow", "workflowName": "Child"})
    write_workflow(public, "Child", SAYS)

    events = listen(build_run(public, "hi", is_streaming=True))

    assert sum(isinstance(event, AnswerFinished) for event in events) == 1
    assert sum(isinstance(event, TokenStreamed) for event in events) == 1


def test_workflow_that_calls_itself_ends(public: Path) -> None:
    write_workflow(public, "Main", {"type": "CustomWorkflow", "workflowName": "Main"})

    with pytest.raises(NodeFailedError, match="more than 5 deep"):
        listen(build_run(public, "hi", depth_limit=5))


def test_runaway_request_ends(public: Path) -> None:
    write_workflow(public, "Main", SAYS, SAYS, SAYS)

    with pytest.raises(NodeFailedError, match="at most 2 nodes"):
        listen(build_run(public, "hi", node_limit=2))


def test_failed_node_is_told_before_the_run_ends(public: Path) -> None:
    write_workflow(public, "Main", {"type": "StaticResponse", "content": "bad {"})
    heard: list[RunEvent] = []

    with pytest.raises(TemplateError):
        heard.extend(_each(answer_request(build_run(public, "hi"), build_registry()), heard))

    assert isinstance(heard[-1], NodeFailed)
    assert heard[-1].path == (1,)


def _each(steps: Any, heard: list[RunEvent]) -> list[RunEvent]:
    for event in steps:
        heard.append(event)
    return []


def test_cancelled_between_nodes(public: Path) -> None:
    write_workflow(public, "Main", SAYS, SAYS)
    heard: list[RunEvent] = []
    run = build_run(public, "hi", is_cancelled=lambda: any(isinstance(event, NodeFinished) for event in heard))

    with pytest.raises(RunCancelledError):
        _each(answer_request(run, build_registry()), heard)

    assert sum(isinstance(event, NodeStarted) for event in heard) == 1


def test_closed_run_frees_its_locks(public: Path) -> None:
    write_workflow(public, "Main", {"type": "WorkflowLock", "workflowLockId": "L"}, SAYS)
    run = build_run(public, "hi")
    steps = answer_request(run, build_registry())
    while not isinstance(next(steps), NodeFinished):
        pass

    steps.close()

    assert run.locks.acquire("another", "L")


def test_unknown_type_runs_as_standard_and_says_so(public: Path) -> None:
    write_workflow(
        public, "Main", {"type": "Mystery", "endpointName": "built-in", "preset": "plain", "prompt": "One fact: 5."}
    )

    finished = [event for event in listen(build_run(public, "hi")) if isinstance(event, NodeFinished)]

    assert "Mystery" in finished[0].warnings[0]


def test_missing_facility_is_refused(public: Path) -> None:
    write_workflow(public, "Main", {"endpointName": "built-in", "preset": "plain", "prompt": "x"})

    with pytest.raises(SwitchedOffError):
        listen(build_run(public, "hi", facilities={}))


def test_needless_endpoint_is_connected_and_cleans(public: Path) -> None:
    write_workflow(
        public, "Main", {"type": "StaticResponse", "content": "  x", "endpointName": "built-in", "preset": "plain"}
    )

    finished = [event for event in listen(build_run(public, "hi")) if isinstance(event, NodeFinished)]

    assert finished[0].output == "x"
