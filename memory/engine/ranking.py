"""The arithmetic of search order: BM25 parts, recency, rank fusion, entity expansion, result text (memory.md §14)."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from memory.engine.search_query import MAX_TERMS, Weights

K1 = 1.2
B = 0.75
FLOOR_IDF = 1e-6
"""The idf of a phrase found in half of the rows or more."""

PHRASE_CEILING = K1 + 1.0
"""No phrase can give a row more than this times its idf."""

RECENCY_MAX = 2.5
RECENCY_DECAY_PER_DAY = 0.01
FUSION_K = 60
DAY_LENGTH = 10
"""Characters of `YYYY-MM-DD`."""

EXPANSION_ROWS = 10
NO_RESULT_TEXT = "No relevant memories found in the vector database for the given keywords."
NO_DISCUSSION_TEXT = "Cannot search vector memories without a discussionId."
RESULT_JOINER = "\n\n---\n\n"

EQUAL_WEIGHTS: Weights = (1.0, 1.0, 1.0, 1.0, 1.0)

Id = TypeVar("Id", bound=Hashable)


@dataclass(frozen=True, slots=True)
class IndexSize:
    """What BM25 needs to know of the whole index."""

    rows: int
    tokens: int
    """Of all rows over all columns."""

    @property
    def average_tokens(self) -> float:
        """Tokens per row."""
        return self.tokens / self.rows if self.rows else 0.0


def is_floored(found_rows: int, total_rows: int) -> bool:
    """Whether a phrase is so common that it ranks nothing: found in half of the rows or more."""
    return inverse_frequency(found_rows, total_rows) == FLOOR_IDF


def inverse_frequency(found_rows: int, total_rows: int) -> float:
    """The idf of a phrase, exactly as FTS5 computes it."""
    ratio = (total_rows - found_rows + 0.5) / (found_rows + 0.5)
    idf = math.log(ratio) if ratio > 0 else -1.0
    return idf if idf > 0.0 else FLOOR_IDF


def phrase_share(
    idf: float, column_hits: Mapping[int, int], row_tokens: int, size: IndexSize, weights: Weights
) -> float:
    """What one phrase adds to the BM25 sum of a row (0 or more), in FTS5's own order of operations.

    `column_hits` has the number of occurrences by column position.
    """
    frequency = 0.0
    for column in sorted(column_hits):
        # FTS5 adds the weight once for every occurrence; a product would round differently.
        for _ in range(column_hits[column]):
            frequency += weights[column]
    length = 1 - B + B * float(row_tokens) / size.average_tokens if size.average_tokens else 1.0
    return idf * ((frequency * (K1 + 1.0)) / (frequency + K1 * length))


def recency_factor(date_text: object, now: datetime) -> float:
    """How much newer memories move forward: 2.5 today, towards 1 with age, 1 for a date that cannot be read.

    `now` is aware. Dates without an offset count as UTC, future dates give 2.5 (memory.md §14.2).
    """
    if not isinstance(date_text, str):
        return 1.0
    try:
        date = datetime.fromisoformat(date_text)
        aware = date if date.tzinfo else date.replace(tzinfo=UTC)
        days = max(0.0, (now - aware).total_seconds() / 86400.0)
    except (ValueError, OverflowError):
        return 1.0
    return 1.0 + (RECENCY_MAX - 1.0) * math.exp(-RECENCY_DECAY_PER_DAY * days)


def recency_ceiling(day: str, now: datetime) -> float:
    """A factor that no date beginning with this day can exceed, whatever its hour and offset; 2.5 if it is no day."""
    try:
        latest = datetime.fromisoformat(day).replace(tzinfo=UTC) + timedelta(days=2)
    except (ValueError, OverflowError):
        return RECENCY_MAX
    return recency_factor(latest.isoformat(), now)


def merge_ranks(lists: Sequence[Sequence[Id]], *, k: int = FUSION_K) -> list[Id]:
    """Reciprocal rank fusion of ranked lists, best first; ties keep the order of first appearance (memory.md §14.3)."""
    scores: dict[Id, float] = {}
    for ranked in lists:
        for rank, item in enumerate(ranked, start=1):
            scores[item] = scores.get(item, 0.0) + 1.0 / (k + rank)
    return sorted(scores, key=lambda item: -scores[item])


def list_entity_names(metadata: Iterable[object], terms: Sequence[str]) -> tuple[str, ...]:
    """The names that entity expansion searches for, from the metadata of the base rows in order (memory.md §14.4).

    Names equal to a query term or to one already taken are skipped, letter case ignored; at most 60 remain.
    """
    taken = {term.lower() for term in terms}
    names: list[str] = []
    for values in list(metadata)[:EXPANSION_ROWS]:
        entities = values.get("entities") if isinstance(values, Mapping) else None
        for name in [str(item).strip() for item in entities] if isinstance(entities, list) else []:
            if name and name.lower() not in taken:
                taken.add(name.lower())
                names.append(name)
    return tuple(names[:MAX_TERMS])


def blend_expansion(base: Sequence[Id], expanded: Sequence[Id], *, limit: int) -> list[Id]:
    """Base rows with up to a third of the places given to rows that only expansion found (memory.md §14.4)."""
    known = set(base)
    novel = [item for item in expanded if item not in known]
    if not novel:
        return list(base)
    reserved = min(max(1, limit // 3), len(novel), max(0, limit - 1))
    kept = list(base[: max(0, limit - reserved)])
    return kept + novel[: max(0, limit - len(kept))]


def format_result_text(memories: Sequence[tuple[str, str]], *, with_dates: bool = False) -> str:
    """The answer a workflow receives: memory texts, best first, from (text, date added) pairs (memory.md §14.5)."""
    if not memories:
        return NO_RESULT_TEXT
    return RESULT_JOINER.join(_prefix(date, with_dates) + text for text, date in memories)


def _prefix(date: str, with_dates: bool) -> str:
    return f"[{date[:10]}] " if with_dates and date else ""
