"""Every way a model server can fail, met by a whole run: a clear message, locks released, nothing half written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memory.types import DiscussionId, DiscussionRef
from tests.fakes.llm_server import CutOff, Endless, FakeLlmServer, Garbage, Item, Silence, Status
from tests.workflows_app.builders import USER, write, write_endpoint
from tests.workflows_app.runs import answering, finish_run
from workflows_app import wiring
from workflows_app.llm.clients import build_model_clients
from workflows_app.llm.limits import CallLimits
from workflows_app.queries.runs import get_node
from workflows_app.results import NodeState, RunState
from workflows_app.run_results import RunDetail

LIMITS = CallLimits(connect_seconds=20, silent_seconds=20, answer_seconds=20, answer_bytes=100_000, retry_pauses=(0.0,))
HURRIED = replace(LIMITS, silent_seconds=1, answer_seconds=1)
"""For servers that are silent; a good answer must come in that time too, however busy the machine is."""
REF = DiscussionRef(DiscussionId("amber"))
LOCK = {"type": "WorkflowLock", "workflowLockId": "answering"}
MEMORY = {"endpointName": "server", "preset": "plain", "prompt": "Remember: [TextChunk]", "systemPrompt": "Be brief."}
SMALL = {"maxMessagesBetweenChunks": 1, "chunkEstimatedTokenSize": 1, "lookbackStartTurn": 1}
TALK = [{"role": ("user", "assistant")[at % 2], "content": f"message {at}"} for at in range(6)]
FAULTS: dict[str, tuple[Item, str]] = {
    "unauthorised": (Status(401, '{"error": {"message": "Incorrect API key"}}'), "401: Incorrect API key"),
    "unknown model": (Status(404, '{"error": {"message": "model m not found"}}'), "404: model m not found"),
    "too many": (Status(429, "slow down", {"Retry-After": "3600"}), "429: slow down"),
    "broken": (Status(500, "out of memory"), "500: out of memory"),
    "cut off": (CutOff(), ""),
    "garbage": (Garbage(), ""),
    "silent": (Silence(), "was silent for"),
    "endless": (Endless(), "more than 100,000 bytes"),
}
WHOLE = {name: fault for name, fault in FAULTS.items() if name != "endless"}
each = pytest.mark.parametrize(("fault", "words"), FAULTS.values(), ids=FAULTS)
each_of_whole_answers = pytest.mark.parametrize(("fault", "words"), WHOLE.values(), ids=WHOLE)


@pytest.fixture(autouse=True)
def small_limits(opened: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A silent server costs no minute, and a slow machine makes no other server silent."""
    given = getattr(request.node, "callspec", None)
    limits = HURRIED if given and isinstance(given.params.get("fault"), Silence) else LIMITS
    monkeypatch.setattr(wiring, "build_model_clients", lambda _: build_model_clients(limits))


@pytest.fixture
def discussion(opened: Path) -> Iterator[Path]:
    """A discussion whose memory is made by the server; at the end all of its files are whole."""
    write(opened / "Configs/Users/ann.json", {**USER, "discussionIdMemoryFileWorkflowSettings": "Memory"})
    write(opened / "Configs/Workflows/ann/Memory.json", {**MEMORY, **SMALL})
    yield opened / "DiscussionIds/amber"
    for path in (opened / "DiscussionIds/amber").glob("*"):
        assert path.suffix in {".json", ".db", ".md"}, f"{path.name} was left behind"
        if path.suffix == ".json":
            json.loads(path.read_text())


def run_on(public: Path, fault: Item, *nodes: dict[str, Any], **values: Any) -> RunDetail:
    with FakeLlmServer(fault) as server:
        write_endpoint(public, "server", server.url)
        return finish_run(public, *nodes, is_sandbox=False, **values)


def list_locks(public: Path) -> list[Any]:
    return list(wiring.build_locks(wiring.open_configs("ann"), None).list_rows())


@each
def test_streamed_answer_that_fails_ends_the_run_and_frees_its_locks(opened: Path, fault: Item, words: str) -> None:
    run = run_on(opened, fault, LOCK, answering("server"))

    assert (run.card.state, run.card.error_code) == (RunState.FAILED, "model-call-failed")
    assert words in run.card.error
    assert [node.state for node in run.nodes] == [NodeState.FINISHED, NodeState.FAILED]
    assert list_locks(opened) == []


@each_of_whole_answers
def test_node_in_between_that_fails_ends_the_run(opened: Path, fault: Item, words: str) -> None:
    run = run_on(opened, fault, LOCK, answering("server"), {"type": "StaticResponse", "content": "later"})

    assert (run.card.state, len(run.nodes)) == (RunState.FAILED, 2)
    assert words in run.card.error
    assert list_locks(opened) == []


@each_of_whole_answers
def test_memory_that_fails_keeps_what_was_finished_and_no_half(
    discussion: Path, opened: Path, fault: Item, words: str
) -> None:
    with FakeLlmServer("First memory.", fault) as server:
        write_endpoint(opened, "server", server.url)
        run = finish_run(opened, LOCK, {"type": "QualityMemory"}, discussion=REF.text, messages=TALK, is_sandbox=False)

    assert run.card.state is RunState.FAILED, run.card
    assert words in run.card.error
    assert [entry["text_block"] for entry in json.loads((discussion / "memories.json").read_text())] == [
        "First memory."
    ]
    assert list_locks(opened) == []


def test_after_a_fault_the_next_run_goes_on_where_it_stopped(discussion: Path, opened: Path) -> None:
    with FakeLlmServer("First memory.", Garbage()) as server:
        write_endpoint(opened, "server", server.url)
        finish_run(opened, {"type": "QualityMemory"}, discussion=REF.text, messages=TALK, is_sandbox=False)
    run = run_on(opened, "Next memory.", {"type": "QualityMemory"}, discussion=REF.text, messages=TALK)

    assert run.card.state is RunState.FINISHED
    texts = [entry["text_block"] for entry in json.loads((discussion / "memories.json").read_text())]
    assert texts[:2] == ["First memory.", "Next memory."]


def test_refused_connection(opened: Path) -> None:
    with FakeLlmServer() as server:
        url = server.url
    write_endpoint(opened, "server", url)
    run = finish_run(opened, LOCK, answering("server"), is_sandbox=False)

    assert "cannot be reached" in run.card.error
    assert list_locks(opened) == []


def test_answer_that_trickles_in_for_ever(opened: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trickling = CallLimits(silent_seconds=5, whole_seconds=0.2, answer_bytes=10**9, retry_pauses=())
    monkeypatch.setattr(wiring, "build_model_clients", lambda _: build_model_clients(trickling))

    assert "still answering after 0.2 seconds" in run_on(opened, Endless(), answering("server")).card.error


def test_what_was_said_before_the_fault_is_kept_to_be_looked_at(opened: Path) -> None:
    run = run_on(opened, CutOff("Half an answer"), answering("server"))

    node = get_node(run.card.id, 1)
    assert node.output_text.strip() == "Half an answer"
    assert run.card.state is RunState.FAILED


def test_wait_after_429_is_the_servers(opened: Path) -> None:
    with FakeLlmServer(Status(429, "slow down", {"Retry-After": "0"}), "Good day.") as server:
        write_endpoint(opened, "server", server.url)
        run = finish_run(opened, answering("server"))

    assert (run.card.state, run.answer.strip(), len(server.seen)) == (RunState.FINISHED, "Good day.", 2)
