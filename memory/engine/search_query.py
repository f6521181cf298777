"""What a keyword query means: its terms, the FTS5 expression made of them, and the weights (memory.md §14.1)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from memory.engine.surrogates import replace_lone_surrogates

MAX_TERMS = 60
"""Later terms are dropped, which keeps the expression below SQLite's depth limit."""

WEIGHT_COUNT = 5

Weights = tuple[float, float, float, float, float]
"""Factors on the term frequency: title, summary, entities, key phrases, memory text."""


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A query taken apart."""

    terms: tuple[str, ...]
    """What is searched for, in order, repetitions included."""
    dropped: tuple[str, ...] = ()
    """Terms past the sixtieth."""

    @property
    def phrases(self) -> tuple[str, ...]:
        """One quoted FTS5 phrase per term."""
        return tuple(format_phrase(term) for term in self.terms)

    @property
    def match_text(self) -> str:
        """The literal FTS5 expression; empty when there is nothing to ask."""
        return format_match(self.phrases)


def split_terms(query: str) -> tuple[str, ...]:
    """All terms of a query: split at semicolons, trimmed, blank ones left out."""
    return tuple(term for part in query.split(";") if (term := part.strip()))


def parse_query(query: str) -> ParsedQuery:
    """A query as typed or as a workflow wrote it.

    >>> parse_query("heron; state-of-the-art").match_text
    '"heron" OR "state of the art"'
    """
    return parse_names(split_terms(query))


def parse_names(names: Sequence[str]) -> ParsedQuery:
    """A query whose terms are known already and may contain semicolons, such as entity names (memory.md W29)."""
    terms = tuple(name for name in names if name.strip())
    return ParsedQuery(terms[:MAX_TERMS], terms[MAX_TERMS:])


def format_phrase(term: str) -> str:
    """One term as an FTS5 phrase that cannot be misread: hyphens become blanks, quotes are doubled."""
    text = term.replace("-", " ").strip().replace('"', '""')
    return f'"{text}"'


def format_match(phrases: Sequence[str]) -> str:
    """Phrases as one expression that any of them satisfies."""
    return " OR ".join(phrases)


def parse_weights(value: object) -> tuple[Weights | None, str | None]:
    """Usable weights, or None and, if something was given, why it is ignored (memory.md §14.1, W28)."""
    if value is None:
        return None, None
    if not isinstance(value, list | tuple) or len(value) != WEIGHT_COUNT:
        return None, "Weights must be a list of exactly five numbers; all columns count the same."
    if not all(isinstance(item, int | float) and not isinstance(item, bool) for item in value):
        return None, "Weights must be numbers; all columns count the same."
    numbers = [_finite(item) for item in value]
    if not all(math.isfinite(number) for number in numbers):
        return None, "Weights must be finite numbers; all columns count the same."
    if any(number < 0 for number in numbers):
        return None, "Negative weights give meaningless scores, so all columns count the same."
    title, summary, entities, key_phrases, memory_text = numbers
    return (title, summary, entities, key_phrases, memory_text), None


def format_semantic_query(semantic_query: object, keywords: str) -> str:
    """The text to embed: the semantic query if there is one, else the keywords without semicolons (memory.md §14.3)."""
    text = str(semantic_query) if semantic_query else keywords.replace(";", " ")
    return replace_lone_surrogates(text.strip())


def _finite(number: int | float) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf
