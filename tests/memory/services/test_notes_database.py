"""Both attempt logs keep the same things in the same way."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memory.engine.retries import FailedChunk
from memory.engine.triggers import WriterPath
from memory.services.notes import AttemptLog, CondensedEntry, InMemoryAttemptLog
from memory.services.notes_database import DatabaseAttemptLog
from memory.types import DiscussionId, DiscussionRef
from tests.memory.services.worlds import REF

OTHER = DiscussionRef(DiscussionId("birch"))
FAILED = FailedChunk("a" * 64, "b" * 64, 2, attempts=1, messages_seen=9, raw_reply="{")


ROOT = Path("/somewhere/DiscussionIds")


@pytest.fixture(params=[InMemoryAttemptLog, lambda: DatabaseAttemptLog(ROOT)], ids=["in-memory", "database"])
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


@pytest.mark.django_db
def test_folders_with_the_same_id_share_nothing() -> None:
    log, other = DatabaseAttemptLog(ROOT), DatabaseAttemptLog(ROOT.parent / "elsewhere")
    log.save_failed(REF, FAILED)
    log.save_trail(REF, WriterPath.FILE, ["x"])
    log.save_condensed(REF, CondensedEntry("h", "t"))

    assert (list(other.list_failed(REF)), list(other.list_trail(REF, WriterPath.FILE))) == ([], [])
    assert other.find_condensed(REF) is None
    other.delete_failed(REF, FAILED)
    assert list(log.list_failed(REF)) == [FAILED]


@pytest.mark.django_db
def test_a_reply_that_is_no_text_is_kept_as_escapes() -> None:
    log = DatabaseAttemptLog(ROOT)

    log.save_failed(REF, replace(FAILED, raw_reply="a\ud800b\x00c"))

    assert log.list_failed(REF)[0].raw_reply == "a\\ud800b\\x00c"


def test_memories_on_their_way_into_the_state_document_are_remembered(log: AttemptLog) -> None:
    log.save_unmerged(REF, (3, 4))

    assert (list(log.list_unmerged(REF)), list(log.list_unmerged(OTHER))) == ([3, 4], [])
    log.save_unmerged(REF, ())
    assert list(log.list_unmerged(REF)) == []
