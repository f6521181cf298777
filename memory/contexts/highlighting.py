"""Marking in a text what a search found, safely."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

Span = tuple[int, int]

_WORD = re.compile(r"[^\W_]+")
_SUFFIXES = ("ingly", "edly", "ings", "ing", "ies", "ied", "ed", "es", "ly", "s")


def highlight_keywords(text: str, keywords: Sequence[str]) -> SafeString:
    """The text, escaped, with the words that the keywords match in `<mark>`.

    A keyword of several words is a phrase, as in the search itself. Word forms are compared by a rough stem, so a
    mark may now and then stand on a word the index keeps apart; the ranking never depends on it.
    """
    words = [(match.start(), match.end(), _stem(match.group())) for match in _WORD.finditer(text)]
    phrases = [[_stem(word) for word in _WORD.findall(keyword)] for keyword in keywords]
    return _mark_spans(text, [span for phrase in phrases if phrase for span in _find_phrase(words, phrase)])


def highlight_text(text: str, needles: Sequence[str]) -> SafeString:
    """The text, escaped, with every literal occurrence in `<mark>`, letter case ignored."""
    found = [re.finditer(re.escape(needle), text, re.IGNORECASE) for needle in needles if needle]
    return _mark_spans(text, [match.span() for matches in found for match in matches])


def _find_phrase(words: Sequence[tuple[int, int, str]], phrase: Sequence[str]) -> Iterator[Span]:
    for index in range(len(words) - len(phrase) + 1):
        window = words[index : index + len(phrase)]
        if [stem for _, _, stem in window] == phrase:
            yield window[0][0], window[-1][1]


def _mark_spans(text: str, spans: Sequence[Span]) -> SafeString:
    pieces, position = [], 0
    for start, end in _merge(spans):
        pieces += [escape(text[position:start]), "<mark>", escape(text[start:end]), "</mark>"]
        position = end
    pieces.append(escape(text[position:]))
    return mark_safe("".join(pieces))


def _merge(spans: Sequence[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _stem(word: str) -> str:
    plain = "".join(
        mark
        for mark in unicodedata.normalize("NFKD", word.casefold())
        if not unicodedata.category(mark).startswith("M")
    )
    for suffix in _SUFFIXES:
        if plain.endswith(suffix) and len(plain) - len(suffix) >= 3:
            plain = plain.removesuffix(suffix)
            break
    is_doubled = len(plain) > 3 and plain[-1] == plain[-2] and plain[-1] not in "lsz"
    plain = plain[:-1] if is_doubled else plain
    return plain[:-1] if len(plain) > 3 and plain[-1] in "eiy" else plain
