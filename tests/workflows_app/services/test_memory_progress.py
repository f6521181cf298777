"""What happens inside a memory node is told while it happens."""

from __future__ import annotations

from pathlib import Path

from memory.types import DiscussionId, DiscussionRef
from tests.workflows_app.builders import USER, write, write_workflow
from tests.workflows_app.runs import finish_rerun, note_run
from workflows_app.engine.events import MemoryProgressed, NodeFinished, NodeStarted, RunEvent
from workflows_app.queries.runs import get_node, get_run, list_events
from workflows_app.results import RunState
from workflows_app.services.execution import execute_run

REF = DiscussionRef(DiscussionId("amber"))
SETTINGS = {"fileMemoryWorkflowName": "Remember", "maxMessagesBetweenChunks": 1, "chunkEstimatedTokenSize": 1}


def note_memory_run(public: Path) -> int:
    write(public / "Configs/Users/ann.json", {**USER, "discussionIdMemoryFileWorkflowSettings": "Memory"})
    write(public / "Configs/Workflows/ann/Memory.json", {**SETTINGS, "lookbackStartTurn": 1})
    write_workflow(public, "Remember", {"type": "StaticResponse", "content": "memory of {agent1Input}"})
    talk = [{"role": "user", "content": f"message {at}"} for at in range(5)]
    return note_run(public, {"type": "QualityMemory"}, discussion=REF.text, messages=talk, is_sandbox=False)


def test_chunks_are_told_while_the_next_ones_are_not_made_yet(opened: Path) -> None:
    ledgers: list[int] = []

    def listen(event: RunEvent) -> None:
        if isinstance(event, MemoryProgressed) and event.step == "chunk-stored":
            ledgers.append((opened / "DiscussionIds/amber/memories.json").read_text().count('"hash"'))

    execute_run(note_memory_run(opened), listen)

    assert ledgers == sorted(set(ledgers))
    assert len(ledgers) > 1


def test_workflows_of_the_memory_are_told_inside_of_their_node(opened: Path) -> None:
    heard: list[RunEvent] = []
    run_id = note_memory_run(opened)
    execute_run(run_id, heard.append)

    paths = [event.path for event in heard if isinstance(event, NodeStarted | NodeFinished)]
    assert paths[0] == paths[-1] == (1,)
    assert set(paths[1:-1]) == {(1, 1)}
    assert [node.path for node in get_run(run_id).nodes][:2] == [(1,), (1, 1)]


def test_progress_is_recorded_without_conversation_text(opened: Path) -> None:
    run_id = note_memory_run(opened)
    execute_run(run_id)

    told = [event.data for event in list_events(run_id) if event.name == "memory-progressed"]
    node = get_run(run_id).nodes[0]
    assert told[0]["step"] == "started"
    assert told[-1]["step"] == "finished"
    assert node.progress == f"{told[-1]['total']} of {told[-1]['total']} chunks"
    assert [step.step for step in get_node(run_id, 1).steps] == [data["step"] for data in told]
    assert "message" not in repr(told)


def test_run_of_one_node_of_the_memorys_workflow_ends_behind_it(opened: Path) -> None:
    run_id = note_memory_run(opened)
    execute_run(run_id)
    inner = next(node for node in get_run(run_id).nodes if node.depth == 1)
    (opened / "DiscussionIds/amber/memories.json").unlink()

    run = finish_rerun(run_id, inner.number, is_single_node=True)

    assert run.card.state is RunState.FINISHED
    assert run.answer.startswith("memory of")
