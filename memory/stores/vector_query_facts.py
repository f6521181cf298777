"""A keyword query measured against one index: tokens and frequencies of its terms, and each term's share of a score."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

from memory.engine.ranking import EQUAL_WEIGHTS, IndexSize, inverse_frequency, is_floored, phrase_share
from memory.engine.search_query import ParsedQuery, Weights
from memory.stores.vector_frequencies import count_matches, count_phrases, read_index_size, read_varints
from memory.stores.vector_tokens import count_phrase, locate_tokens, tokenize_terms


@dataclass(frozen=True, slots=True)
class PhraseFacts:
    """One term of the query and what the index knows of it."""

    term: str
    phrase: str
    """Quoted, as in the expression."""
    tokens: tuple[str, ...]
    rows: int
    """How many rows it is found in."""
    is_common: bool
    """Found in half of the rows or more, so its idf is floored."""


@dataclass(frozen=True, slots=True)
class QueryFacts:
    """All terms of a query, and the size of the index."""

    phrases: tuple[PhraseFacts, ...]
    size: IndexSize
    match_text: str

    @property
    def is_findable(self) -> bool:
        """Whether any row matches at all."""
        return any(phrase.rows for phrase in self.phrases)


@dataclass(frozen=True, slots=True)
class Share:
    """What one term gave to the bm25 score of one row (traps V10)."""

    score: float
    """Negative or zero."""
    column_hits: Mapping[int, int]
    """Occurrences by column number, only where there are some."""


def measure_query(connection: sqlite3.Connection, path: Path, query: ParsedQuery) -> QueryFacts:
    """Tokens and row counts of every term. The connection must be inside a read transaction."""
    size = read_index_size(connection)
    phrases = query.phrases
    counts = count_phrases(connection, path, dict.fromkeys(phrases))
    facts = tuple(
        PhraseFacts(term, phrase, tokens, counts[phrase], is_floored(counts[phrase], size.rows))
        for term, phrase, tokens in zip(query.terms, phrases, tokenize_terms(query.terms), strict=True)
    )
    return QueryFacts(facts, size, query.match_text)


def count_rows(connection: sqlite3.Connection, facts: QueryFacts) -> int:
    """How many rows match, whatever the limit."""
    return count_matches(connection, facts.match_text) if facts.is_findable else 0


def explain_rows(
    connection: sqlite3.Connection, facts: QueryFacts, ids: Sequence[int], weights: Weights | None
) -> dict[int, tuple[Share, ...]]:
    """For each row the share of every term, in the order of the query. Costs grow with the ids, not with the index."""
    factors = weights or EQUAL_WEIGHTS
    frequencies = [inverse_frequency(phrase.rows, facts.size.rows) for phrase in facts.phrases]
    lengths = _read_lengths(connection, ids)
    wanted = [token for phrase in facts.phrases for token in phrase.tokens]
    explained: dict[int, tuple[Share, ...]] = {}
    for row_id, places in locate_tokens(_read_rows(connection, ids), wanted).items():
        hits = [count_phrase(places, phrase.tokens) for phrase in facts.phrases]
        explained[row_id] = tuple(
            Share(-phrase_share(idf, hit, lengths.get(row_id, 0), facts.size, factors), hit)
            for idf, hit in zip(frequencies, hits, strict=True)
        )
    return explained


def add_shares(shares: Sequence[Share]) -> float:
    """The bm25 score of a row from its shares, summed in FTS5's order so that equal rows stay exactly equal."""
    # Not sum(): from Python 3.12 on it compensates rounding, which FTS5 does not.
    return reduce(lambda total, share: total + share.score, shares, 0.0)


def _read_rows(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[int, tuple[object, ...]]:
    statement = "SELECT id, c0, c1, c2, c3, c4 FROM memories_fts_content WHERE id IN (SELECT value FROM json_each(?))"
    return {row[0]: tuple(row)[1:] for row in connection.execute(statement, (json.dumps(list(ids)),))}


def _read_lengths(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[int, int]:
    """Tokens of each row over all columns, as FTS5 stored them."""
    statement = "SELECT id, sz FROM memories_fts_docsize WHERE id IN (SELECT value FROM json_each(?))"
    rows = connection.execute(statement, (json.dumps(list(ids)),))
    return {row[0]: sum(read_varints(bytes(row[1]))) for row in rows}
