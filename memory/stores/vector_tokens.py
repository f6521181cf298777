"""Texts taken apart exactly as the search table does it: by FTS5 itself, in a scratch database in memory."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from memory.stores.vector_index_row import INDEX_INSERT_SQL
from memory.stores.vector_schema import FTS_COLUMNS, FTS_SQL

_VOCABULARY_SQL = "CREATE VIRTUAL TABLE words USING fts5vocab('memories_fts', 'instance')"
_COLUMN_NUMBERS = {name: number for number, name in enumerate(FTS_COLUMNS)}

TokenPlaces = dict[str, dict[int, set[int]]]
"""Where tokens stand in one row: token → column number → offsets."""


def tokenize_terms(terms: Sequence[str]) -> list[tuple[str, ...]]:
    """The tokens of each term, in order; empty for a term of signs only."""
    tokens: list[dict[int, str]] = [{} for _ in terms]
    with _scratch((number, (term, None, None, None, None)) for number, term in enumerate(terms)) as connection:
        for token, number, offset in connection.execute("SELECT term, doc, offset FROM words"):
            tokens[number][offset] = token
    return [tuple(places[offset] for offset in sorted(places)) for places in tokens]


def locate_tokens(rows: Mapping[int, Sequence[Any]], wanted: Iterable[str]) -> dict[int, TokenPlaces]:
    """Where the wanted tokens stand in search rows, which are given by id as their five columns."""
    found: dict[int, TokenPlaces] = {row_id: {} for row_id in rows}
    statement = "SELECT doc, col, offset FROM words WHERE term = ?"
    with _scratch(rows.items()) as connection:
        for token in dict.fromkeys(wanted):
            for row_id, column, offset in connection.execute(statement, (token,)):
                places = found[row_id].setdefault(token, {})
                places.setdefault(_COLUMN_NUMBERS[column], set()).add(offset)
    return found


def count_phrase(places: TokenPlaces, tokens: Sequence[str]) -> dict[int, int]:
    """How often tokens follow each other in a row, by column number; only where they do."""
    counts: dict[int, int] = {}
    for column, starts in places.get(tokens[0], {}).items() if tokens else ():
        rest = [places.get(token, {}).get(column, set()) for token in tokens[1:]]
        hits = sum(all(start + step in offsets for step, offsets in enumerate(rest, 1)) for start in starts)
        if hits:
            counts[column] = hits
    return counts


@contextlib.contextmanager
def _scratch(rows: Iterable[tuple[int, Sequence[Any]]]) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute(FTS_SQL)
        connection.execute(_VOCABULARY_SQL)
        connection.execute("BEGIN")
        connection.executemany(INDEX_INSERT_SQL, ((row_id, *columns) for row_id, columns in rows))
        yield connection
