"""How many tokens a text roughly has, and how the calibration level scales thresholds (memory.md §8.1, §8.2)."""

from __future__ import annotations

import math
from typing import Any

MARGIN = 1.10
_TOKENS_PER_WORD = 1.35
_CHARACTERS_PER_TOKEN = 3.5

_FACTORS = {"conservative": 1.0, "balanced": 1.25, "aggressive": 1.5, "xaggressive": 1.85}


def estimate_tokens(text: str, margin: float = MARGIN) -> int:
    """The rough number of tokens: the larger of a count by words and one by code points, times the margin."""
    # Python splits at Unicode White_Space plus U+001C to U+001F, which is exactly the rule.
    return estimate_sizes(len(text.split()), len(text), margin)


def estimate_sizes(words: int, characters: int, margin: float = MARGIN) -> int:
    """The same for a text of so many words and code points."""
    return math.floor(max(words * _TOKENS_PER_WORD, characters / _CHARACTERS_PER_TOKEN) * margin)


def level_factor(level: Any) -> float:
    """The factor of `wilmerContextEstimationLevel`; 1.0 for absent, unknown or anything that is not text."""
    return _FACTORS.get(level.strip().lower(), 1.0) if isinstance(level, str) else 1.0


def scale_threshold(configured: int, factor: float) -> int:
    """The effective size: configured size times factor, rounded down."""
    return math.floor(configured * factor)
