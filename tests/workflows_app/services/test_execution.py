from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memory.models import Revision
from tests.builders import build_discussion
from tests.fakes.llm_server import Endless, FakeLlmServer, Silence, Status
from tests.workflows_app.builders import USER, write, write_endpoint, write_workflow
from tests.workflows_app.runs import answering, finish_run, note_run
from workflows_app import wiring
from workflows_app.engine.events import ModelAsked, RunEvent, TokenStreamed
from workflows_app.models import WorkflowRun
from workflows_app.queries.runs import get_node, get_run, list_events
from workflows_app.results import NodeState, RunState
from workflows_app.services.execution import execute_run
from workflows_app.services.runs import cancel_run


def test_run_records_every_node(opened: Path) -> None:
    run = finish_run(opened)

    assert run.card.state is RunState.FINISHED
    assert run.answer == "one+two+three"
    assert [(node.path, node.title, node.state) for node in run.nodes] == [
        ((1,), "First", NodeState.FINISHED),
        ((2,), "Second", NodeState.FINISHED),
        ((3,), "Third", NodeState.FINISHED),
    ]


def test_run_tells_its_events_in_order(opened: Path) -> None:
    run = finish_run(opened)

    names = [event.name for event in list_events(run.card.id)]
    assert names[:4] == ["run-queued", "run-started", "node-started", "node-finished"]
    assert names[-1] == "run-finished"
    assert [event.number for event in list_events(run.card.id)] == list(range(1, len(names) + 1))


def test_run_is_taken_up_once(opened: Path) -> None:
    run_id = note_run(opened)

    assert [execute_run(run_id), execute_run(run_id)] == [RunState.FINISHED, None]


def test_run_records_nodes_of_sub_workflows(opened: Path) -> None:
    write_workflow(opened, "Child", {"type": "StaticResponse", "title": "Inner", "content": "in"})

    run = finish_run(opened, {"type": "CustomWorkflow", "workflowName": "Child"})

    assert [(node.path, node.workflow, node.depth) for node in run.nodes] == [((1,), "Main", 0), ((1, 1), "Child", 1)]
    assert (run.nodes[0].own_milliseconds or 0) <= (run.nodes[0].milliseconds or 0)


def test_run_records_prompts_and_the_variables_they_name(opened: Path) -> None:
    run = finish_run(opened, answering(agent="x"), messages=({"role": "user", "content": "Plant the leeks."},))

    node = get_node(run.card.id, 1)
    prompt = next(prompt for prompt in node.prompts if prompt.key == "prompt")
    assert (prompt.text, prompt.names) == ("Plant the leeks.", ("chat_user_prompt_last_one",))
    assert node.variables == {"chat_user_prompt_last_one": "Plant the leeks."}
    assert (node.endpoint, node.preset, len(node.calls)) == ("built-in", "plain", 1)


def test_tokens_are_estimated_unless_the_server_counts(opened: Path) -> None:
    run = finish_run(opened, answering())

    assert not run.nodes[0].is_measured
    assert (run.nodes[0].prompt_tokens or 0) > 0


def test_secrets_are_not_recorded(opened: Path) -> None:
    with FakeLlmServer("Hello.") as server:
        write_endpoint(opened, "server", server.url, apiKey="sk-secret")
        run = finish_run(opened, answering("server"))

    assert "Bearer sk-secret" in str(server.seen[0].headers)
    assert "sk-secret" not in repr(get_node(run.card.id, 1)) + repr(list_events(run.card.id))


def test_failed_node_ends_the_run_with_the_servers_words(opened: Path) -> None:
    with FakeLlmServer(Status(404, json.dumps({"error": {"message": "no such model"}}))) as server:
        write_endpoint(opened, "server", server.url)
        run = finish_run(opened, answering("server"))

    assert run.card.state is RunState.FAILED
    assert "no such model" in run.card.error
    assert run.nodes[0].state is NodeState.FAILED


@pytest.mark.parametrize("fault", [Endless(), Silence()])
def test_cancel_ends_a_run_in_the_middle_of_an_answer(opened: Path, fault: Endless | Silence) -> None:
    with FakeLlmServer(fault) as server:
        write_endpoint(opened, "server", server.url)
        run_id = note_run(opened, answering("server"))

        def cancel(event: RunEvent) -> None:
            if isinstance(event, TokenStreamed if isinstance(fault, Endless) else ModelAsked):
                cancel_run(run_id)

        assert execute_run(run_id, cancel) is RunState.CANCELLED
    assert get_run(run_id).nodes[0].state is NodeState.CANCELLED


def test_sandbox_keeps_the_real_files_as_they_are(opened: Path) -> None:
    build_discussion(opened, "anna", state_document="Anna has a garden.")
    before = {path: path.read_bytes() for path in (opened / "DiscussionIds").rglob("*") if path.is_file()}

    run = finish_run(opened, answering(addDiscussionIdTimestampsForLLM=True), discussion="anna")

    assert run.card.state is RunState.FINISHED, run.card.error
    assert {path: path.read_bytes() for path in (opened / "DiscussionIds").rglob("*") if path.is_file()} == before
    assert list(wiring.get_sandbox(run.card.id).root.rglob("timestamps.json"))


def test_real_run_writes_into_the_discussion_and_says_which_file(opened: Path) -> None:
    build_discussion(opened, "anna")

    run = finish_run(opened, answering(addDiscussionIdTimestampsForLLM=True), discussion="anna", is_sandbox=False)

    assert (opened / "DiscussionIds/anna/timestamps.json").exists()
    touches = {(touch.name, touch.action) for touch in get_node(run.card.id, 1).files}
    assert ("timestamps.json", "read") in touches


def test_node_without_its_config_fails_the_run(opened: Path) -> None:
    run = finish_run(opened, {"type": "Standard", "endpointName": "nowhere", "preset": "plain"})

    assert (run.card.state, run.card.error_code) == (RunState.FAILED, "config-not-found")


def test_unknown_user_fails_the_run(opened: Path) -> None:
    run = finish_run(opened, user="nobody")

    assert (run.card.state, run.card.error_code) == (RunState.FAILED, "config-not-found")


def test_console_that_breaks_still_ends_the_run(opened: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wiring, "build_handlers", lambda: 1 / 0)

    run = finish_run(opened)

    assert (run.card.state, run.card.error_code) == (RunState.FAILED, "broken")


def test_run_that_was_deleted_meanwhile_ends(opened: Path) -> None:
    run_id = note_run(opened)

    def reap(event: RunEvent) -> None:
        WorkflowRun.objects.filter(pk=run_id).update(state=RunState.FAILED)

    execute_run(run_id, reap)

    assert WorkflowRun.objects.get(pk=run_id).answer == ""


MEMORY = {"fileMemoryWorkflowName": "Remember", "maxMessagesBetweenChunks": 1, "chunkEstimatedTokenSize": 1}
TALK = [{"role": "user", "content": f"message {at}"} for at in range(8)]


@pytest.fixture
def remembering(opened: Path) -> Path:
    """A folder whose memories are made by a workflow."""
    write(opened / "Configs/Users/ann.json", {**USER, "discussionIdMemoryFileWorkflowSettings": "Memory"})
    write(opened / "Configs/Workflows/ann/Memory.json", MEMORY)
    write_workflow(opened, "Remember", {"type": "StaticResponse", "content": "memory of {agent1Input}"})
    return opened


def test_sandbox_may_make_memories_in_a_read_only_console(remembering: Path, settings: Any) -> None:
    settings.WILMER_READ_ONLY = True

    run = finish_run(remembering, {"type": "QualityMemory"}, discussion="amber", messages=TALK)

    assert (run.card.state, run.card.error) == (RunState.FINISHED, "")
    assert list(wiring.get_sandbox(run.card.id).root.rglob("memories.json"))
    assert not list((remembering / "DiscussionIds").rglob("*.json"))
    assert not Revision.objects.exists()


def test_what_a_real_run_writes_is_in_the_history(remembering: Path) -> None:
    run = finish_run(remembering, {"type": "QualityMemory"}, discussion="amber", messages=TALK, is_sandbox=False)

    written = Revision.objects.filter(artefact="memories")
    assert {revision.action for revision in written} == {f"Ran Main (run {run.card.id})"}
    assert len({revision.batch for revision in written}) == 1


def test_cancelled_run_keeps_what_was_answered_until_then(opened: Path) -> None:
    with FakeLlmServer(Endless()) as server:
        write_endpoint(opened, "server", server.url)
        run_id = note_run(opened, answering("server"))

        def cancel(event: RunEvent) -> None:
            if isinstance(event, TokenStreamed):
                cancel_run(run_id)

        execute_run(run_id, cancel)

    run = get_run(run_id)
    assert run.card.state is RunState.CANCELLED
    assert run.answer


def test_node_that_answers_only_its_caller_is_no_answer_of_the_run(opened: Path) -> None:
    write_workflow(opened, "Child", {"type": "StaticResponse", "content": "inner"})
    calling = {"type": "CustomWorkflow", "workflowName": "Child"}
    failing = {"type": "StaticResponse", "content": "{", "is_responder": True}

    assert finish_run(opened, calling, failing).answer == ""


def test_answer_that_calls_tools_tells_the_calls(opened: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call = {"index": 0, "id": "c1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}
    monkeypatch.setattr("workflows_app.nodes.model.handler.build_liveness_call", lambda _: call)
    node = answering(injectLivenessToolCall=True)

    run = finish_run(opened, node)
    assert json.loads(run.answer)["tool_calls"][0]["function"]["name"] == "weather"
