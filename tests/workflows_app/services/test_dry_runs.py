"""Unsaved texts are run on copies, with the inputs that memory workflows get."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memory.types import DiscussionRef
from tests.chats import attach_chat
from tests.workflows_app.builders import write_workflow
from wilmer_site.lib.errors import InvalidError
from workflows_app.queries.node_bench import BenchRequest
from workflows_app.queries.runs import get_run
from workflows_app.results import RunState
from workflows_app.services.dry_runs import build_dry_run
from workflows_app.services.execution import execute_run
from workflows_app.services.reruns import RerunRequest, start_rerun
from workflows_app.services.runs import start_run

PATH = "Workflows/ann/Main.json"
SAVED = {"type": "StaticResponse", "title": "Say", "content": "saved"}
UNSAVED = {"type": "StaticResponse", "title": "Say", "content": "unsaved"}


def run(*nodes: dict[str, Any], discussion: str = "anna") -> Any:
    run_id = start_run(build_dry_run(BenchRequest(PATH, "ann", discussion), json.dumps(nodes)))
    execute_run(run_id)
    return get_run(run_id)


@pytest.fixture
def ref(opened: Path) -> DiscussionRef:
    """A discussion with a chat."""
    write_workflow(opened, "Main", SAVED)
    return attach_chat(opened, "anna", ["How are the {leeks}?", "They grow."])


def test_the_unsaved_text_is_run_and_the_file_stays(opened: Path, ref: DiscussionRef) -> None:
    assert run(UNSAVED).answer == "unsaved"
    assert json.loads((opened / "Configs" / PATH).read_text()) == [SAVED]


def test_a_run_from_its_middle_knows_the_text_too(ref: DiscussionRef) -> None:
    first = run(UNSAVED, {"type": "StringConcatenator", "strings": ["{agent1Output}", "!"]})
    again = start_rerun(first.card.id, RerunRequest(2))
    execute_run(again)
    assert get_run(again).answer == "unsaved!"


def test_inputs_are_a_chunk_of_the_conversation(ref: DiscussionRef) -> None:
    found = run({"type": "StringConcatenator", "strings": ["<{agent1Input}>"], "title": "Chunk"})
    assert (found.card.state, found.answer) == (RunState.FINISHED, "<How are the {leeks}?\nThey grow.>")


def test_a_run_with_inputs_leads_to_the_workflow_that_was_tried(ref: DiscussionRef) -> None:
    card = run({"type": "StringConcatenator", "strings": ["{agent1Input}"]}).card
    assert card.workflow_path != "ann/Main"
    assert card.file_path == "ann/Main"


def test_sub_workflows_are_read_from_their_files(opened: Path, ref: DiscussionRef) -> None:
    write_workflow(opened, "Child", SAVED)
    assert run({"type": "CustomWorkflow", "workflowName": "Child"}).answer == "saved"


def test_a_new_workflow_needs_no_file(opened: Path, ref: DiscussionRef) -> None:
    (opened / "Configs" / PATH).unlink()
    assert run(UNSAVED).answer == "unsaved"


@pytest.mark.parametrize("discussion", ["", "nobody"])
def test_a_discussion_with_messages_is_needed(ref: DiscussionRef, discussion: str) -> None:
    with pytest.raises(InvalidError, match="discussion"):
        run(UNSAVED, discussion=discussion)


def test_only_workflows_are_run(ref: DiscussionRef) -> None:
    with pytest.raises(InvalidError):
        build_dry_run(BenchRequest("Users/ann.json", "ann", "anna"), "{}")
