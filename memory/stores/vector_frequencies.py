"""How many rows a phrase is found in, and how large the index is: what BM25 weighs phrases by."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from pathlib import Path

from memory.engine.ranking import IndexSize

_MAX_FILES = 64
_MAX_PHRASES = 20_000
_AVERAGES_ROW = 1
_CHANGE_COUNTER = slice(24, 28)

Stamp = tuple[str, int, int, int, bytes]
"""Path, inode, size, time and SQLite's change counter of one version of a file."""


class FrequencyCache:
    """Row counts of phrases per version of a database file. Safe to share between threads."""

    def __init__(self) -> None:
        self._counts: OrderedDict[Stamp, dict[str, int]] = OrderedDict()
        self._lock = threading.Lock()

    def counts_of(self, stamp: Stamp | None) -> dict[str, int]:
        """The counts known for this version, to be read and added to; of unknown versions a new, unshared one."""
        if stamp is None:
            return {}
        with self._lock:
            counts = self._counts.setdefault(stamp, {})
            self._counts.move_to_end(stamp)
            while len(self._counts) > _MAX_FILES:
                self._counts.popitem(last=False)
            if len(counts) > _MAX_PHRASES:
                counts.clear()
            return counts

    def forget(self) -> None:
        """Drop everything."""
        with self._lock:
            self._counts.clear()


_CACHE = FrequencyCache()


def forget_counts() -> None:
    """Count anew from now on; for measuring the first search of a file's version."""
    _CACHE.forget()


def count_phrases(connection: sqlite3.Connection, path: Path, phrases: Iterable[str]) -> dict[str, int]:
    """In how many rows each quoted phrase is found. The connection must be inside a read transaction.

    Counts are kept per version of the file, so that the next search need not count again.
    """
    known = _CACHE.counts_of(read_stamp(connection, path))
    found: dict[str, int] = {}
    for phrase in phrases:
        count = known.get(phrase)
        if count is None:
            count = known[phrase] = count_matches(connection, phrase)
        found[phrase] = count
    return found


def count_matches(connection: sqlite3.Connection, match_text: str) -> int:
    """How many rows match an expression."""
    statement = "SELECT count(*) FROM memories_fts WHERE memories_fts MATCH ?"
    return int(connection.execute(statement, (match_text,)).fetchone()[0])


def read_index_size(connection: sqlite3.Connection) -> IndexSize:
    """Rows and tokens of the index, from the record that FTS5 itself keeps for BM25."""
    row = connection.execute("SELECT block FROM memories_fts_data WHERE id = ?", (_AVERAGES_ROW,)).fetchone()
    numbers = list(read_varints(bytes(row[0]))) if row else []
    return IndexSize(rows=numbers[0], tokens=sum(numbers[1:])) if numbers else IndexSize(0, 0)


def find_longer_word(connection: sqlite3.Connection, token: str) -> str | None:
    """An indexed word that begins with a token that is itself not indexed."""
    connection.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.memory_words USING fts5vocab('main', 'memories_fts', 'row')"
    )
    row = connection.execute("SELECT term FROM temp.memory_words WHERE term >= ? LIMIT 1", (token,)).fetchone()
    return str(row[0]) if row and str(row[0]).startswith(token) and row[0] != token else None


def read_varints(data: bytes) -> Iterator[int]:
    """SQLite's variable-length integers: seven bits a byte, the ninth byte whole."""
    value = length = 0
    for byte in data:
        length += 1
        if length == 9:
            yield (value << 8) | byte
        elif byte & 0x80:
            value = (value << 7) | (byte & 0x7F)
            continue
        else:
            yield (value << 7) | byte
        value = length = 0


def read_stamp(connection: sqlite3.Connection, path: Path) -> Stamp | None:
    """What changes with every commit to a database; None where that cannot be told from the file, as in WAL mode."""
    if connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
        return None
    with contextlib.suppress(OSError), path.open("rb") as stream:
        counter = stream.read(_CHANGE_COUNTER.stop)[_CHANGE_COUNTER]
        stat = path.stat()
        return (str(path), stat.st_ino, stat.st_size, stat.st_mtime_ns, counter)
    return None
