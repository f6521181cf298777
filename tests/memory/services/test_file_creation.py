from __future__ import annotations

from pathlib import Path

import pytest

from memory.engine.hashing import hash_text
from memory.engine.triggers import Outcome, WriterPath
from memory.services.creation import create_memories, preview_creation
from memory.services.results import CreationStatus
from memory.services.workshop import Progress, Step
from memory.types import Entry, FileState
from tests.memory.services.worlds import FILE_SETTINGS, FakeModel, build_workshop, open_files, talk, texts_of
from wilmer_site.lib.errors import UpstreamError


def test_preview_creates_nothing_and_asks_nobody(tmp_path: Path) -> None:
    model = FakeModel()

    decision = preview_creation(build_workshop(tmp_path, model), talk(5))

    assert decision.is_triggered
    assert model.calls == []
    assert list(tmp_path.iterdir()) == []


def test_every_step_is_reported(tmp_path: Path) -> None:
    seen: list[Progress] = []

    create_memories(build_workshop(tmp_path, FakeModel(), report=seen.append), talk(3))

    assert [progress.step for progress in seen] == [
        Step.STARTED,
        *[Step.ASKING, Step.CHUNK_STORED] * 2,
        Step.FINISHED,
    ]


def test_cancelling_keeps_the_chunks_that_are_done(tmp_path: Path) -> None:
    model = FakeModel()
    workshop = build_workshop(tmp_path, model, is_cancelled=lambda: len(model.calls) == 2)

    result = create_memories(workshop, talk(6))

    assert (result.status, result.stored_chunks, result.total_chunks) == (CreationStatus.CANCELLED, 2, 5)
    assert len(workshop.files.read_memories().entries) == 2


def test_a_run_that_was_interrupted_goes_on_where_it_stopped(tmp_path: Path) -> None:
    model = FakeModel()
    create_memories(build_workshop(tmp_path, model, is_cancelled=lambda: len(model.calls) == 2), talk(6))

    create_memories(build_workshop(tmp_path, model), talk(6))

    assert model.calls == [f"message {number}" for number in range(1, 6)]


def test_a_failing_call_rises_and_loses_nothing(tmp_path: Path) -> None:
    def fail_at_three(text: str) -> str:
        if text == "message 3":
            raise UpstreamError("The model is gone.")
        return text

    workshop = build_workshop(tmp_path, FakeModel(fail_at_three))

    with pytest.raises(UpstreamError):
        create_memories(workshop, talk(6))

    assert texts_of(workshop.files.read_memories().entries) == ["message 1", "message 2"]


def test_an_edit_made_while_the_model_works_is_kept(tmp_path: Path) -> None:
    def edit_meanwhile(text: str) -> str:
        if text == "message 2":
            open_files(tmp_path).write_memories([Entry("edited by hand", hash_text("message 1"))])
        return text

    workshop = build_workshop(tmp_path, FakeModel(edit_meanwhile))

    create_memories(workshop, talk(3))

    assert texts_of(workshop.files.read_memories().entries) == ["edited by hand", "message 2"]


def test_a_second_run_waits_no_longer_than_the_settings_say(tmp_path: Path) -> None:
    settings = {**FILE_SETTINGS, "condensationLockTimeoutSeconds": 0.05}
    workshop = build_workshop(tmp_path, FakeModel(), settings)

    with open_files(tmp_path).processing(1):
        result = create_memories(workshop, talk(3))

    assert result.status is CreationStatus.BUSY
    assert workshop.files.read_memories().entries == ()


def test_a_damaged_ledger_is_left_alone(tmp_path: Path) -> None:
    workshop = build_workshop(tmp_path, FakeModel())
    workshop.files.write_memories([])
    path = workshop.files.read_memories().report.path
    path.write_text("[{", encoding="utf-8")

    result = create_memories(workshop, talk(5))

    assert (result.status, result.decision.outcome) == (CreationStatus.UNREADABLE, Outcome.ERROR)
    assert result.problem
    assert path.read_text(encoding="utf-8") == "[{"


def test_a_lost_history_is_noted(tmp_path: Path) -> None:
    workshop = build_workshop(tmp_path, FakeModel())
    workshop.files.write_memories([Entry("old", "0" * 64)])

    assert create_memories(workshop, talk(4)).notes


def test_the_trail_tells_repeated_messages_apart(tmp_path: Path) -> None:
    first = build_workshop(tmp_path, FakeModel())
    create_memories(first, [*talk(2), *[talk(1)[0]] * 2])
    trail = first.log.list_trail(first.ref, WriterPath.FILE)
    assert len(trail) == 3

    result = create_memories(first, [*talk(2), *[talk(1)[0]] * 4])

    assert result.decision.new is not None
    assert result.decision.new.anchor_position == 2


def test_too_few_messages_touch_nothing(tmp_path: Path) -> None:
    workshop = build_workshop(tmp_path, FakeModel())

    result = create_memories(workshop, talk(2))

    assert result.decision.outcome is Outcome.FEWER_THAN_THREE_MESSAGES
    assert workshop.files.read_memories().report.state is FileState.ABSENT


def test_without_a_discussion_nothing_happens() -> None:
    assert create_memories(None, talk(9)).decision.outcome is Outcome.NO_DISCUSSION_ID
