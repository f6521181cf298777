"""Hits of a search as a table for spreadsheets."""

from __future__ import annotations

import csv
import io

from django.http import HttpResponse

from memory.results import SearchHit, SearchResult
from memory.schemas.base import mend_text

COLUMNS = (
    "rank", "discussion", "id", "date_added", "score", "bm25", "recency_factor",
    "title", "text", "entities", "key_phrases", "keywords",
)  # fmt: skip

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def hits_as_csv(result: SearchResult) -> HttpResponse:
    """One row per hit, UTF-8 with a byte order mark so that spreadsheets read it as such.

    A text that a spreadsheet would run as a formula gets an apostrophe in front; JSON has every text unchanged.
    """
    page = io.StringIO(newline="")
    writer = csv.writer(page)
    writer.writerow(COLUMNS)
    writer.writerows(_row(hit) for hit in result.hits)
    body = page.getvalue().encode("utf-8-sig")
    response = HttpResponse(body, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="search.csv"'
    return response


def _row(hit: SearchHit) -> list[str | int | float]:
    memory = hit.memory
    numbers: list[str | int | float] = [hit.score, hit.bm25, hit.recency_factor]
    texts = [
        memory.title,
        memory.text,
        "; ".join(memory.listed("entities")),
        "; ".join(memory.listed("key_phrases")),
        "; ".join(share.keyword for share in hit.shares),
    ]
    start: list[str | int | float] = [hit.rank, _tame(hit.discussion.text), memory.id, _tame(memory.date_added)]
    return [*start, *numbers, *(_tame(text) for text in texts)]


def _tame(text: str) -> str:
    mended = str(mend_text(text))
    return f"'{mended}" if mended.startswith(_FORMULA_STARTS) else mended
