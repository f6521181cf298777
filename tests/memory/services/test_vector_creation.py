"""Chunks that fail, and what later runs make of them (W04, W05)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memory.engine.triggers import Outcome, WriterPath
from memory.services.creation import create_memories, preview_creation
from memory.services.notes import InMemoryAttemptLog
from memory.services.results import CreationResult, CreationStatus
from memory.services.vector_creation import list_retries
from memory.services.workshop import Workshop
from tests.memory.services.worlds import VECTOR_SETTINGS, FakeModel, build_workshop, memory_json, talk
from wilmer_site.lib.errors import UpstreamError


def failing(*texts: str) -> Callable[[str], str]:
    return lambda text: "nothing usable" if text in texts else memory_json(text)


def run(workshop: Workshop, count: int) -> CreationResult:
    return create_memories(workshop, talk(count), path=WriterPath.VECTOR)


def stored(workshop: Workshop) -> list[str]:
    rows = workshop.database.list_memories(offset=0, limit=99, newest_first=False)
    return [row.text.removeprefix("memory of message ") for row in rows]


def test_a_failed_chunk_is_asked_for_once_more_and_the_run_goes_on(tmp_path: Path) -> None:
    model = FakeModel(failing("message 2"))
    workshop = build_workshop(tmp_path, model, VECTOR_SETTINGS)

    result = run(workshop, 4)

    assert [chunk.is_stored for chunk in result.chunks] == [True, False, True]
    assert model.calls.count("message 2") == 2
    assert stored(workshop) == ["1", "3"]


def test_a_failed_chunk_waits_for_further_messages(tmp_path: Path) -> None:
    log = InMemoryAttemptLog()
    run(build_workshop(tmp_path, FakeModel(failing("message 2")), VECTOR_SETTINGS, log=log), 4)
    model = FakeModel(memory_json)
    workshop = build_workshop(tmp_path, model, VECTOR_SETTINGS, log=log)

    assert run(workshop, 4).status is CreationStatus.NOTHING_TO_DO
    result = run(workshop, 5)

    assert [chunk.is_retry for chunk in result.chunks] == [True, False]
    assert model.calls == ["message 2", "message 4"]
    assert log.list_failed(workshop.ref) == ()


def test_a_chunk_is_given_up_after_three_attempts(tmp_path: Path) -> None:
    model = FakeModel(failing("message 1"))
    workshop = build_workshop(tmp_path, model, VECTOR_SETTINGS)

    for count in range(3, 20):
        run(workshop, count)

    assert model.calls.count("message 1") == 4
    assert len(list_retries(workshop, talk(19)).given_up) == 1
    assert stored(workshop) == [str(number) for number in range(2, 19)]


def test_a_run_with_nothing_but_waiting_chunks_asks_nobody(tmp_path: Path) -> None:
    model = FakeModel(failing("message 1", "message 2"))
    workshop = build_workshop(tmp_path, model, VECTOR_SETTINGS)
    run(workshop, 3)
    model.calls.clear()

    result = run(workshop, 3)

    assert (result.status, result.decision.outcome) == (CreationStatus.NOTHING_TO_DO, Outcome.BOTH)
    assert model.calls == []


def test_the_raw_answer_is_kept_for_correcting_by_hand(tmp_path: Path) -> None:
    workshop = build_workshop(tmp_path, FakeModel(failing("message 1")), VECTOR_SETTINGS)

    run(workshop, 3)

    (failed,) = workshop.log.list_failed(workshop.ref)
    assert (failed.raw_reply, failed.attempts, failed.messages_seen) == ("nothing usable", 1, 3)


def test_a_failing_call_keeps_what_is_stored_and_is_no_attempt(tmp_path: Path) -> None:
    def fail_at_two(text: str) -> str:
        if text == "message 2":
            raise UpstreamError("The model is gone.")
        return memory_json(text)

    workshop = build_workshop(tmp_path, FakeModel(fail_at_two), VECTOR_SETTINGS)

    with pytest.raises(UpstreamError):
        run(workshop, 4)

    assert stored(workshop) == ["1"]
    assert workshop.log.list_failed(workshop.ref) == ()


def test_a_database_that_is_none_is_left_alone(tmp_path: Path) -> None:
    workshop = build_workshop(tmp_path, FakeModel(memory_json), VECTOR_SETTINGS)
    path = workshop.database.path
    path.parent.mkdir(parents=True)
    path.write_bytes(b"this is not a database, but a text of some length" * 40)
    before = path.read_bytes()

    result = run(workshop, 5)

    assert (result.status, result.decision.outcome) == (CreationStatus.UNREADABLE, Outcome.ERROR)
    assert path.read_bytes() == before


def test_preview_reads_only(tmp_path: Path) -> None:
    workshop = build_workshop(tmp_path, FakeModel(memory_json), VECTOR_SETTINGS)

    assert preview_creation(workshop, talk(5), path=WriterPath.VECTOR).is_triggered
    assert list(tmp_path.iterdir()) == []


def test_cancelling_keeps_the_chunks_that_are_done(tmp_path: Path) -> None:
    model = FakeModel(memory_json)
    workshop = build_workshop(tmp_path, model, VECTOR_SETTINGS, is_cancelled=lambda: len(model.calls) == 2)

    assert run(workshop, 6).status is CreationStatus.CANCELLED
    assert stored(workshop) == ["1", "2"]


def test_recovered_memories_are_stored_too(tmp_path: Path) -> None:
    model = FakeModel(lambda text: f"<think>maybe {{this}}</think> {memory_json(text)}")
    workshop = build_workshop(tmp_path, model, VECTOR_SETTINGS)

    run(workshop, 3)

    assert stored(workshop) == ["1", "2"]
