"""Counting words by splitting counts the runs that the rule names."""

from __future__ import annotations

import math
import re
import sys

from hypothesis import given
from hypothesis import strategies as st

from memory.engine.tokens import MARGIN, estimate_tokens

# Unicode White_Space plus U+001C to U+001F, written out (memory.md §8.1).
WHITESPACE = "\t\n\v\f\r \x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
WORD = re.compile(f"[^{WHITESPACE}]+")


def estimate_by_rule(text: str) -> int:
    return math.floor(max(len(WORD.findall(text)) * 1.35, len(text) / 3.5) * MARGIN)


def test_every_character_separates_or_not_as_the_rule_says() -> None:
    for point in range(sys.maxunicode + 1):
        pair = f"a{chr(point)}b"
        assert len(pair.split()) == len(WORD.findall(pair)), hex(point)


@given(st.text(st.sampled_from("ab \t\n\x1c\x85\xa0\u2003\u200b\u3000é京")))
def test_estimate_is_the_rule(text: str) -> None:
    assert estimate_tokens(text) == estimate_by_rule(text)
