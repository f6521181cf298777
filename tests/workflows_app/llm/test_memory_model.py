"""The memory layer's calls, answered by endpoints and workflows."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.engine.memory_settings import Target
from memory.engine.model_calls import ModelCall, Purpose, WorkflowCall
from tests.fakes.llm_server import FakeLlmServer, Status
from tests.workflows_app.builders import build_run, write_endpoint, write_workflow
from workflows_app.engine.events import NodeFinished, RunEvent
from workflows_app.errors import ModelCallError
from workflows_app.llm.memory_model import build_resolver, build_run_model
from workflows_app.nodes.registry import build_registry

CALL = ModelCall(Target("first", "plain", 300), "Be brief.", "Sum up {this}.", Purpose.FILE_MEMORY)


def test_endpoint_is_asked_directly_and_its_answer_cleaned(public: Path) -> None:
    tags = {"removeThinking": True, "startThinkTag": "<think>", "endThinkTag": "</think>"}
    with FakeLlmServer("<think>hm</think>A memory.") as server:
        write_endpoint(public, "first", server.url, **tags)
        model = build_run_model(build_run(public, "hi"), build_registry())

        assert model.ask(CALL) == "A memory."

    body = server.seen[0].body
    assert body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Sum up {this}."},
    ]
    assert body["max_tokens"] == 300


def test_workflow_gets_its_inputs(public: Path) -> None:
    write_workflow(public, "Remember", {"type": "StaticResponse", "content": "{agent1Input}/{agent2Input}"})
    told: list[RunEvent] = []
    model = build_run_model(build_run(public, "hi"), build_registry(), told.append)

    assert model.ask(WorkflowCall("Remember", ("chunk", "facts"), Purpose.VECTOR_MEMORY)) == "chunk/facts"
    assert isinstance(told[-1], NodeFinished)


def test_workflow_without_nodes_answers_nothing(public: Path) -> None:
    write_workflow(public, "Empty")
    model = build_run_model(build_run(public, "hi"), build_registry())

    assert model.ask(WorkflowCall("Empty", (), Purpose.SUMMARY)) is None


def test_failing_server_is_told_in_its_own_words(public: Path) -> None:
    with FakeLlmServer(Status(503, "still loading")) as server:
        write_endpoint(public, "first", server.url)

        with pytest.raises(ModelCallError, match="still loading"):
            build_run_model(build_run(public, "hi"), build_registry()).ask(CALL)


def test_prompts_of_settings_know_the_conversation(public: Path) -> None:
    resolve = build_resolver(build_run(public, "first", "second", discussion_id="d"))

    assert resolve("{Discussion_Id}: {chat_user_prompt_last_one}") == "d: second"
