from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from memory.engine.ranking import recency_factor
from memory.engine.search_query import Weights, parse_query
from memory.stores import vector_ranking
from memory.stores.vector_db import VectorDatabase
from memory.stores.vector_query_facts import add_shares, explain_rows, measure_query
from memory.stores.vector_ranking import RankedRow, RankOptions, rank_rows
from memory.stores.vector_state import reading
from tests.memory.stores.vector_builders import NOW, build_database, build_metadata, run_sql

WORDS = ("mira", "the", "heron", "tree", "trees", "Café", "zinc", "番茄", "bishop")
PLAIN = """
    SELECT m.id, bm25(memories_fts{weights}), recency_score(m.date_added),
           bm25(memories_fts{weights}) * recency_score(m.date_added) AS score
    FROM memories_fts JOIN memories AS m ON m.id = memories_fts.rowid
    WHERE memories_fts MATCH ? ORDER BY score, m.id LIMIT ?
"""

texts = st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join)
corpora = st.lists(st.tuples(texts, texts, st.integers(0, 900)), min_size=1, max_size=25)
queries = st.lists(
    st.lists(st.sampled_from([*WORDS, "unknown", "!"]), min_size=1, max_size=2).map(" ".join), max_size=6
)
weights = st.none() | st.tuples(*[st.sampled_from([0.0, 0.1, 1.0, 3.5])] * 5)


def build(path: Path, corpus: Sequence[tuple[str, str, int]], orphans: Sequence[int] = ()) -> VectorDatabase:
    database = build_database(path, [build_metadata(text, title=title) for text, title, _ in corpus])
    dates = [((NOW - timedelta(days=days)).isoformat(), number) for number, (*_, days) in enumerate(corpus, start=1)]
    run_sql(path, *(("UPDATE memories SET date_added = ? WHERE id = ?", date) for date in dates))
    run_sql(path, *(("DELETE FROM memories WHERE id = ?", (number,)) for number in orphans))
    return database


def rank_plainly(connection: sqlite3.Connection, match_text: str, options: RankOptions) -> list[RankedRow]:
    """What WilmerAI runs: everything scored, everything joined."""
    moment = options.recency_at
    connection.create_function("recency_score", 1, lambda date: recency_factor(date, moment) if moment else 1.0)
    factors = options.weights or ()
    statement = PLAIN.format(weights=", ?" * len(factors))
    rows = connection.execute(statement, (*factors, *factors, match_text, options.limit))
    return [RankedRow(*row) for row in rows]


def compare(database: VectorDatabase, query: str, options: RankOptions) -> None:
    parsed = parse_query(query)
    with reading(database.path) as connection:
        connection.execute("BEGIN")
        facts = measure_query(connection, database.path, parsed)
        ranked = rank_rows(connection, facts, options)
        assert ranked == (rank_plainly(connection, parsed.match_text, options) if parsed.terms else [])
        explained = explain_rows(connection, facts, [row.id for row in ranked], options.weights)
        sums = {row_id: add_shares(shares) for row_id, shares in explained.items()}
        assert [sums[row.id] for row in ranked] == pytest.approx([row.bm25 for row in ranked], abs=1e-12)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@example([("mira heron", "", 0), ("mira", "", 500), ("mira the", "", 10)], ["mira", "heron"], None, 1, True, [])
@given(corpora, queries, weights, st.integers(-1, 12), st.booleans(), st.lists(st.integers(1, 25), max_size=3))
def test_rows_and_scores_are_those_of_the_plain_statement(
    corpus: list[tuple[str, str, int]],
    query: list[str],
    factors: Weights | None,
    limit: int,
    recency: bool,
    orphans: list[int],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = build(Path(folder) / "vector_memory.db", corpus, orphans)

        compare(database, ";".join(query), RankOptions(limit, factors, NOW if recency else None))


@pytest.fixture(scope="module")
def common(tmp_path_factory: pytest.TempPathFactory) -> VectorDatabase:
    """A word in nine of ten rows, many rows of equal length, some rare words."""
    corpus = [
        (f"{'mira' if number % 10 else 'idris'} {'heron' if number % 7 == 0 else 'tree'} note", "", number % 400)
        for number in range(600)
    ]
    return build(tmp_path_factory.mktemp("common") / "vector_memory.db", corpus, orphans=range(7, 70, 7))


@pytest.mark.parametrize("limit", [1, 5, 60, 86, 87, 300])
@pytest.mark.parametrize("recency", [None, NOW, datetime(2020, 1, 1, tzinfo=UTC)])
def test_common_words_beside_rare_ones(common: VectorDatabase, limit: int, recency: datetime | None) -> None:
    compare(common, "mira; heron", RankOptions(limit, None, recency))
    compare(common, "mira; note; heron; idris", RankOptions(limit, (1.0, 2.0, 0.0, 1.0, 0.5), recency))


def test_too_many_rows_near_the_cut(common: VectorDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_ranking, "_MIN_CANDIDATES", 2)

    compare(common, "mira; heron", RankOptions(5))


def test_common_words_are_left_out_of_matching(common: VectorDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_ranking, "_rank_by_all_terms", None)

    with reading(common.path) as connection:
        connection.execute("BEGIN")
        facts = measure_query(connection, common.path, parse_query("mira; heron"))
        assert len(rank_rows(connection, facts, RankOptions(5))) == 5
