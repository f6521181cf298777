"""The tables of a vector database, exactly as WilmerAI makes them, and their generations (memory.md §6)."""

from __future__ import annotations

import sqlite3

FTS_COLUMNS = ("title", "summary", "entities", "key_phrases", "memory_text_unweighted")
"""The columns of the search table, in the order that weights follow."""


def _lay_out(head: str, *lines: str) -> str:
    """A statement with the line breaks of WilmerAI, so that sqlite_master holds the same text to the byte."""
    inside = ",\n".join(f"{' ' * 16}{line}" for line in lines)
    return f"{head}(\n{inside}\n{' ' * 12})"


MEMORIES_SQL = _lay_out(
    "CREATE TABLE IF NOT EXISTS memories ",
    "id INTEGER PRIMARY KEY",
    "discussion_id TEXT NOT NULL",
    "memory_text TEXT NOT NULL",
    "date_added TEXT NOT NULL",
    "metadata_json TEXT",
)

FTS_SQL = _lay_out("CREATE VIRTUAL TABLE IF NOT EXISTS memories_fts USING fts5", *FTS_COLUMNS, "tokenize='porter'")

HASH_LOG_SQL = _lay_out(
    "CREATE TABLE IF NOT EXISTS vector_memory_hash_log ",
    "id INTEGER PRIMARY KEY AUTOINCREMENT",
    "discussion_id TEXT NOT NULL",
    "message_hash TEXT NOT NULL",
    "timestamp DATETIME NOT NULL",
)

EMBEDDINGS_SQL = _lay_out(
    "CREATE TABLE IF NOT EXISTS memory_embeddings ",
    "memory_id INTEGER NOT NULL",
    "model TEXT NOT NULL",
    "dim INTEGER NOT NULL",
    "vector BLOB NOT NULL",
    "PRIMARY KEY (memory_id, model)",
)

_GENERATIONS = (
    ("memory_embeddings", "embeddings"),
    ("vector_memory_hash_log", "hash-log"),
    ("vector_memory_tracker", "tracker"),
)


def create_missing_tables(connection: sqlite3.Connection) -> None:
    """Run what the writer runs whenever it opens a database; existing tables, old ones included, stay as they are."""
    for statement in (MEMORIES_SQL, FTS_SQL, HASH_LOG_SQL, EMBEDDINGS_SQL):
        connection.execute(statement)


def list_tables(connection: sqlite3.Connection) -> frozenset[str]:
    """The names of all tables, virtual ones included.

    Raises sqlite3.DatabaseError when the file is no database.
    """
    return frozenset(row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'"))


def name_generation(tables: frozenset[str]) -> str:
    """`tracker`, `hash-log` or `embeddings`, by the newest table there is; empty when none is (traps V9)."""
    return next((name for table, name in _GENERATIONS if table in tables), "")
