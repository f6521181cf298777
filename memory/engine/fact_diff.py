"""Which names, numbers and dates one text has and another has not: what a rewritten memory lost or gained.

It reads words, not meaning: a fact that is only put differently may be named, and one without capital letter or digit
is not seen. It never decides anything; it points a reader at places to look.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum


class FactKind(StrEnum):
    """What sort of fact it is."""

    NAME = "name"
    NUMBER = "number"
    DATE = "date"


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact as the text words it."""

    kind: FactKind
    text: str


@dataclass(frozen=True, slots=True)
class FactDiff:
    """What the new text has not any more, and what only it has; each in the order of its text."""

    lost: tuple[Fact, ...]
    gained: tuple[Fact, ...]


def compare_facts(old: str, new: str) -> FactDiff:
    """The facts of the old text that the new one lacks, and the other way round. Letter case and `1,904` or `1904`,
    `three` or `3` make no difference.
    """
    before, after = _read(old), _read(new)
    return FactDiff(_missing(before, after), _missing(after, before))


def list_facts(text: str) -> tuple[Fact, ...]:
    """Every fact of a text, each once, in order."""
    return tuple(_read(text).facts.values())


_MONTH_WORDS = (
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec"
)
_DAY_WORDS = "monday tuesday wednesday thursday friday saturday sunday"
_NUMBER_WORDS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty"
)
_OTHER_WORDS = (
    "a after all also although always an and another any are as at because before both but by did do does during each "
    "even every everyone for from had has have he her here his how however i if in is it its just later many may more "
    "most my next no nobody not nothing now of on once one only or other our she since so some somebody someone soon "
    "still such than that the their them then there these they this those though through to today together tomorrow "
    "too under until was we were what when where whether which while who why will with without would yes yesterday "
    "yet you your about above across against along among around behind below beside besides between beyond despite "
    "down eventually finally here's inside instead let let's like maybe meanwhile near nearby never often otherwise "
    "outside over perhaps please several sometimes soon that's there's upon within"
)
"""Words that a sentence begins with and that are no names."""

_MONTH = "|".join(sorted(_MONTH_WORDS.split(), key=len, reverse=True))
_DAYS = _DAY_WORDS.split()
_DATE = re.compile(
    rf"""
      \b\d{{4}}-\d{{1,2}}-\d{{1,2}}\b
    | \b\d{{1,2}}\.\s?\d{{1,2}}\.(?:\s?\d{{4}}|\s?\d{{2}}\b)?
    | \b\d{{1,2}}/\d{{1,2}}/\d{{2,4}}\b
    | \b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTH})\b\.?(?:,?\s+\d{{4}}\b)?
    | \b(?:{_MONTH})\b\.?\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s+\d{{4}}\b)?
    | \b(?:{_MONTH})\s+\d{{4}}\b
    | \b\d{{1,2}}:\d{{2}}(?:\s?[ap]\.?m\b\.?)?
    | \b\d{{1,2}}\s?[ap]\.?m\b\.?
    | \b(?:{"|".join(_DAYS)})\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.])[-−]?\d+(?:[.,\u202f\u00a0]\d+)*(?:\s?%|(?:st|nd|rd|th)\b)?")
_WORDS_FOR_NUMBERS = {word: number for number, word in enumerate(_NUMBER_WORDS.split(), 2)}
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(_WORDS_FOR_NUMBERS)})\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_KATAKANA = re.compile(r"[\u30a1-\u30ff]{2,}")
_BEFORE_A_WORD = ' \t"“„»«‘*_#>-'
_ENDS_OF_SENTENCES = frozenset(".!?:;…([\n")
_LOOK_BACK = 40
_NO_NAMES = frozenset(_OTHER_WORDS.split())


@dataclass(frozen=True, slots=True)
class _Reading:
    facts: Mapping[str, Fact]
    """By a form that makes equal facts equal."""
    words: frozenset[str]
    """Every word in lower case, so that a name is not called lost because it lost its capital."""


def _read(text: str) -> _Reading:
    facts: dict[str, tuple[int, Fact]] = {}
    rest = text
    for kind, pattern in ((FactKind.DATE, _DATE), (FactKind.NUMBER, _NUMBER), (FactKind.NUMBER, _NUMBER_WORD)):
        for match in pattern.finditer(rest):
            facts.setdefault(_key(kind, match.group()), (match.start(), Fact(kind, match.group().strip())))
        rest = pattern.sub(lambda match: " " * len(match.group()), rest)
    words = frozenset(_plain(word) for word in _WORD.findall(text))
    lower = {word for word in _WORD.findall(text) if word == word.lower()}
    for position, name in _list_names(rest, lower):
        facts.setdefault(_key(FactKind.NAME, name), (position, Fact(FactKind.NAME, name)))
    ordered = sorted(facts.items(), key=lambda item: item[1][0])
    return _Reading({key: fact for key, (_, fact) in ordered}, words)


def _list_names(text: str, lower: set[str]) -> Iterator[tuple[int, str]]:
    """Words with a capital letter; the first of a sentence only when it is never written without."""
    for match in _WORD.finditer(text):
        word = re.sub(r"['’]s$", "", match.group())
        stem = re.split("['’]", word.lower())[0]
        if not word[:1].isupper() or stem in _NO_NAMES or len(word) < 2:
            continue
        if word.lower() in lower and _begins_sentence(text, match.start()):
            continue
        yield match.start(), word
    for match in _KATAKANA.finditer(text):
        yield match.start(), match.group()


def _begins_sentence(text: str, position: int) -> bool:
    before = text[max(0, position - _LOOK_BACK) : position].rstrip(_BEFORE_A_WORD)
    return before[-1] in _ENDS_OF_SENTENCES if before else position <= _LOOK_BACK


def _key(kind: FactKind, text: str) -> str:
    plain = _plain(text)
    if kind is FactKind.NUMBER:
        number = str(_WORDS_FOR_NUMBERS.get(plain, plain))
        return "number " + re.sub(r"[,\s\u202f\u00a0]|(?<=\d)(?:st|nd|rd|th)$", "", number.replace("−", "-"))
    if kind is FactKind.DATE:
        return "date " + re.sub(r"[\s.,]+", " ", re.sub(r"(?<=\d)(?:st|nd|rd|th)\b|\bof\b", "", plain)).strip()
    return "name " + plain


def _plain(text: str) -> str:
    return re.sub(r"['’]s$", "", text.strip().casefold())


def _missing(there: _Reading, here: _Reading) -> tuple[Fact, ...]:
    return tuple(
        fact
        for key, fact in there.facts.items()
        if key not in here.facts and not (fact.kind is FactKind.NAME and _plain(fact.text) in here.words)
    )
