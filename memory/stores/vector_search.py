"""Keyword and exact-text search in one vector database, and the merging of results of several (memory.md §14)."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from memory.engine.ranking import blend_expansion, list_entity_names
from memory.engine.search_query import ParsedQuery, Weights, parse_names, parse_query, parse_weights, split_terms
from memory.engine.search_warnings import (
    TermFacts,
    is_about_rows,
    list_single_words,
    list_warnings,
    merge_warnings,
)
from memory.results import (
    DatabaseState,
    KeywordShare,
    SearchHit,
    SearchMode,
    SearchRequest,
    SearchResult,
    SearchWarning,
)
from memory.stores.vector_db import VectorDatabase, read_memories
from memory.stores.vector_exact_text import search_exact_text
from memory.stores.vector_frequencies import find_longer_word
from memory.stores.vector_query_facts import QueryFacts, Share, count_rows, explain_rows, measure_query
from memory.stores.vector_ranking import RankedRow, RankOptions, rank_rows
from memory.stores.vector_schema import FTS_COLUMNS, list_tables
from memory.stores.vector_state import reading
from memory.types import DiscussionRef, VectorMemory
from wilmer_site.lib.errors import BusyError, WilmerError

_UNREADABLE_SIGNS = SearchWarning("unreadable-signs", "The query contains a sign that cannot be searched for.")


def search(
    database: VectorDatabase, request: SearchRequest, *, now: datetime, discussion: DiscussionRef
) -> SearchResult:
    """The memories a request finds, in WilmerAI's order (memory.md §14), with why each was found.

    `now` is aware. Never raises for damage, lock or absence: `state` and `problems` of the result say it.
    """
    nothing = _empty_result(request)
    try:
        with reading(database.path) as connection:
            connection.execute("BEGIN")
            if "memories" not in list_tables(connection):
                return _with_state(nothing, database, discussion)
            found = _search_in(connection, database.path, request, now=now, discussion=discussion)
    except BusyError as error:
        return replace(nothing, state=DatabaseState.UNREADABLE, problems=((discussion, error.message),))
    except WilmerError as error:
        return _with_state(nothing, database, discussion, error.message)
    return found if found.hits or found.searched else _with_state(found, database, discussion)


def merge_results(request: SearchRequest, results: Sequence[SearchResult]) -> SearchResult:
    """One list out of the results of several discussions: by score, cut to the limit, problems collected.

    Scores of different databases are comparable only roughly: each has its own word frequencies.
    """
    hits = sorted((hit for result in results for hit in result.hits), key=_merge_order)
    hits = hits if request.limit < 0 else hits[: request.limit]
    states = [result.state for result in results]
    found = {share.keyword for hit in hits for share in hit.shares}
    return replace(
        _empty_result(request),
        hits=tuple(replace(hit, rank=rank) for rank, hit in enumerate(hits, start=1)),
        warnings=merge_warnings((warning for result in results for warning in result.warnings), found),
        matched=sum(result.matched for result in results),
        searched=sum(result.searched for result in results),
        state=DatabaseState.READY if DatabaseState.READY in states else next(iter(states), DatabaseState.ABSENT),
        problems=tuple(problem for result in results for problem in result.problems),
    )


@dataclass(frozen=True, slots=True)
class KeywordPass:
    """One keyword search: what was asked, and the rows found, best first."""

    facts: QueryFacts
    rows: tuple[RankedRow, ...]


def run_keyword_pass(
    connection: sqlite3.Connection, path: Path, query: ParsedQuery, options: RankOptions
) -> KeywordPass:
    """One keyword search by WilmerAI's rules; the connection must be inside a read transaction (memory.md §14.1)."""
    facts = measure_query(connection, path, query)
    return KeywordPass(facts, tuple(rank_rows(connection, facts, options)))


def expand_by_entities(base: Sequence[VectorMemory], query: str) -> ParsedQuery:
    """The second query that entity expansion makes from the base rows (memory.md §14.4, W29); it may have no terms."""
    return parse_names(list_entity_names([memory.metadata for memory in base], split_terms(query)))


def is_searchable(query: ParsedQuery) -> bool:
    """Whether SQLite can be asked at all: there are terms, and no sign that ends or breaks an expression."""
    text = query.match_text
    return bool(text) and "\x00" not in text and not any(0xD800 <= ord(sign) < 0xE000 for sign in text)


def _search_in(
    connection: sqlite3.Connection, path: Path, request: SearchRequest, *, now: datetime, discussion: DiscussionRef
) -> SearchResult:
    if request.mode is SearchMode.EXACT_TEXT:
        return search_exact_text(connection, _empty_result(request), discussion)
    weights, problem = parse_weights(request.weights)
    ignored = (SearchWarning("weights-ignored", problem),) if problem else ()
    query = parse_query(request.query)
    if not is_searchable(query):
        signs = (_UNREADABLE_SIGNS,) if query.terms else ()
        searched = int(connection.execute("SELECT count(*) FROM memories").fetchone()[0])
        return replace(_empty_result(request), searched=searched, warnings=(*ignored, *signs))
    options = RankOptions(request.limit, weights, now if request.use_recency else None)
    found = run_keyword_pass(connection, path, query, options)
    hits = _build_hits(connection, found, weights, discussion)
    if request.expand_entities and hits:
        hits = _expand(connection, path, request, hits, options)
    return replace(
        _empty_result(request),
        hits=tuple(replace(hit, rank=rank) for rank, hit in enumerate(hits, start=1)),
        warnings=(*ignored, *_warn(connection, query, found.facts, discussion)),
        matched=count_rows(connection, found.facts),
        searched=found.facts.size.rows,
    )


def _expand(
    connection: sqlite3.Connection, path: Path, request: SearchRequest, base: list[SearchHit], options: RankOptions
) -> list[SearchHit]:
    names = expand_by_entities([hit.memory for hit in base], request.query)
    if not is_searchable(names):
        return base
    second = run_keyword_pass(connection, path, names, options)
    by_id = {hit.memory.id: hit for hit in base}
    chosen = blend_expansion(list(by_id), [row.id for row in second.rows], limit=request.limit)
    novel = KeywordPass(second.facts, tuple(row for row in second.rows if row.id in set(chosen) - set(by_id)))
    for hit in _build_hits(connection, novel, options.weights, base[0].discussion):
        by_id[hit.memory.id] = replace(hit, is_expansion=True)
    return [by_id[memory_id] for memory_id in chosen]


def _build_hits(
    connection: sqlite3.Connection, found: KeywordPass, weights: Weights | None, discussion: DiscussionRef
) -> list[SearchHit]:
    """Winners with their memories and shares; nothing here is done for rows that did not win."""
    ids = [row.id for row in found.rows]
    memories = read_memories(connection, ids)
    explained = explain_rows(connection, found.facts, ids, weights)
    return [
        SearchHit(
            discussion=discussion,
            memory=memories[row.id],
            rank=rank,
            score=row.score,
            bm25=row.bm25,
            recency_factor=row.recency,
            shares=_name_shares(found.facts, explained.get(row.id, ())),
        )
        for rank, row in enumerate(found.rows, start=1)
    ]


def _name_shares(facts: QueryFacts, shares: Sequence[Share]) -> tuple[KeywordShare, ...]:
    """Shares of the terms that the row contains; a repeated term has one for each time."""
    return tuple(
        KeywordShare(phrase.term, share.score, _name_columns(share.column_hits))
        for phrase, share in zip(facts.phrases, shares, strict=False)
        if share.column_hits
    )


def _name_columns(hits: Mapping[int, int]) -> dict[str, int]:
    return {FTS_COLUMNS[number]: count for number, count in sorted(hits.items())}


def _warn(
    connection: sqlite3.Connection, query: ParsedQuery, facts: QueryFacts, discussion: DiscussionRef
) -> tuple[SearchWarning, ...]:
    terms = [TermFacts(phrase.term, phrase.tokens, phrase.rows) for phrase in facts.phrases]
    longer = {term: find_longer_word(connection, token) for term, token in list_single_words(terms).items()}
    terms = [replace(term, longer_word=longer.get(term.term)) for term in terms]
    found, here = list_warnings(query, terms, total_rows=facts.size.rows), (discussion,)
    return tuple(replace(warning, discussions=here) if is_about_rows(warning) else warning for warning in found)


def _empty_result(request: SearchRequest) -> SearchResult:
    exact = request.mode is SearchMode.EXACT_TEXT
    query = parse_query(request.query)
    return SearchResult(
        request=request,
        keywords=split_terms(request.query) if exact else query.terms,
        match_text="" if exact else query.match_text,
        hits=(),
        warnings=(),
        matched=0,
        searched=0,
        state=DatabaseState.READY,
    )


def _with_state(
    result: SearchResult, database: VectorDatabase, discussion: DiscussionRef, problem: str | None = None
) -> SearchResult:
    """Say which kind of nothing it is. Absence and emptiness are states, not problems."""
    described = database.describe()
    is_broken = described.state in {DatabaseState.INDEX_BROKEN, DatabaseState.UNREADABLE}
    if is_broken:
        problem = described.problem or problem
    elif described.state is not DatabaseState.READY:
        problem = None
    return replace(result, state=described.state, problems=((discussion, problem),) if problem else ())


def _merge_order(hit: SearchHit) -> tuple[float, int, str, int]:
    return (hit.score, -len(hit.shares) if not hit.score else 0, hit.discussion.text, hit.rank)
