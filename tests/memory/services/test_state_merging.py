"""New vector memories on their way into the state document: none is lost to a kill, and a failure is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memory.engine.model_calls import Call, WorkflowCall
from memory.engine.triggers import WriterPath
from memory.services.creation import create_memories
from memory.services.notes import InMemoryAttemptLog
from memory.services.results import CreationResult
from memory.services.workshop import Workshop
from tests.memory.services.worlds import REF, VECTOR_SETTINGS, build_workshop, memory_json, talk
from wilmer_site.lib.errors import UpstreamError

SETTINGS = {**VECTOR_SETTINGS, "useStateDocument": True, "stateDocumentWorkflowName": "merge"}


class Killed(BaseException):
    """Ends a run where it stands, as a kill does."""


class MergingModel:
    """One memory a chunk; the workflow `merge` is given from outside."""

    def __init__(self, merge: Callable[[str, str], str]) -> None:
        self.merge = merge

    def ask(self, call: Call) -> str:
        assert isinstance(call, WorkflowCall)
        return self.merge(*call.inputs) if call.workflow == "merge" else memory_json(call.inputs[0])


def append(new: str, old: str) -> str:
    return f"{old}\n{new}".strip()


def kill(new: str, old: str) -> str:
    raise Killed


def fail(new: str, old: str) -> str:
    raise UpstreamError("The server is gone.")


def open_workshop(tmp_path: Path, merge: Callable[[str, str], str], log: InMemoryAttemptLog | None = None) -> Workshop:
    return build_workshop(tmp_path, MergingModel(merge), SETTINGS, log=log)


def run(workshop: Workshop, count: int) -> CreationResult:
    return create_memories(workshop, talk(count), path=WriterPath.VECTOR)


def test_a_kill_before_the_document_is_written_loses_no_memory(tmp_path: Path) -> None:
    log = InMemoryAttemptLog()
    with pytest.raises(Killed):
        run(open_workshop(tmp_path, kill, log), 3)
    resumed = open_workshop(tmp_path, append, log)

    run(resumed, 3)

    document = resumed.files.read_state_document().text
    assert document == "- memory of message 1\n- memory of message 2"
    assert log.list_unmerged(REF) == ()


def test_a_memory_that_was_deleted_meanwhile_is_passed_over(tmp_path: Path) -> None:
    log = InMemoryAttemptLog()
    log.save_unmerged(REF, (77,))
    workshop = open_workshop(tmp_path, append, log)

    assert run(workshop, 3).notes == ()
    assert workshop.files.read_state_document().text == "- memory of message 1\n- memory of message 2"


@pytest.mark.parametrize(
    ("merge", "reason"),
    [(fail, "The server is gone."), (lambda new, old: " ", "blank"), (lambda new, old: "short", "must remain")],
)
def test_what_keeps_the_document_back_is_told(tmp_path: Path, merge: Callable[[str, str], str], reason: str) -> None:
    workshop = open_workshop(tmp_path, merge)
    workshop.files.write_state_document("old " * 200)

    note, _ = run(workshop, 3).notes

    assert note.startswith("The state document does not know of vector memories 1: ")
    assert reason in note
    assert workshop.log.list_unmerged(REF) == ()
