from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memory.errors import DamagedFileError
from memory.results import DatabaseState
from memory.stores import vector_state
from memory.stores.vector_db import VectorDatabase
from memory.stores.vector_state import DatabaseBusyError, describe_database, reading
from memory.stores.vector_writes import create_database
from tests.memory.stores.vector_builders import DISCUSSION, build_database, leave_hot_journal, run_sql
from wilmer_site.lib.errors import NotFoundError
from wilmer_site.lib.files import FileUnreadableError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "vector_memory.db"


@pytest.fixture(autouse=True)
def short_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_state, "READ_TIMEOUT_SECONDS", 0.01)


def test_absent_file_is_not_created(path: Path) -> None:
    assert describe_database(path).state is DatabaseState.ABSENT
    assert not path.exists()


def test_ready_database_has_counts(path: Path) -> None:
    build_database(path, ["one", "two"])
    run_sql(path, "INSERT INTO memory_embeddings VALUES (1, 'a', 1, x'00000000')")

    found = describe_database(path)

    assert (found.state, found.problem, found.memory_count) == (DatabaseState.READY, None, 2)
    assert (dict(found.embedding_counts), found.schema_generation) == ({"a": 1}, "embeddings")


def test_empty_file_and_missing_tables_are_nothing_stored(path: Path) -> None:
    path.touch()
    empty = describe_database(path)
    run_sql(path, "CREATE TABLE vector_memory_tracker (discussion_id TEXT PRIMARY KEY)")
    other = describe_database(path)

    assert (empty.state, other.state) == (DatabaseState.NOTHING_STORED,) * 2
    assert "0 bytes" in (empty.problem or "")
    assert (empty.schema_generation, other.schema_generation) == ("", "tracker")


def test_tables_without_rows_are_nothing_stored(path: Path) -> None:
    build_database(path, ["one"])
    run_sql(path, "DELETE FROM memories", "DELETE FROM memories_fts")

    assert describe_database(path).state is DatabaseState.NOTHING_STORED


@pytest.mark.parametrize(
    "damage",
    [
        "DROP TABLE memories_fts",
        "DROP TABLE memories_fts_data",
        "DROP TABLE memories_fts_content",
        "DELETE FROM memories_fts_data",
        "DELETE FROM memories_fts",
    ],
)
def test_broken_index(path: Path, damage: str) -> None:
    build_database(path, ["one"])
    run_sql(path, damage)

    found = describe_database(path)

    assert (found.state, found.memory_count) == (DatabaseState.INDEX_BROKEN, 1)
    assert "Rebuild the index" in (found.problem or "")


def test_text_file_is_unreadable(path: Path) -> None:
    path.write_text("this is no database, whatever its name says. " * 50)

    found = describe_database(path)

    assert found.state is DatabaseState.UNREADABLE
    assert "not an SQLite database" in (found.problem or "")
    with pytest.raises(DamagedFileError):
        VectorDatabase(path, DISCUSSION).count_memories()


def test_folder_in_place_of_the_file_is_unreadable(path: Path) -> None:
    path.mkdir()

    assert describe_database(path).state is DatabaseState.UNREADABLE


def test_cut_off_file_is_unreadable(path: Path) -> None:
    build_database(path, ["one " * 500] * 20)
    path.write_bytes(path.read_bytes()[:5000])

    assert describe_database(path).state is DatabaseState.UNREADABLE


def test_locked_database_is_busy(path: Path) -> None:
    build_database(path, ["one"])
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")

        found = describe_database(path)

        assert (found.state, "locked" in (found.problem or "")) == (DatabaseState.UNREADABLE, True)
        with pytest.raises(DatabaseBusyError):
            VectorDatabase(path, DISCUSSION).get_memory(1)


def test_journal_of_an_interrupted_write_is_explained_and_left_alone(path: Path, tmp_path: Path) -> None:
    leave_hot_journal(path, tmp_path / "source.db")
    before = path.read_bytes()

    found = describe_database(path)

    assert (found.state, "journal" in (found.problem or "")) == (DatabaseState.UNREADABLE, True)
    assert path.read_bytes() == before
    assert path.with_name(f"{path.name}-journal").exists()


def test_next_write_undoes_the_interrupted_one(path: Path, tmp_path: Path) -> None:
    leave_hot_journal(path, tmp_path / "source.db")

    create_database(path)

    assert describe_database(path).state is DatabaseState.READY
    assert "two" not in VectorDatabase(path, DISCUSSION).get_memory(1).text


def test_missing_file_is_not_found_for_reading(path: Path) -> None:
    with pytest.raises(NotFoundError), reading(path):
        pass


def test_refusal_of_the_operating_system_is_unreadable(path: Path) -> None:
    error = sqlite3.OperationalError("unable to open database file")
    error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN

    assert isinstance(vector_state.translate_error(error, path), FileUnreadableError)


def test_a_foreign_table_of_the_same_name_is_told(path: Path) -> None:
    run_sql(path, "CREATE TABLE memories (id INTEGER PRIMARY KEY, note TEXT)", "INSERT INTO memories VALUES (1, 'x')")

    found = describe_database(path)

    assert (found.state, found.memory_count) == (DatabaseState.UNREADABLE, 0)
    assert "no column date_added, discussion_id, memory_text, metadata_json" in (found.problem or "")
    with pytest.raises(DamagedFileError):
        VectorDatabase(path, DISCUSSION).get_memory(1)
