"""A search with its answer: what was asked, what was found and why, or which kind of nothing."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.safestring import SafeString

from memory.contexts.addresses import api_address, discussion_api_address, page_address
from memory.contexts.highlighting import highlight_keywords, highlight_text
from memory.contexts.labels import format_id
from memory.contexts.regions import Region
from memory.contexts.times import parse_stored_time
from memory.engine.wording import format_count
from memory.forms import SEARCH_COLUMNS, SEARCH_MODES, SearchForm
from memory.results import (
    DatabaseState,
    KeywordShare,
    SearchHit,
    SearchMode,
    SearchRequest,
    SearchResult,
    SearchWarning,
)
from memory.types import DiscussionRef

SHOWN_CHARACTERS = 1_500
"""How much of a memory a hit shows."""

TONES = 6
"""How many colours tell the keywords apart."""


@dataclass(frozen=True, slots=True)
class BarPart:
    """A keyword's piece of a score bar, in hundredths of the best score."""

    tone: int
    x: str
    width: str


@dataclass(frozen=True, slots=True)
class ShareLine:
    """A keyword's piece of a score in words."""

    tone: int
    keyword: str
    score: str
    columns: str


@dataclass(frozen=True, slots=True)
class HitRow:
    """One memory found, and why."""

    rank: int
    title: SafeString
    text: SafeString
    is_cut: bool
    score: str
    bm25: str
    recency_factor: str
    parts: tuple[BarPart, ...]
    shares: tuple[ShareLine, ...]
    is_expansion: bool
    date_added: str
    moment: datetime | None
    entities: tuple[str, ...]
    url: str
    discussion_name: str
    discussion_url: str


@dataclass(frozen=True, slots=True)
class SearchScope:
    """The one discussion a search is limited to."""

    text: str
    name: str
    url: str
    leave_url: str


@dataclass(frozen=True, slots=True)
class SearchContext:
    """The form and, once it was sent, the answer."""

    form: SearchForm
    scope: SearchScope | None
    modes: tuple[tuple[str, str], ...]
    weight_fields: tuple[Any, ...]
    has_advanced: bool
    """Weights, recency or expansion are in use, so the drawer with them is open."""
    answer: SearchAnswer | None
    api_url: str
    """Empty while nothing is asked: the REST twin needs keywords."""

    @classmethod
    def build(cls, form: SearchForm, result: SearchResult | None) -> SearchContext:
        """The page with the form as typed; `result` is None when nothing valid was asked."""
        fields = tuple(form[f"weight_{column}"] for column in SEARCH_COLUMNS)
        answer = SearchAnswer.build(result, form.ref()) if result else None
        return cls(
            form=form,
            scope=_scope(form),
            modes=SEARCH_MODES,
            weight_fields=fields,
            has_advanced=any(field.value() or field.errors for field in (*fields, form["recency"], form["expand"])),
            answer=answer,
            api_url=answer.api_url if answer else "",
        )


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """What was asked in WilmerAI's words, what was found, and what to do with it."""

    match_text: str
    keywords: tuple[str, ...]
    warnings: tuple[SearchWarning, ...]
    hits: tuple[HitRow, ...]
    matched: int
    searched: int
    is_exact: bool
    has_recency: bool
    nothing: Region | None
    problems: tuple[tuple[str, str, str], ...]
    """Name, URL and reason of each discussion that could not be searched."""
    exact_url: str | None
    permalink: str
    csv_url: str
    api_url: str
    node_json: str

    @classmethod
    def build(cls, result: SearchResult, ref: DiscussionRef | None) -> SearchAnswer:
        """The answer to a search in one discussion, or in all when `ref` is None."""
        request = result.request
        parameters = search_parameters(request, ref)
        is_exact = request.mode is SearchMode.EXACT_TEXT
        exact = search_parameters(request, ref, mode=SearchMode.EXACT_TEXT)
        return cls(
            match_text=result.match_text,
            keywords=result.keywords,
            warnings=result.warnings,
            hits=_hit_rows(result),
            matched=result.matched,
            searched=result.searched,
            is_exact=is_exact,
            has_recency=request.use_recency,
            nothing=None if result.hits else _nothing(result),
            problems=tuple(_problem(ref, why) for ref, why in result.problems),
            exact_url=page_address("search", parameters=exact) if _can_search_text(result) else None,
            permalink=page_address("search", parameters=parameters),
            csv_url=_api_url(request, ref, ("format", "csv")),
            api_url=_api_url(request, ref),
            node_json=build_node_json(request),
        )


def search_parameters(
    request: SearchRequest, ref: DiscussionRef | None, *, mode: SearchMode | None = None
) -> list[tuple[str, object]]:
    """A search as parameters of the search page; what is usual is left out."""
    wanted = mode or request.mode
    weights = zip(SEARCH_COLUMNS, request.weights or (), strict=False)
    return [
        ("query", request.query),
        ("discussion", ref.text if ref else ""),
        ("mode", "" if wanted is SearchMode.KEYWORD else wanted.value),
        ("limit", "" if request.limit == SearchRequest("").limit else request.limit),
        ("recency", request.use_recency),
        ("expand", request.expand_entities),
        *((f"weight_{column}", f"{weight:g}") for column, weight in weights),
    ]


def build_node_json(request: SearchRequest) -> str:
    """The same search as a node of a workflow (workflows.md §10, `VectorMemorySearch`)."""
    node: dict[str, Any] = {
        "title": "Search vector memories",
        "type": "VectorMemorySearch",
        "input": request.query,
        "limit": request.limit,
        "searchMode": "keyword",
    }
    if request.weights:
        node["bm25Weights"] = list(request.weights)
    node |= {"useRecencyScoring": request.use_recency, "useEntityExpansion": request.expand_entities}
    return json.dumps(node, indent=2, ensure_ascii=False)


def _can_search_text(result: SearchResult) -> bool:
    """Whether exact text is another way to ask: it reads the memories themselves, so it needs no index."""
    is_readable = result.state in {DatabaseState.READY, DatabaseState.INDEX_BROKEN}
    return is_readable and result.request.mode is SearchMode.KEYWORD


def _api_url(request: SearchRequest, ref: DiscussionRef | None, *more: tuple[str, object]) -> str:
    parameters = [*search_parameters(request, None), *more]
    if ref:
        return discussion_api_address(ref, "search", parameters=parameters)
    return api_address("search", parameters=parameters)


def _scope(form: SearchForm) -> SearchScope | None:
    text = str(form["discussion"].value() or "")
    if not text.strip():
        return None
    ref = DiscussionRef.parse(text.replace("\r\n", "\n"))
    leave = page_address("search", parameters=[("query", form["query"].value() or "")])
    return SearchScope(ref.text, format_id(ref.discussion_id), page_address("discussion-detail", ref), leave)


def _hit_rows(result: SearchResult) -> tuple[HitRow, ...]:
    best = max((abs(hit.bm25) for hit in result.hits), default=0.0) or 1.0
    tones = {keyword: index % TONES for index, keyword in enumerate(result.keywords)}
    return tuple(_hit_row(result, hit, best, tones) for hit in result.hits)


def _hit_row(result: SearchResult, hit: SearchHit, best: float, tones: dict[str, int]) -> HitRow:
    mark = highlight_text if result.request.mode is SearchMode.EXACT_TEXT else highlight_keywords
    memory = hit.memory
    return HitRow(
        rank=hit.rank,
        title=mark(memory.title or f"Memory {memory.id}", result.keywords),
        text=mark(memory.text[:SHOWN_CHARACTERS], result.keywords),
        is_cut=len(memory.text) > SHOWN_CHARACTERS,
        score=_number(hit.score),
        bm25=_number(hit.bm25),
        recency_factor=f"{hit.recency_factor:.2f}",
        parts=_bar(hit.shares, best, tones),
        shares=tuple(_share_line(share, tones) for share in hit.shares),
        is_expansion=hit.is_expansion,
        date_added=memory.date_added,
        moment=parse_stored_time(memory.date_added),
        entities=memory.listed("entities"),
        url=page_address("vector-memory-detail", hit.discussion, memory.id),
        discussion_name=format_id(hit.discussion.discussion_id),
        discussion_url=page_address("discussion-detail", hit.discussion),
    )


def _bar(shares: tuple[KeywordShare, ...], best: float, tones: dict[str, int]) -> tuple[BarPart, ...]:
    parts, x = [], 0.0
    for share in shares:
        width = 100 * abs(share.score) / best
        parts.append(BarPart(tones.get(share.keyword, 0), f"{x:.2f}", f"{width:.2f}"))
        x += width
    return tuple(parts)


def _share_line(share: KeywordShare, tones: dict[str, int]) -> ShareLine:
    columns = ", ".join(f"{_COLUMN_WORDS.get(name, name)} {count}×" for name, count in share.column_hits.items())
    return ShareLine(tones.get(share.keyword, 0), share.keyword, _number(share.score), columns)


_COLUMN_WORDS = {
    "key_phrases": "key phrases",
    "memory_text": "memory text",
    "memory_text_unweighted": "memory text",
}
"""What people call the columns of the search table (memory.md §6); the others speak for themselves."""


def _number(value: float) -> str:
    if value and abs(value) < 0.005:
        return "≈ 0"
    return f"{value:.2f}".replace("-", "−")


def _problem(ref: DiscussionRef, why: str) -> tuple[str, str, str]:
    return format_id(ref.discussion_id), page_address("discussion-detail", ref), why


_NOTHINGS = {
    DatabaseState.ABSENT: ("empty", "Nothing is stored", "There are no vector memories to search here."),
    DatabaseState.NOTHING_STORED: ("empty", "Nothing is stored", "The database is there and holds no memories."),
    DatabaseState.INDEX_BROKEN: (
        "damaged",
        "The search index is broken",
        "To WilmerAI this looks like no match. Exact text still searches the memories themselves.",
    ),
    DatabaseState.UNREADABLE: (
        "unreadable",
        "The database cannot be read",
        "It is corrupt, no database at all, or refused. To WilmerAI this looks like no match.",
    ),
}


def _nothing(result: SearchResult) -> Region:
    if result.state in _NOTHINGS:
        return Region(*_NOTHINGS[result.state])
    if not result.keywords:
        return Region("empty", "Nothing was asked", "Between the semicolons there is no keyword.")
    searched = format_count(result.searched, "memory", "memories")
    return Region("empty", "Nothing matched", f"None of {searched} contains any of the keywords.")
