"""How sure it is that a memory came from some messages: by when both were stored, and by the words they share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

QUICK_SECONDS = 120.0
"""A chunk is logged right after its memories; a longer wait may mean that another chunk was logged."""

MAX_WORDS = 20
_LONG_WORD = re.compile(r"[^\W\d_]{6,}")


class Confidence(StrEnum):
    """How sure an origin is."""

    LIKELY = "likely"
    POSSIBLE = "possible"
    DOUBTFUL = "doubtful"


@dataclass(frozen=True, slots=True)
class OriginEvidence:
    """What speaks for an origin, and what against it."""

    found: tuple[str, ...]
    """Terms of the memory that the messages say."""
    missing: tuple[str, ...]
    is_quick: bool
    """Whether the messages were logged right after the memory was stored."""

    @property
    def confidence(self) -> Confidence:
        """Likely when time and words agree, doubtful when neither does."""
        shares_words = len(self.found) >= len(self.missing)
        if self.is_quick and shares_words:
            return Confidence.LIKELY
        return Confidence.POSSIBLE if self.is_quick or shares_words else Confidence.DOUBTFUL


def weigh_origin(terms: Iterable[str], text: str, messages: Iterable[str], *, waited_seconds: float) -> OriginEvidence:
    """Look for the terms of a memory in the messages, letter case ignored; without terms for its longer words."""
    wanted = list_terms(terms, text)
    said = "\n".join(messages).casefold()
    found = tuple(term for term in wanted if term.casefold() in said)
    missing = tuple(term for term in wanted if term not in found)
    return OriginEvidence(found, missing, waited_seconds <= QUICK_SECONDS)


def list_terms(terms: Iterable[str], text: str) -> Sequence[str]:
    """The terms without repetitions; the longer words of the text when there are none."""
    named = [term.strip() for term in terms if term.strip()] or _LONG_WORD.findall(text)
    return list({term.casefold(): term for term in named}.values())[:MAX_WORDS]
