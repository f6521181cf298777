"""The table of workflow locks beside other writers."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.workflows_app.builders import NOON
from workflows_app.stores.workflow_locks import WorkflowLocks


def locks(path: Path, instance: str = "one") -> WorkflowLocks:
    return WorkflowLocks(path / "dbs" / "locks.sqlite", instance, lambda: NOON)


def test_only_one_of_many_gets_the_lock(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(lambda at: locks(tmp_path, f"i{at}").acquire("w", "L"), range(8)))

    assert taken.count(True) == 1


def test_releasing_without_a_file_makes_none(tmp_path: Path) -> None:
    locks(tmp_path).release("w")

    assert not (tmp_path / "dbs").exists()
    assert locks(tmp_path).list_rows() == []


def test_row_with_an_unreadable_time_does_not_block(tmp_path: Path) -> None:
    locks(tmp_path).acquire("w", "L")
    with sqlite3.connect(tmp_path / "dbs" / "locks.sqlite") as connection:
        connection.execute("UPDATE WorkflowLocks SET ExpirationDate = 'soon'")
    connection.close()

    assert locks(tmp_path).acquire("v", "L")
