"""What a request asks for, checked."""

from __future__ import annotations

from typing import Annotated, Literal

from ninja import Schema
from pydantic import AfterValidator, Field

from memory.results import DiscussionFilter, SearchMode, SearchRequest
from wilmer_site.lib.paging import MAX_PAGE_SIZE, PageRequest

MAX_PAGE_NUMBER = 1_000_000
MAX_QUERY_CHARACTERS = 20_000

Chip = Literal["locked", "plain", "problems", "summary-behind", "has-vector", "has-state", "keyed", "legacy"]
DiscussionSort = Literal[
    "last_write", "id", "chunks", "memories", "size", "health",
    "-last_write", "-id", "-chunks", "-memories", "-size", "-health",
]  # fmt: skip
ChunkFilter = Literal["", "condensed", "not-condensed", "in-summary", "not-in-summary", "same-hash"]
Order = Literal["newest", "oldest"]


def _refuse_nul(value: str) -> str:
    """PostgreSQL cannot be asked for it, and nothing that is stored has one."""
    if "\x00" in value:
        raise ValueError("must not contain a NUL character")
    return value


AskedText = Annotated[str, AfterValidator(_refuse_nul)]
Weight = Annotated[float | None, Field(ge=0, le=1000, allow_inf_nan=False)]


class PageQuery(Schema):
    """Which page of a list."""

    page: int = Field(1, ge=1, le=MAX_PAGE_NUMBER, description="From 1.")
    size: int = Field(50, ge=1, le=MAX_PAGE_SIZE, description="Items per page.")

    def page_request(self) -> PageRequest:
        """The same as a value for queries."""
        return PageRequest(self.page, self.size)


class FilterQuery(Schema):
    """Which discussions."""

    text: AskedText = Field("", max_length=300, description="Part of the id, letter case ignored.")
    chip: list[Chip] = Field([], max_length=8, description="Repeat for several; all must hold.")


class DiscussionQuery(FilterQuery, PageQuery):
    """Which discussions, in which order."""

    sort: DiscussionSort = Field("-last_write", description="A minus in front reverses.")

    def discussion_filter(self) -> DiscussionFilter:
        """The same as a value for queries."""
        return DiscussionFilter(text=self.text, chips=tuple(dict.fromkeys(self.chip)), sort=self.sort)


class ChunkQuery(PageQuery):
    """Which chunks."""

    order: Order = Field("newest", description="Which end of the ledger comes first.")
    only: ChunkFilter = Field("", description="Empty: all chunks.")


class VectorMemoryQuery(PageQuery):
    """Which vector memories."""

    order: Order = Field("newest", description="By id.")
    contains: AskedText = Field("", max_length=1000, description="Part of the text or metadata, letter case ignored.")


class SearchQuery(Schema):
    """What to search for, and how (memory.md §14)."""

    query: AskedText = Field(max_length=MAX_QUERY_CHARACTERS, description="Keywords separated by semicolons.")
    mode: SearchMode = SearchMode.KEYWORD
    limit: int = Field(15, ge=1, le=500)
    recency: bool = Field(False, description="Favour recent memories.")
    expand: bool = Field(False, description="Search a second time for the entities of the best hits.")
    weight_title: Weight = None
    weight_summary: Weight = None
    weight_entities: Weight = None
    weight_key_phrases: Weight = None
    weight_memory_text: Weight = None

    def search_request(self) -> SearchRequest:
        """The same as a value for queries; when some weights are given, the others are 1."""
        given = (
            self.weight_title,
            self.weight_summary,
            self.weight_entities,
            self.weight_key_phrases,
            self.weight_memory_text,
        )
        weights = None if all(w is None for w in given) else tuple(1.0 if w is None else w for w in given)
        return SearchRequest(self.query, self.limit, weights, self.recency, self.expand, self.mode)


class SearchAllQuery(SearchQuery, FilterQuery):
    """What to search for, and in which discussions."""

    def discussion_filter(self) -> DiscussionFilter:
        """The discussions to search."""
        return DiscussionFilter(text=self.text, chips=tuple(dict.fromkeys(self.chip)))


class FormatQuery(Schema):
    """In which form hits are wanted."""

    format: Literal["json", "csv"] = "json"
