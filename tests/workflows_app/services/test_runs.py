from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from memory.errors import UnsafeDiscussionIdError
from tests.chats import attach_chat
from tests.workflows_app.builders import write
from tests.workflows_app.runs import finish_run, note_run
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.errors import ConflictError, InvalidError, RefusedError
from workflows_app import wiring
from workflows_app.errors import RunNotFoundError, WorkflowInvalidError, WorkflowNotFoundError
from workflows_app.models import WorkflowRun
from workflows_app.queries.runs import get_run, list_events
from workflows_app.results import RunState
from workflows_app.services import runs
from workflows_app.services.execution import execute_run
from workflows_app.services.runs import RunRequest, take_part


def test_start_run_notes_down_what_was_asked(opened: Path) -> None:
    card = get_run(note_run(opened, discussion="anna")).card

    assert (card.state, card.workflow_path, card.user, card.discussion) == (RunState.QUEUED, "ann/Main", "ann", "anna")
    assert card.is_sandbox


def test_start_run_needs_a_workflow(opened: Path) -> None:
    with pytest.raises(WorkflowNotFoundError):
        runs.start_run(RunRequest("ann/None", messages=({"role": "user", "content": "x"},)))


@pytest.mark.parametrize("path", ["../Users/ann", "ann/../../x", "", "/etc/passwd", "ann/\0"])
def test_start_run_stays_in_the_folder(opened: Path, path: str) -> None:
    with pytest.raises(WorkflowNotFoundError):
        runs.start_run(RunRequest(path))


def test_start_run_needs_nodes(opened: Path) -> None:
    write(opened / "Configs/Workflows/ann/Empty.json", [])

    with pytest.raises(WorkflowInvalidError):
        runs.start_run(RunRequest("ann/Empty", messages=({"role": "user", "content": "x"},)))


def test_start_run_needs_messages(opened: Path) -> None:
    with pytest.raises(InvalidError, match="paste the conversation of 'anna'"):
        note_run(opened, messages=(), discussion="anna")


def test_start_run_takes_the_messages_of_the_transcript(opened: Path) -> None:
    attach_chat(opened, "anna", ["How are the leeks?", "They grow."])

    run = get_run(note_run(opened, messages=(), discussion="anna"))

    assert run.card.source == "discussion"
    assert [message["content"] for message in run.messages] == ["How are the leeks?", "They grow."]


def test_start_run_on_real_files_is_refused_when_read_only(opened: Path, settings: Any) -> None:
    settings.WILMER_READ_ONLY = True

    with pytest.raises(RefusedError, match="sandbox"):
        note_run(opened, is_sandbox=False)
    assert note_run(opened)


def test_cancel_run_ends_one_that_waits(opened: Path) -> None:
    run_id = note_run(opened)

    assert runs.cancel_run(run_id) is RunState.CANCELLED
    assert execute_run(run_id) is None
    assert [event.name for event in list_events(run_id)] == ["run-queued", "run-cancelled"]


def test_cancel_run_leaves_one_that_is_over(opened: Path) -> None:
    assert runs.cancel_run(finish_run(opened).card.id) is RunState.FINISHED


def test_cancel_run_of_an_unknown_run(opened: Path) -> None:
    with pytest.raises(RunNotFoundError):
        runs.cancel_run(1)


def test_reap_stale_runs_fails_only_lost_ones(opened: Path) -> None:
    lost, alive = note_run(opened), note_run(opened)
    for run_id, minutes in ((lost, -1), (alive, 1)):
        lease = utc_now() + timedelta(minutes=minutes)
        WorkflowRun.objects.filter(pk=run_id).update(state=RunState.RUNNING, lease_until=lease)

    assert runs.reap_stale_runs() == 1

    assert get_run(lost).card.error_code == "run-lost"
    assert get_run(alive).card.state is RunState.RUNNING


def test_clear_old_runs_keeps_the_newest(opened: Path, settings: Any) -> None:
    ids = [finish_run(opened, discussion="anna").card.id for _ in range(4)]
    settings.WILMER_RUNS_KEPT = 2

    assert runs.clear_old_runs() == 2

    assert list(WorkflowRun.objects.order_by("pk").values_list("pk", flat=True)) == ids[2:]
    assert [wiring.get_sandbox(run_id).root.exists() for run_id in ids] == [False, False, True, True]


def test_delete_run_refuses_one_that_goes_on(opened: Path) -> None:
    with pytest.raises(ConflictError, match="Cancel it first"):
        runs.delete_run(note_run(opened))


@pytest.mark.parametrize(
    ("up_to", "last", "kept"),
    [(None, None, "sabcd"), (3, None, "sab"), (None, 2, "scd"), (4, 1, "sc"), (None, 99, "sabcd"), (1, 5, "s")],
)
def test_part_of_a_conversation_keeps_its_system_messages(up_to: int | None, last: int | None, kept: str) -> None:
    roles = {"s": "system"}
    talk = [{"role": roles.get(letter, "user"), "content": letter} for letter in "sabcd"]

    assert "".join(message["content"] for message in take_part(talk, up_to, last)) == kept


def test_part_beyond_the_conversation_is_refused() -> None:
    with pytest.raises(InvalidError, match="has 0 messages"):
        take_part([], 1, None)


@pytest.mark.parametrize("text", ["../x", "..", "a/b", "a:b:c", ":a", "a:", "a\\b"])
def test_what_can_name_no_discussion_is_refused(opened: Path, text: str) -> None:
    with pytest.raises(UnsafeDiscussionIdError):
        note_run(opened, discussion=text)

    assert not WorkflowRun.objects.exists()
