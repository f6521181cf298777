"""A kill while a ledger is made anew must not leave the condensation tracker behind (W35)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.services.condensing import condense_memories
from memory.services.creation import create_memories
from memory.services.notes import InMemoryAttemptLog
from memory.services.workshop import Workshop
from memory.stores.discussion_files import CONDENSATION_KEY, DiscussionFiles
from tests.memory.services.worlds import FILE_SETTINGS, FakeModel, build_workshop, open_files, talk, texts_of

SETTINGS = {**FILE_SETTINGS, "condenseMemories": True, "memoriesBeforeCondensation": 2}
MESSAGES = 7
"""Six chunks; the last message is the tail."""


class Killed(BaseException):
    """Stands for a process that dies."""


def open_shop(tmp_path: Path, log: InMemoryAttemptLog, *, dies_at: int = 0) -> Workshop:
    model = FakeModel()

    def answer(text: str) -> str:
        if len(model.calls) == dies_at:
            raise Killed
        return f"memory of {text}"

    model.answer = answer
    return build_workshop(tmp_path, model, SETTINGS, log=log)


def read(tmp_path: Path) -> tuple[list[str], object]:
    files = open_files(tmp_path)
    return texts_of(files.read_memories().entries), files.read_condensation_tracker().values.get(CONDENSATION_KEY)


def finish(tmp_path: Path, log: InMemoryAttemptLog) -> tuple[list[str], object]:
    create_memories(open_shop(tmp_path, log), talk(MESSAGES))
    return read(tmp_path)


@pytest.fixture
def undisturbed(tmp_path: Path) -> tuple[list[str], object]:
    return finish(tmp_path / "undisturbed", InMemoryAttemptLog())


@pytest.mark.parametrize("at", [1, 2, 4, 6])
def test_a_kill_between_chunks(tmp_path: Path, undisturbed: object, at: int) -> None:
    log = InMemoryAttemptLog()
    with pytest.raises(Killed):
        create_memories(open_shop(tmp_path, log, dies_at=at), talk(MESSAGES))

    assert finish(tmp_path, log) == undisturbed


@pytest.mark.parametrize("at", [1, 3, 6])
def test_a_kill_between_ledger_and_tracker(
    tmp_path: Path, undisturbed: object, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = InMemoryAttemptLog()
    written: list[str] = []
    original = DiscussionFiles.write_condensation_tracker

    def write(self: DiscussionFiles, chunk_hash: str, **options: str | None) -> str:
        written.append(chunk_hash)
        if len(written) == at:
            raise Killed
        return original(self, chunk_hash, **options)

    with monkeypatch.context() as patched:
        patched.setattr(DiscussionFiles, "write_condensation_tracker", write)
        with pytest.raises(Killed):
            create_memories(open_shop(tmp_path, log), talk(MESSAGES))
    condense_memories(open_shop(tmp_path, log))

    assert finish(tmp_path, log) == undisturbed


def test_a_beginning_that_is_done_is_forgotten(tmp_path: Path) -> None:
    log = InMemoryAttemptLog()
    create_memories(open_shop(tmp_path, log), talk(MESSAGES))

    assert not any(log.beginnings.values())
    create_memories(open_shop(tmp_path, log), talk(MESSAGES + 2))
    assert len(read(tmp_path)[0]) == 7
