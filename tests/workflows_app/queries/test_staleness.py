from __future__ import annotations

from pathlib import Path

from tests.workflows_app.builders import write_workflow
from tests.workflows_app.runs import FIRST, SECOND, THIRD, finish_rerun, finish_run
from workflows_app.queries.runs import get_run
from workflows_app.results import RunState
from workflows_app.run_results import RunDetail
from workflows_app.services.reruns import pin_node


def stale(run: RunDetail) -> dict[int, str]:
    """The reasons by node number."""
    assert run.card.state is RunState.FINISHED
    return {node.number: node.stale for node in run.nodes if node.stale}


def test_fresh_run_has_no_stale_output(opened: Path) -> None:
    assert stale(finish_run(opened)) == {}


def test_changed_prompt_makes_the_output_and_what_follows_from_it_stale(opened: Path) -> None:
    run_id = finish_run(opened).card.id
    write_workflow(opened, "Main", FIRST, {**SECOND, "delimiter": "-"}, THIRD)

    reasons = stale(get_run(run_id))

    assert sorted(reasons) == [2, 3]
    assert reasons[2] == "The node has been changed in ann/Main since this output was made."
    assert "node 2 (Second), which is out of date" in reasons[3]


def test_changed_label_or_place_changes_nothing(opened: Path) -> None:
    run_id = finish_run(opened).card.id
    write_workflow(opened, "Main", {**FIRST, "title": "Renamed"}, THIRD, SECOND)

    assert stale(get_run(run_id)) == {}


def test_file_that_is_gone_is_said(opened: Path) -> None:
    run_id = finish_run(opened).card.id
    (opened / "Configs/Workflows/ann/Main.json").unlink()

    assert "is gone" in stale(get_run(run_id))[1]


def test_pinned_output_behind_an_edited_one_is_stale(opened: Path) -> None:
    run_id = finish_run(opened).card.id
    pin_node(run_id, 2, is_pinned=True)

    run = finish_rerun(run_id, 1, output="edited")

    reasons = stale(run)
    assert reasons[2] == "The output of node 1 (First), which this one is made from, was edited later."
    assert 3 in reasons


def test_pinned_output_behind_one_that_was_made_again_is_stale(opened: Path) -> None:
    run_id = finish_run(opened).card.id
    pin_node(run_id, 2, is_pinned=True)

    assert "was made again later" in stale(finish_rerun(run_id, 1))[2]


def test_output_used_again_keeps_the_node_it_was_made_by(opened: Path) -> None:
    run_id = finish_run(opened).card.id
    write_workflow(opened, "Main", {**FIRST, "content": "changed"}, SECOND)

    assert sorted(stale(finish_rerun(run_id, 2))) == [1, 2]


def test_edited_output_is_as_new_as_the_person_made_it(opened: Path) -> None:
    assert stale(finish_rerun(finish_run(opened).card.id, 2, output="edited")) == {}


def test_sub_workflow_depends_on_what_its_caller_passes(opened: Path) -> None:
    write_workflow(opened, "Child", {"type": "StringConcatenator", "strings": ["{agent1Input}"], "delimiter": ""})
    caller = {"type": "CustomWorkflow", "workflowName": "Child", "scoped_variables": ["{agent1Output}"]}
    run_id = finish_run(opened, FIRST, caller).card.id
    pin_node(run_id, 3, is_pinned=True)

    reasons = stale(finish_rerun(run_id, 1, output="edited"))

    assert "node 1 (First)" in reasons[3]
