"""Which memories a keyword query finds, in which order: WilmerAI's rows and scores, for less work (memory.md §14.1).

WilmerAI scores every row that matches any term. Terms found in half of the rows or more rank next to nothing (their
idf is floored at 1e-6) but make most rows match. Here they are left out of matching, and their tiny shares are added
to the few rows near the cut. All rows that the shares could lift across the cut are looked at, so the result is the
same; where that cannot be shown cheaply, the whole expression is scored after all.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory.engine.ranking import (
    DAY_LENGTH,
    FLOOR_IDF,
    PHRASE_CEILING,
    RECENCY_MAX,
    recency_ceiling,
    recency_factor,
)
from memory.engine.search_query import Weights, format_match
from memory.stores.vector_query_facts import QueryFacts, add_shares, explain_rows

MAX_CANDIDATES = 4000
"""Looking at more rows near the cut than this would cost more than scoring the whole expression."""

_MIN_CANDIDATES = 200
_ROWS_PER_CANDIDATE = 100
"""Looking at one row near the cut costs about as much as scoring this many occurrences of common terms."""

_ROUNDING = 1e-9
"""Far above what adding up shares in another order can change, far below any share."""

_BATCH = 500
_KEPT = 50
_COMMON_PER_RARE = 2

ScoredRow = tuple[int, float]
"""Id and bm25 score."""


@dataclass(frozen=True, slots=True)
class RankOptions:
    """How to rank: how many rows (negative: all), usable weights or None, and the moment for recency or None."""

    limit: int
    weights: Weights | None = None
    recency_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class RankedRow:
    """A row found: its bm25 score, the recency factor, and the product that orders."""

    id: int
    bm25: float
    recency: float
    score: float


def rank_rows(connection: sqlite3.Connection, facts: QueryFacts, options: RankOptions) -> list[RankedRow]:
    """The best rows in order: ascending score, then ascending id. Search rows without a memory are left out."""
    if options.limit == 0 or not facts.is_findable:
        return []
    ranked = _rank_without_common_terms(connection, facts, options)
    return _rank_by_all_terms(connection, facts, options) if ranked is None else ranked


def _rank_by_all_terms(connection: sqlite3.Connection, facts: QueryFacts, options: RankOptions) -> list[RankedRow]:
    """Score all rows that match, as WilmerAI does; fetch only the winners."""
    if options.recency_at is not None:
        return _rank_all_by_recency(connection, facts, options, options.recency_at)
    wanted = options.limit
    while True:
        scored = _score_rows(connection, facts.match_text, options.weights, wanted)
        ranked = _best_of(connection, scored, options)
        if wanted < 0 or len(scored) < wanted or len(ranked) >= options.limit:
            return ranked
        wanted *= 4  # some of the winners are search rows without a memory (traps V1)


def _rank_all_by_recency(
    connection: sqlite3.Connection, facts: QueryFacts, options: RankOptions, moment: datetime
) -> list[RankedRow]:
    """Every row that matches with its date, in one pass; the factor is worked out only where it can matter."""
    statement = (
        f"SELECT found.id, found.score, m.date_added FROM (SELECT rowid AS id, {_bm25(options.weights)} AS score"
        " FROM memories_fts WHERE memories_fts MATCH ?) AS found CROSS JOIN memories AS m ON m.id = found.id"
    )
    best: list[RankedRow] = []
    worst = math.inf
    ceilings: dict[str, float] = {}
    for row_id, score, date in _raw(connection, statement, (*(options.weights or ()), facts.match_text)):
        day = str(date)[:DAY_LENGTH]
        if day not in ceilings:
            ceilings[day] = recency_ceiling(day, moment)
        if (score or 0.0) * ceilings[day] > worst:
            continue
        factor = recency_factor(date, moment)
        best.append(RankedRow(row_id, score or 0.0, factor, (score or 0.0) * factor))
        if options.limit >= 0 and len(best) >= 2 * options.limit + _KEPT:
            best = sorted(best, key=_by_order)[: options.limit]
            worst = best[-1].score
    best.sort(key=_by_order)
    return best if options.limit < 0 else best[: options.limit]


def _rank_without_common_terms(
    connection: sqlite3.Connection, facts: QueryFacts, options: RankOptions
) -> list[RankedRow] | None:
    """The same rows found by the rarer terms alone; None where that cannot be shown to be the same."""
    common = [phrase for phrase in facts.phrases if phrase.rows and phrase.is_common]
    rare = [phrase for phrase in facts.phrases if phrase.rows and not phrase.is_common]
    common_rows, rare_rows = sum(phrase.rows for phrase in common), sum(phrase.rows for phrase in rare)
    if (
        options.limit < 0
        or not common
        or not rare
        or (options.recency_at and _COMMON_PER_RARE * rare_rows > common_rows)
    ):
        return None
    most = options.limit + min(MAX_CANDIDATES, max(_MIN_CANDIDATES, common_rows // _ROWS_PER_CANDIDATE))
    match_text = format_match([phrase.phrase for phrase in rare])
    scored = _score_rows(connection, match_text, options.weights, most + 1)
    margin = len(common) * FLOOR_IDF * PHRASE_CEILING + _ROUNDING
    near = _near_the_cut(connection, scored, options, margin=margin, most=most)
    if near is None:
        return None
    explained = explain_rows(connection, facts, near, options.weights)
    exact = [(row_id, add_shares(shares)) for row_id, shares in explained.items()]
    return _best_of(connection, sorted(exact, key=_by_score), options)


def _near_the_cut(
    connection: sqlite3.Connection, scored: Sequence[ScoredRow], options: RankOptions, *, margin: float, most: int
) -> list[int] | None:
    """Ids of all rows that may win once each score falls by up to `margin`; None if unknown or more than `most`.

    Take the worst order value of the best `limit` rows here as the cut: those rows can only fall below it, so no
    winner lies above it. A row's order value is its score times 1 to 2.5 with recency, times 1 without. So a winner's
    score here is at most cut / 2.5 + margin. If that is not negative, rows without any rare term may win too.
    """
    window = scored[:most]
    best = _best_of(connection, window, options)
    if len(best) < options.limit:
        return None
    stretch = RECENCY_MAX if options.recency_at else 1.0
    ceiling = best[-1].score / stretch + margin
    goes_on = len(scored) > most and window[-1][1] <= ceiling
    if ceiling >= 0 or goes_on:
        return None
    return [row_id for row_id, score in window if score <= ceiling]


def _best_of(connection: sqlite3.Connection, scored: Sequence[ScoredRow], options: RankOptions) -> list[RankedRow]:
    """The best of rows that are sorted by score. Stops where no later row can win any more."""
    stretch = RECENCY_MAX if options.recency_at else 1.0
    best: list[RankedRow] = []
    for start in range(0, len(scored), _BATCH):
        batch = scored[start : start + _BATCH]
        if 0 <= options.limit <= len(best) and batch[0][1] * stretch > best[-1].score:
            break
        best = sorted(best + _rank_batch(connection, batch, options), key=_by_order)
        best = best if options.limit < 0 else best[: options.limit]
    return best


def _rank_batch(connection: sqlite3.Connection, batch: Sequence[ScoredRow], options: RankOptions) -> list[RankedRow]:
    """Rows that have a memory, with recency where it is wanted."""
    statement = "SELECT id, date_added FROM memories WHERE id IN (SELECT value FROM json_each(?))"
    ids = json.dumps([row_id for row_id, _ in batch])
    dates = {row[0]: row[1] for row in connection.execute(statement, (ids,))}
    ranked = []
    for row_id, score in batch:
        if row_id in dates:
            factor = recency_factor(dates[row_id], options.recency_at) if options.recency_at else 1.0
            ranked.append(RankedRow(row_id, score, factor, score * factor))
    return ranked


def _score_rows(
    connection: sqlite3.Connection, match_text: str, weights: Weights | None, limit: int
) -> list[ScoredRow]:
    """Ids and bm25 scores, best first; a negative limit gives all. Reads the index alone, no memory."""
    statement = (
        f"SELECT rowid, {_bm25(weights)} AS score FROM memories_fts WHERE memories_fts MATCH ?"
        " ORDER BY score, rowid LIMIT ?"
    )
    rows = _raw(connection, statement, (*(weights or ()), match_text, limit))
    return [(row_id, score or 0.0) for row_id, score in rows]


def _bm25(weights: Weights | None) -> str:
    return "bm25(memories_fts, ?, ?, ?, ?, ?)" if weights else "bm25(memories_fts)"


def _raw(connection: sqlite3.Connection, statement: str, values: tuple[Any, ...]) -> sqlite3.Cursor:
    """Plain tuples, which are cheaper than rows with names."""
    cursor = connection.cursor()
    cursor.row_factory = None
    return cursor.execute(statement, values)


def _by_score(row: ScoredRow) -> tuple[float, int]:
    return (row[1], row[0])


def _by_order(row: RankedRow) -> tuple[float, int]:
    return (row.score, row.id)
