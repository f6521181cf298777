"""Opening SQLite files that somebody else may be writing."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

READ_TIMEOUT_SECONDS = 1.0
"""WilmerAI's own writes take milliseconds; a page that waits for what holds a file longer helps nobody."""

WRITE_TIMEOUT_SECONDS = 5.0


def open_readonly(path: Path, *, timeout_seconds: float = READ_TIMEOUT_SECONDS) -> sqlite3.Connection:
    """A connection that can change nothing and creates no file; the caller closes it.

    Temporary tables are possible. Raises sqlite3.OperationalError if the file is missing or cannot be opened.
    """
    uri = f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if _would_create_wal(path) else ''}"
    connection = sqlite3.connect(uri, uri=True, timeout=timeout_seconds, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    return connection


@contextlib.contextmanager
def write_transaction(path: Path, *, timeout_seconds: float = WRITE_TIMEOUT_SECONDS) -> Iterator[sqlite3.Connection]:
    """One short `BEGIN IMMEDIATE … COMMIT` in the default rollback journal, creating the file if it is absent.

    Everything is rolled back when the body raises. Never held during a model call (architecture, data safety 4).
    """
    connection = sqlite3.connect(path, timeout=timeout_seconds, isolation_level=None)
    connection.row_factory = sqlite3.Row
    try:
        connection.execute("BEGIN IMMEDIATE")
        started = time.perf_counter()
        try:
            yield connection
        except BaseException:
            if connection.in_transaction:  # A full disk has ended it already; another ROLLBACK would hide the reason.
                connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")
        held = time.perf_counter() - started
        for tell in _watchers:
            tell(held)
    finally:
        connection.close()


@contextlib.contextmanager
def watch_transactions(tell: Callable[[float], None]) -> Iterator[None]:
    """Have every write transaction of this process told, in seconds for which it kept others from writing."""
    _watchers.append(tell)
    try:
        yield
    finally:
        _watchers.remove(tell)


def _would_create_wal(path: Path) -> bool:
    """Whether merely reading would put two files beside a database: it is in WAL mode, and no log is waiting."""
    with contextlib.suppress(OSError):
        if path.with_name(f"{path.name}-wal").stat().st_size:
            return False
    with contextlib.suppress(OSError), path.open("rb") as stream:
        # Byte 19 of the header is the read version; 2 means write-ahead log.
        return stream.read(20)[19:] == b"\x02"
    return False


_watchers: list[Callable[[float], None]] = []
