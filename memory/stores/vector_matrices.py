"""The nearest stored vectors of one model, with the vectors of a file's version kept in memory (memory.md §14.3)."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from pathlib import Path

from memory.engine.similarity import rank_vectors
from memory.engine.vector_matrix import Block, VectorMatrix, build_matrix
from memory.stores.vector_frequencies import Stamp, read_stamp

MAX_BYTES = 512 * 1024 * 1024
"""How much memory all kept vectors may take together."""

MAX_CANDIDATES = 5000
"""Beyond this, looking at every vector is as fast as picking candidates."""

_BLOCK_ROWS = 2048
_ALL = (
    "SELECT e.memory_id, e.vector FROM memory_embeddings AS e JOIN memories AS m ON m.id = e.memory_id"
    " WHERE e.model = ? AND typeof(e.vector) = 'blob' ORDER BY e.memory_id"
)

Key = tuple[Stamp, str]


class MatrixCache:
    """Matrices by version of a database file and model. Safe to share between threads."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, VectorMatrix | None] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, connection: sqlite3.Connection, key: Key) -> VectorMatrix | None:
        """The matrix, read now if this version was not asked for before; None where there can be none."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        matrix = _read_matrix(connection, key[1])
        with self._lock:
            self._drop_older_versions(key)
            self._kept[key] = matrix
            while self._size_bytes() > MAX_BYTES:
                self._kept.popitem(last=False)
        return matrix

    def forget(self) -> None:
        """Drop everything."""
        with self._lock:
            self._kept.clear()

    def _drop_older_versions(self, key: Key) -> None:
        (path, *_), model = key
        for other in [kept for kept in self._kept if (kept[0][0], kept[1]) == (path, model)]:
            del self._kept[other]

    def _size_bytes(self) -> int:
        return sum(matrix.size_bytes for matrix in self._kept.values() if matrix)


_CACHE = MatrixCache()


def forget_matrices() -> None:
    """Read anew from now on; for measuring the first search of a file's version."""
    _CACHE.forget()


def list_nearest(
    connection: sqlite3.Connection, path: Path, model: str, vector: Sequence[float], *, limit: int
) -> list[tuple[int, float]]:
    """Ids of memories with their cosines, best first, among the vectors of one model.

    The same as comparing with every vector. The connection must be inside a read transaction.
    """
    stamp = read_stamp(connection, path)
    matrix = _CACHE.get(connection, (stamp, model)) if stamp else None
    candidates = matrix.list_candidates(vector, limit) if matrix else None
    if candidates is None or len(candidates) > MAX_CANDIDATES:
        rows = connection.execute(_ALL, (model,))
        return rank_vectors(vector, [(int(row[0]), bytes(row[1])) for row in rows], limit=limit)
    statement = (
        "SELECT memory_id, vector FROM memory_embeddings WHERE model = ?"
        " AND memory_id IN (SELECT value FROM json_each(?)) ORDER BY memory_id"
    )
    rows = connection.execute(statement, (model, json.dumps(candidates)))
    return rank_vectors(vector, [(int(row[0]), bytes(row[1])) for row in rows], limit=limit)


def _read_matrix(connection: sqlite3.Connection, model: str) -> VectorMatrix | None:
    """Vectors in the order of the file, because sorting them inside SQLite would copy every one."""
    most = int(connection.execute("SELECT count(*) FROM memory_embeddings").fetchone()[0])
    among = [row[0] for row in _plain_rows(connection, "SELECT id FROM memories")]
    return build_matrix(most, _list_blocks(connection, model), among=among)


def _list_blocks(connection: sqlite3.Connection, model: str) -> Iterator[Block]:
    # NOT INDEXED: the only index is by memory, and would fetch each row from another place.
    statement = (
        "SELECT memory_id, vector FROM memory_embeddings NOT INDEXED WHERE model = ? AND typeof(vector) = 'blob'"
    )
    cursor = _plain_rows(connection, statement, model)
    while rows := cursor.fetchmany(_BLOCK_ROWS):
        yield rows


def _plain_rows(connection: sqlite3.Connection, statement: str, *values: str) -> sqlite3.Cursor:
    cursor = connection.cursor()
    cursor.row_factory = None
    return cursor.execute(statement, values)
