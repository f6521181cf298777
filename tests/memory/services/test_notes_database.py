"""Both attempt logs keep the same things in the same way."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memory.engine.retries import FailedChunk
from memory.engine.triggers import WriterPath
from memory.services.notes import AttemptLog, CondensedEntry, InMemoryAttemptLog
from memory.services.notes_database import DatabaseAttemptLog
from memory.types import DiscussionId, DiscussionRef
from tests.memory.services.worlds import REF

OTHER = DiscussionRef(DiscussionId("birch"))
FAILED = FailedChunk("a" * 64, "b" * 64, 2, attempts=1, messages_seen=9, raw_reply="{")


@pytest.fixture(params=[InMemoryAttemptLog, DatabaseAttemptLog])
def log(request: pytest.FixtureRequest, db: None) -> AttemptLog:
    made: AttemptLog = request.param()
    return made


def test_failed_chunks_are_replaced_and_forgotten(log: AttemptLog) -> None:
    log.save_failed(REF, FAILED)
    log.save_failed(REF, replace(FAILED, attempts=2))

    assert list(log.list_failed(REF)) == [replace(FAILED, attempts=2)]
    assert list(log.list_failed(OTHER)) == []
    log.delete_failed(REF, FAILED)
    assert list(log.list_failed(REF)) == []


def test_each_path_has_its_own_trail(log: AttemptLog) -> None:
    log.save_trail(REF, WriterPath.FILE, ["x"])
    log.save_trail(REF, WriterPath.VECTOR, ["y"])
    log.save_trail(REF, WriterPath.FILE, ["x", "z"])

    assert list(log.list_trail(REF, WriterPath.FILE)) == ["x", "z"]
    assert list(log.list_trail(REF, WriterPath.VECTOR)) == ["y"]
    assert list(log.list_trail(OTHER, WriterPath.FILE)) == []


def test_the_last_condensed_entry_is_known(log: AttemptLog) -> None:
    assert log.find_condensed(REF) is None

    log.save_condensed(REF, CondensedEntry("h", "t"))

    assert log.find_condensed(REF) == CondensedEntry("h", "t")
