"""Workflow locks in WilmerAI's own SQLite file, one per user (workflows.md §10.11)."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from wilmer_site.lib.sqlite import open_readonly, write_transaction

LIFETIME = timedelta(minutes=10)
_TABLE = """
CREATE TABLE IF NOT EXISTS WorkflowLocks (
    Id INTEGER PRIMARY KEY AUTOINCREMENT,
    WilmerSessionId TEXT,
    WorkflowId TEXT,
    WorkflowLockId TEXT,
    ExpirationDate DATETIME
)"""


@dataclass(frozen=True, slots=True)
class LockRow:
    """A lock that is held."""

    instance: str
    workflow_id: str
    lock_id: str
    expires: datetime
    """Local time, without offset; the lock still holds at this very moment."""


@dataclass(frozen=True, slots=True)
class WorkflowLocks:
    """The locks of one user, taken in the name of one server instance."""

    path: Path
    instance: str
    now: Callable[[], datetime]
    """Local time, without offset."""

    def acquire(self, workflow_id: str, lock_id: str) -> bool:
        """Take a lock for ten minutes; False when anybody holds it, this very run included."""
        with self._writing() as connection:
            if self._find(connection, lock_id):
                return False
            connection.execute(
                "INSERT INTO WorkflowLocks (WilmerSessionId, WorkflowId, WorkflowLockId, ExpirationDate) "
                "VALUES (?, ?, ?, ?)",
                (self.instance, workflow_id, lock_id, str(self.now() + LIFETIME)),
            )
            return True

    def release(self, workflow_id: str) -> None:
        """Free all locks of one workflow run of this instance."""
        if self.path.exists():
            self._delete("WilmerSessionId = ? AND WorkflowId = ?", (self.instance, workflow_id))

    def release_lock(self, lock_id: str) -> None:
        """Free a lock, whoever holds it."""
        self._delete("WorkflowLockId = ?", (lock_id,))

    def is_held(self, lock_id: str) -> bool:
        """Whether somebody holds the lock; an expired row is removed."""
        with self._writing() as connection:
            return self._find(connection, lock_id)

    def delete_of_other_instances(self) -> None:
        """What WilmerAI does when it starts. Only for a server that has the folder to itself."""
        self._delete("WilmerSessionId IS NOT ?", (self.instance,))

    def list_rows(self) -> list[LockRow]:
        """All rows, expired ones included, in the order they were taken."""
        try:
            with contextlib.closing(open_readonly(self.path)) as connection:
                return [_row(found) for found in connection.execute("SELECT * FROM WorkflowLocks ORDER BY Id")]
        except sqlite3.OperationalError:
            return []

    def _find(self, connection: sqlite3.Connection, lock_id: str) -> bool:
        rows = connection.execute("SELECT * FROM WorkflowLocks WHERE WorkflowLockId = ?", (lock_id,)).fetchall()
        expired = [row["Id"] for row in rows if _row(row).expires < self.now()]
        connection.executemany("DELETE FROM WorkflowLocks WHERE Id = ?", [(row,) for row in expired])
        return len(expired) < len(rows)

    def _delete(self, condition: str, values: tuple[str, ...]) -> None:
        with self._writing() as connection:
            connection.execute(f"DELETE FROM WorkflowLocks WHERE {condition}", values)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with write_transaction(self.path) as connection:
            connection.execute(_TABLE)
            yield connection


def _row(row: sqlite3.Row) -> LockRow:
    """An unreadable time counts as long past, so that such a row cannot block for ever."""
    try:
        expires = datetime.fromisoformat(str(row["ExpirationDate"])).replace(tzinfo=None)
    except ValueError:
        expires = datetime.min  # noqa: DTZ901 - local times without offset, as WilmerAI stores them
    return LockRow(str(row["WilmerSessionId"]), str(row["WorkflowId"]), str(row["WorkflowLockId"]), expires)
