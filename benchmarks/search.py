"""Keyword search over many memories, beside the statement that WilmerAI runs: same rows, less time."""

from __future__ import annotations

import itertools
import json
import os
import random
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks import Cell, Table, best_milliseconds
from memory.engine.ranking import recency_factor
from memory.engine.search_query import parse_query
from memory.results import SearchMode, SearchRequest
from memory.stores import vector_frequencies
from memory.stores.vector_db import VectorDatabase
from memory.stores.vector_rows import insert_memory, put_index_row
from memory.stores.vector_schema import create_missing_tables
from memory.stores.vector_search import search
from memory.types import DiscussionId, DiscussionRef

MEMORIES = int(os.environ.get("BENCH_MEMORIES", "100000"))
WORDS_PER_MEMORY = 60
VOCABULARY = 30_000
COMMON_WORD = "mira"
NOW = datetime(2026, 3, 1, tzinfo=UTC)
REF = DiscussionRef(DiscussionId("bench"))

PLAIN = "SELECT m.*, {score} AS score FROM memories_fts JOIN memories AS m ON m.id = memories_fts.rowid"
PLAIN_END = " WHERE memories_fts MATCH ? ORDER BY score LIMIT ?"


def measure() -> Table:
    """Time per search, the first one of a file's version (word counts unknown) and the later ones."""
    with tempfile.TemporaryDirectory(prefix="wilmer-bench-") as folder:
        path = Path(folder) / "vector_memory.db"
        build_database(path)
        rows = [measure_query(path, name, request) for name, request in build_requests().items()]
    setup = f"{MEMORIES:,} memories of about {WORDS_PER_MEMORY} words; one word in 60 % of them; 15 results; best of 5"
    return Table("Keyword search, milliseconds", setup, rows)


def build_requests() -> dict[str, SearchRequest]:
    """Queries that differ in what makes them expensive."""
    choose = random.Random(2)
    mixed = "; ".join([COMMON_WORD, *draw_words(choose, 59)])
    rare = "; ".join(f"word{rank}" for rank in (11_000, 15_000, 20_000, 25_000))
    one_common = f"{COMMON_WORD}; {rare}"
    weights = (3.0, 2.0, 2.0, 2.0, 0.5)
    return {
        "one rare word": SearchRequest("word20000"),
        "four rare words": SearchRequest(rare),
        "one common, four rare": SearchRequest(one_common),
        "… with weights": SearchRequest(one_common, weights=weights),
        "… with recency": SearchRequest(one_common, use_recency=True),
        "one common word": SearchRequest(COMMON_WORD),
        "60 words, mixed": SearchRequest(mixed),
        "… with weights ": SearchRequest(mixed, weights=weights),
        "… with recency ": SearchRequest(mixed, use_recency=True),
        "exact text": SearchRequest("word20000", mode=SearchMode.EXACT_TEXT),
    }


def measure_query(path: Path, name: str, request: SearchRequest) -> dict[str, Cell]:
    """One line of the table. Ours includes opening the file, warnings, counts and the explanation of every hit."""
    database = VectorDatabase(path, REF.discussion_id)

    def ours() -> list[int]:
        return [hit.memory.id for hit in search(database, request, now=NOW, discussion=REF).hits]

    def first() -> list[int]:
        vector_frequencies.forget_counts()
        return ours()

    later = best_milliseconds(ours)
    line: dict[str, Cell] = {"query": name, "first": best_milliseconds(first, rounds=3), "later": later}
    if request.mode is not SearchMode.KEYWORD:
        return line
    plain = build_plain_search(path, request)
    milliseconds = best_milliseconds(plain)
    same = "yes" if plain() == ours() else "NO"
    return line | {"plain": milliseconds, "times faster": round(milliseconds / later, 1), "same rows": same}


def build_plain_search(path: Path, request: SearchRequest) -> Callable[[], list[int]]:
    """What WilmerAI runs: every matching row scored, joined and sorted."""
    factors = request.weights or ()
    score = f"bm25(memories_fts{', ?' * len(factors)})"
    if request.use_recency:
        score += " * recency_score(m.date_added)"
    statement = PLAIN.format(score=score) + PLAIN_END
    values = (*factors, parse_query(request.query).match_text, request.limit)

    def plain() -> list[int]:
        with closing(sqlite3.connect(path)) as connection:
            connection.create_function("recency_score", 1, lambda date: recency_factor(date, NOW))
            return [int(row[0]) for row in connection.execute(statement, values)]

    return plain


def build_database(path: Path) -> None:
    """Words as frequent as in natural text (Zipf), dates over two years."""
    choose = random.Random(1)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        create_missing_tables(connection)
        connection.execute("BEGIN")
        for number in range(MEMORIES):
            words = draw_words(choose, WORDS_PER_MEMORY + choose.randrange(-20, 21))
            if choose.random() < 0.6:
                words[0] = COMMON_WORD
            text, title, entities, phrase = " ".join(words), " ".join(words[:4]), words[4:6], " ".join(words[6:9])
            metadata = {"title": title, "summary": text, "entities": entities, "key_phrases": [phrase]}
            date = NOW - timedelta(days=730) * (1 - number / MEMORIES)
            memory_id = insert_memory(connection, ("bench", text, date.isoformat(), json.dumps(metadata)))
            put_index_row(connection, memory_id, (title, text, " ".join(entities), phrase, text))
        connection.execute("COMMIT")


def draw_words(choose: random.Random, count: int) -> list[str]:
    """Words by natural frequency."""
    return [f"word{rank}" for rank in choose.choices(range(VOCABULARY), cum_weights=_FREQUENCIES, k=count)]


_FREQUENCIES = list(itertools.accumulate(1 / (rank + 1) for rank in range(VOCABULARY)))
