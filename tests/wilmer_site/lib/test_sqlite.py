from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from wilmer_site.lib.sqlite import open_readonly, write_transaction


def test_write_transaction_commits_whole(tmp_path: Path) -> None:
    path = tmp_path / "a ?#.db"
    with write_transaction(path) as connection:
        connection.execute("CREATE TABLE t (x)")
        connection.execute("INSERT INTO t VALUES (1)")

    with closing(open_readonly(path)) as reader:
        assert [row["x"] for row in reader.execute("SELECT x FROM t")] == [1]


def test_write_transaction_rolls_back_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with write_transaction(path) as connection:
        connection.execute("CREATE TABLE t (x)")

    with pytest.raises(ValueError, match="stop"), write_transaction(path) as connection:
        connection.execute("INSERT INTO t VALUES (1)")
        raise ValueError("stop")

    with closing(open_readonly(path)) as reader:
        assert reader.execute("SELECT count(*) FROM t").fetchone()[0] == 0


def test_open_readonly_changes_and_creates_nothing(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError):
        open_readonly(tmp_path / "absent.db")
    with write_transaction(tmp_path / "a.db") as connection:
        connection.execute("CREATE TABLE t (x)")

    with closing(open_readonly(tmp_path / "a.db")) as reader, pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader.execute("INSERT INTO t VALUES (1)")

    assert [entry.name for entry in tmp_path.iterdir()] == ["a.db"]


def test_reading_a_database_in_wal_mode_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE t (x)")
    path.with_name("a.db-wal").unlink(missing_ok=True)

    with closing(open_readonly(path)) as reader:
        assert reader.execute("SELECT count(*) FROM t").fetchone()[0] == 0

    assert [found.name for found in tmp_path.iterdir()] == ["a.db"]


def test_reading_sees_what_a_writer_in_wal_mode_has_committed(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("CREATE TABLE t (x)")
        writer.commit()

        with closing(open_readonly(path)) as reader:
            assert reader.execute("SELECT count(*) FROM t").fetchone()[0] == 0


def test_a_full_disk_is_told_and_not_hidden_by_the_way_back(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with write_transaction(path) as connection:
        connection.execute("CREATE TABLE t (x)")
        connection.execute("INSERT INTO t VALUES (1)")

    with pytest.raises(sqlite3.OperationalError, match="full"), write_transaction(path) as connection:
        connection.execute("PRAGMA max_page_count = 3")
        connection.execute("INSERT INTO t VALUES (zeroblob(100000))")

    with closing(open_readonly(path)) as reader:
        assert [row["x"] for row in reader.execute("SELECT x FROM t")] == [1]
