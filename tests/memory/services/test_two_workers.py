"""Two runs on one discussion: every memory once, and nobody waits for ever."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memory.engine.triggers import WriterPath
from memory.services.creation import create_memories
from memory.services.results import CreationStatus
from memory.stores.vector_writes import create_database
from tests.memory.services.killing import answer_file, answer_vector, open_nursery
from tests.memory.services.test_kill import list_leftovers, read_all
from tests.memory.services.worlds import (
    FILE_SETTINGS,
    VECTOR_SETTINGS,
    FakeModel,
    build_workshop,
    memory_json,
    open_files,
    talk,
)
from wilmer_site.lib.files import DiscussionBusyError

KINDS = [
    pytest.param(WriterPath.FILE, FILE_SETTINGS, answer_file, id="file"),
    pytest.param(WriterPath.VECTOR, VECTOR_SETTINGS, answer_vector, id="vector"),
]
Answer = Callable[[str], str]


@pytest.mark.parametrize("path", list(WriterPath))
def test_processes_that_start_together_make_every_memory_once(path: WriterPath, tmp_path: Path) -> None:
    with open_nursery() as nursery:
        assert nursery.run(tmp_path / "alone", path)
        workers = [nursery.start(tmp_path / "together", path) for _ in range(3)]
        ended = [nursery.wait(worker) for worker in workers]

    assert ended == [True] * 3
    assert read_all(tmp_path / "together") == read_all(tmp_path / "alone")
    assert list_leftovers(tmp_path) == []


@pytest.mark.parametrize(("path", "options", "answer"), KINDS)
def test_a_run_that_starts_while_another_asks_is_told_so(
    path: WriterPath, options: dict[str, object], answer: Answer, tmp_path: Path
) -> None:
    impatient = {**options, "condensationLockTimeoutSeconds": 0.01}
    second = build_workshop(tmp_path, FakeModel(answer), impatient)
    told = []

    def answer_after_the_other(text: str) -> str:
        told.append(create_memories(second, talk(3), path=path))
        return answer(text)

    first = create_memories(build_workshop(tmp_path, FakeModel(answer_after_the_other), options), talk(3), path=path)

    assert (first.status, first.stored_chunks) == (CreationStatus.DONE, 2)
    assert [result.status for result in told] == [CreationStatus.BUSY] * 2
    assert told[0].problem == (
        "Another run that generates memories for the discussion 'amber' was not done after 0.01 seconds."
        " Nothing was changed; try again in a moment."
    )
    assert second.model.calls == []  # type: ignore[attr-defined]


@pytest.mark.parametrize("path", list(WriterPath))
def test_what_another_run_did_meanwhile_is_not_done_again(path: WriterPath, tmp_path: Path) -> None:
    settings = {**FILE_SETTINGS, **VECTOR_SETTINGS}
    faster, model = build_workshop(tmp_path, FakeModel(memory_json), settings), FakeModel(memory_json)
    create_database(faster.database.path)
    late = build_workshop(tmp_path, model, settings)
    plain = late.files.processing

    def wait_for_the_faster_one(timeout_seconds: float) -> object:
        create_memories(faster, talk(4), path=path)
        return plain(timeout_seconds)

    late.files.processing = wait_for_the_faster_one  # type: ignore[method-assign,assignment]

    result = create_memories(late, talk(4), path=path)

    assert (result.stored_chunks, model.calls) == (0, [])


def test_a_writer_that_waits_in_vain_is_told_in_a_sentence(tmp_path: Path) -> None:
    with open_files(tmp_path).lock(), pytest.raises(DiscussionBusyError) as caught, open_files(tmp_path).lock(0.01):
        pass

    assert caught.value.message.startswith("Another writer of the discussion 'amber' was not done after 0.01 seconds.")
