from __future__ import annotations

from pathlib import Path

import pytest

from memory.api.guards import require_database, require_index, require_readable, require_unlocked
from memory.errors import DamagedFileError, DiscussionLockedError
from memory.results import DatabaseState, VectorStore
from memory.types import Artefact, FileReport, FileState, Generation
from wilmer_site.lib.files import FileTooLargeError, FileUnreadableError


def report(state: FileState, problem: str | None = None) -> FileReport:
    return FileReport(Artefact.MEMORIES, Path("/x/memories.json"), Generation.NESTED, state, problem=problem)


def store(state: DatabaseState, problem: str | None = None) -> VectorStore:
    return VectorStore(report(FileState.PRESENT), state, problem, 0, {}, "")


@pytest.mark.parametrize("state", [FileState.PRESENT, FileState.EMPTY, FileState.ABSENT])
def test_require_readable_lets_what_is_well_pass(state: FileState) -> None:
    require_readable(report(state))


@pytest.mark.parametrize(
    ("state", "error"),
    [
        (FileState.LOCKED, DiscussionLockedError),
        (FileState.DAMAGED, DamagedFileError),
        (FileState.UNREADABLE, FileUnreadableError),
        (FileState.TOO_LARGE, FileTooLargeError),
    ],
)
def test_require_readable_names_the_file(state: FileState, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"memories\.json") as caught:
        require_readable(report(state))

    assert caught.value.extra["file"] == "memories.json"  # type: ignore[attr-defined]


def test_require_unlocked_lets_damage_pass() -> None:
    require_unlocked(report(FileState.DAMAGED))

    with pytest.raises(DiscussionLockedError):
        require_unlocked(report(FileState.LOCKED))


@pytest.mark.parametrize("state", [DatabaseState.READY, DatabaseState.ABSENT, DatabaseState.NOTHING_STORED])
def test_require_index_lets_what_is_well_pass(state: DatabaseState) -> None:
    require_index(store(state))


def test_require_database_lets_a_broken_index_pass() -> None:
    require_database(store(DatabaseState.INDEX_BROKEN))

    with pytest.raises(DamagedFileError, match="index"):
        require_index(store(DatabaseState.INDEX_BROKEN))


def test_require_database_tells_the_problem() -> None:
    with pytest.raises(DamagedFileError, match="torn in two"):
        require_database(store(DatabaseState.UNREADABLE, "The file is torn in two."))
