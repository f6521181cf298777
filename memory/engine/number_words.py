"""Numbers written as English words: `twenty-five`, `two hundred and three`."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SMALL_WORDS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL = {word: number for number, word in enumerate(_SMALL_WORDS.split(), 1)}
_TENS = {word: 10 * number for number, word in enumerate(_TENS_WORDS.split(), 2)}
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}

_UNIT = "|".join(list(_SMALL)[:9])
_PART = rf"(?:(?:{'|'.join(_TENS)})(?:[-\s](?:{_UNIT})\b)?|(?:{'|'.join(reversed(_SMALL))}))\b"
_SCALE = rf"(?:{'|'.join(_SCALES)})\b"
_NUMBER = re.compile(
    rf"\b(?:(?:{_PART}[-\s]+)?{_SCALE}(?:[-\s]+(?:and\s+)?(?:{_PART}|{_SCALE}))*|{_PART})", re.IGNORECASE
)
_WORD = re.compile(r"[a-z]+")


def find_number_words(text: str) -> Iterator[re.Match[str]]:
    """Every number in words, in order; `one` alone is left out, since it is seldom meant as a number."""
    return (match for match in _NUMBER.finditer(text) if match.group().lower() != "one")


def parse_number_words(text: str) -> int | None:
    """The number that the words stand for; None when they are not all words of numbers."""
    if not _NUMBER.fullmatch(text.strip()):
        return None
    whole, part = 0, 0
    for word in _WORD.findall(text.lower()):
        scale = _SCALES.get(word, 1)
        if scale > 100:
            whole, part = whole + max(part, 1) * scale, 0
        elif scale == 100:
            part = max(part, 1) * scale
        else:
            part += _SMALL.get(word, 0) + _TENS.get(word, 0)
    return whole + part
