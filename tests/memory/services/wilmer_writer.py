"""A program that writes vector memories as WilmerAI does: `python -m tests.memory.services.wilmer_writer DB COUNT`.

Connections, statements and error handling are those of memory.md §6, §12 and §13: one connection per operation with the
usual five seconds of patience, a failed write counted and never repeated.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime

TABLES = """
CREATE TABLE IF NOT EXISTS memories (
    id INTEGER PRIMARY KEY, discussion_id TEXT NOT NULL, memory_text TEXT NOT NULL, date_added TEXT NOT NULL,
    metadata_json TEXT);
CREATE VIRTUAL TABLE IF NOT EXISTS memories_fts USING fts5(
    title, summary, entities, key_phrases, memory_text_unweighted, tokenize='porter');
CREATE TABLE IF NOT EXISTS vector_memory_hash_log (
    id INTEGER PRIMARY KEY AUTOINCREMENT, discussion_id TEXT NOT NULL, message_hash TEXT NOT NULL,
    timestamp DATETIME NOT NULL);
CREATE TABLE IF NOT EXISTS memory_embeddings (
    memory_id INTEGER NOT NULL, model TEXT NOT NULL, dim INTEGER NOT NULL, vector BLOB NOT NULL,
    PRIMARY KEY (memory_id, model))
"""


def main(path: str, count: int) -> int:
    """How many memories or log rows could not be written."""
    lost = 0
    for number in range(count):
        lost += not _try(path, lambda connection, at=number: _add(connection, at))
        lost += not _try(path, lambda connection, at=number: _log(connection, at))
    return lost


def _try(path: str, work) -> bool:  # type: ignore[no-untyped-def]
    try:
        with closing(sqlite3.connect(path, timeout=5)) as connection, connection:
            for statement in TABLES.split(";"):
                connection.execute(statement)
            work(connection)
    except sqlite3.Error as error:
        sys.stderr.write(f"not stored: {error}\n")
        return False
    return True


def _add(connection: sqlite3.Connection, number: int) -> None:
    text = f"theirs {number}"
    metadata = {"title": "", "summary": text, "entities": ["Ada"], "key_phrases": ["clay pots"]}
    now = datetime.now(UTC).isoformat()
    row = ("amber", text, now, json.dumps(metadata))
    statement = "INSERT INTO memories (discussion_id, memory_text, date_added, metadata_json) VALUES (?, ?, ?, ?)"
    memory_id = connection.execute(statement, row).lastrowid
    connection.execute(
        "INSERT INTO memories_fts (rowid, title, summary, entities, key_phrases, memory_text_unweighted)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (memory_id, "", text, "Ada", "clay pots", text),
    )


def _log(connection: sqlite3.Connection, number: int) -> None:
    statement = "INSERT INTO vector_memory_hash_log (discussion_id, message_hash, timestamp) VALUES (?, ?, ?)"
    connection.execute(statement, ("amber", f"{number:064x}", datetime.now(UTC).isoformat()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
