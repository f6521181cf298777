from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.workflows_app.builders import write_workflow
from tests.workflows_app.runs import FIRST, SECOND, finish_rerun, finish_run, note_run
from wilmer_site.lib.errors import ConflictError, InvalidError, RefusedError
from workflows_app.errors import NodeRunNotFoundError
from workflows_app.queries.runs import get_run
from workflows_app.results import RunState
from workflows_app.services.execution import execute_run
from workflows_app.services.reruns import RerunRequest, pin_node, start_rerun
from workflows_app.services.runs import delete_run


def test_run_from_here_uses_earlier_outputs_again(opened: Path) -> None:
    run_id = finish_run(opened).card.id
    write_workflow(opened, "Main", {**FIRST, "content": "changed"}, SECOND)

    run = finish_rerun(run_id, 2)

    assert run.answer == "one+two"
    assert [node.is_replayed for node in run.nodes] == [True, False]


def test_edited_output_takes_the_place_of_the_node(opened: Path) -> None:
    run = finish_rerun(finish_run(opened).card.id, 2, output="edited")

    assert run.answer == "edited+three"
    assert [node.is_replayed for node in run.nodes] == [True, True, False]


def test_single_node_ends_behind_it(opened: Path) -> None:
    run = finish_rerun(finish_run(opened).card.id, 2, is_single_node=True)

    assert (run.answer, len(run.nodes), run.card.state) == ("one+two", 2, RunState.FINISHED)


def test_run_from_inside_a_sub_workflow_runs_the_caller(opened: Path) -> None:
    write_workflow(opened, "Child", FIRST, SECOND)
    run_id = finish_run(opened, FIRST, {"type": "CustomWorkflow", "workflowName": "Child"}).card.id

    run = finish_rerun(run_id, 4, output="inner")

    assert run.answer == "inner"
    assert [(node.path, node.is_replayed) for node in run.nodes] == [
        ((1,), True),
        ((2,), False),
        ((2, 1), True),
        ((2, 2), True),
    ]


def test_pinned_output_stays_when_a_run_starts_before_it(opened: Path) -> None:
    run_id = finish_run(opened).card.id
    pin_node(run_id, 2, is_pinned=True)
    write_workflow(opened, "Main", {**FIRST, "content": "changed"}, SECOND)

    run = finish_rerun(run_id, 1)

    assert run.answer == "one+two"
    assert [(node.is_replayed, node.is_pinned) for node in run.nodes] == [(False, False), (True, True)]


def test_unpinned_output_is_made_again(opened: Path) -> None:
    run_id = finish_run(opened).card.id
    pin_node(run_id, 2, is_pinned=True)
    pin_node(run_id, 2, is_pinned=False)

    assert not any(node.is_pinned for node in finish_rerun(run_id, 1).nodes)


def test_output_that_was_no_text_may_be_typed_as_json(opened: Path) -> None:
    run_id = finish_run(
        opened, {"type": "DelimitedChunker", "content": "a|b", "delimiter": "|", "mode": "head"}
    ).card.id

    assert finish_rerun(run_id, 1, output="[1]").answer


def test_rerun_waits_for_the_end(opened: Path) -> None:
    with pytest.raises(ConflictError):
        start_rerun(note_run(opened), RerunRequest(1))


def test_rerun_needs_a_node_of_the_run(opened: Path) -> None:
    with pytest.raises(NodeRunNotFoundError):
        start_rerun(finish_run(opened).card.id, RerunRequest(9))


def test_rerun_of_one_node_with_its_output_given_makes_no_sense(opened: Path) -> None:
    with pytest.raises(InvalidError):
        start_rerun(finish_run(opened).card.id, RerunRequest(1, "x", is_single_node=True))


def test_rerun_on_real_files_is_refused_when_read_only(opened: Path, settings: Any) -> None:
    run_id = finish_run(opened, is_sandbox=False).card.id
    settings.WILMER_READ_ONLY = True

    with pytest.raises(RefusedError):
        start_rerun(run_id, RerunRequest(2))


def test_rerun_whose_parent_is_gone_says_so(opened: Path) -> None:
    run_id = finish_run(opened).card.id
    new_id = start_rerun(run_id, RerunRequest(2))
    delete_run(run_id)

    execute_run(new_id)

    assert "has been deleted" in get_run(new_id).card.error


def test_node_without_output_cannot_be_pinned(opened: Path) -> None:
    run = finish_run(opened, {"type": "Standard", "endpointName": "nowhere"})

    with pytest.raises(ConflictError):
        pin_node(run.card.id, 1, is_pinned=True)
