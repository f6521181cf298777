"""Which names, numbers and dates one text has and another has not: what a rewritten memory lost or gained.

It reads words, not meaning: a fact that is only put differently may be named, and one without capital letter or digit
is not seen. It never decides anything; it points a reader at places to look.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from memory.engine.number_words import find_number_words, parse_number_words


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
    lower = _small_words(old, new)
    before, after = _read(old, lower), _read(new, lower)
    return FactDiff(_missing(before, after), _missing(after, before))


def list_facts(text: str) -> tuple[Fact, ...]:
    """Every fact of a text, each once, in order."""
    return tuple(_read(text, _small_words(text)).facts.values())


_MONTH_WORDS = (
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec"
)
_DAY_WORDS = "monday tuesday wednesday thursday friday saturday sunday"
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
_ORDERS = (
    "add agree allow answer apply arrange ask avoid bake begin bring build buy call cancel carry change check choose "
    "clean clear close collect compare confirm consider cook copy cover create cut decide deliver describe discuss "
    "draw drink drive eat ensure explain feed fetch fill find finish fix follow forget get give go help hide hold "
    "ignore include inform install invite join keep know learn leave lend list listen look love make meet mention "
    "mix move need note notify offer open order paint pay pick plan plant play prepare print promise protect prune "
    "pull push put read receive record remember remind remove repair replace reply rent reserve return review run "
    "save see sell send share show sign sleep sow speak spend start stay stop store summarize take talk teach tell "
    "think throw track travel try turn update use visit wait wake walk want wash watch water wear work write"
)
"""Verbs that lists of things to do begin with."""
_DETERMINERS = "a an his her its their my our your this these those some every each"
"""Words before a noun that a verb may come right before, and a name hardly ever; `Anna the baker` is one."""
_TITLES = (
    "mr mrs ms mx miss dr prof professor sir lady lord dame captain capt sergeant lieutenant colonel major king queen "
    "prince princess uncle aunt auntie grandma grandpa herr frau madame monsieur señor señora"
)

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
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_KATAKANA = re.compile(r"[\u30a1-\u30ff]{2,}")
_BEFORE_A_WORD = ' \t"“„»«‘*_#>-'
_ENDS_OF_SENTENCES = frozenset(".!?:;…([\n")
_LOOK_BACK = 40
_NO_NAMES = frozenset(_OTHER_WORDS.split())
_NO_FIRST_NAMES = frozenset(_ORDERS.split())
_BEFORE_A_NOUN = re.compile(rf"[ \t]+(?:{'|'.join(_DETERMINERS.split())})\b(?![ \t]+[^\W\d_a-zß-ÿ])")
_CAPITALS = r"[^\W\d_a-zß-ÿ][^\W\d_]*(?:[-'’][^\W\d_]+)*"
_TITLE = rf"(?:{'|'.join(word.capitalize() for word in _TITLES.split())})\b\.?[ \t]+"
_TITLED = re.compile(rf"\b(?:{_TITLE})+({_CAPITALS}(?:[ \t]+{_CAPITALS})?)")
"""A title and the name behind it, such as `Mr Okafor` or `Frau Dr. Eva Klein`."""


@dataclass(frozen=True, slots=True)
class _Reading:
    facts: Mapping[str, Fact]
    """By a form that makes equal facts equal."""
    words: frozenset[str]
    """Every word in lower case, so that a name is not called lost because it lost its capital."""
    titled: frozenset[str]
    """Last words of the names that stand behind a title; in `words` they are only when they stand alone, too."""


def _read(text: str, lower: frozenset[str]) -> _Reading:
    """The facts of a text; `lower` are words that are known to be no names, since they are written small."""
    found: list[tuple[int, str, Fact]] = []
    rest = text
    for kind, find in (
        (FactKind.DATE, _DATE.finditer),
        (FactKind.NUMBER, _NUMBER.finditer),
        (FactKind.NUMBER, find_number_words),
    ):
        matches = list(find(rest))
        found += [(match.start(), _key(kind, match.group()), Fact(kind, match.group().strip())) for match in matches]
        rest = _blank(rest, matches)
    titled = [match for match in _TITLED.finditer(rest) if match.group(1).split()[0].lower() not in _NO_NAMES]
    rest = _blank(rest, titled)
    names = [*((match.start(), _without_s(match.group())) for match in titled), *_list_names(rest, lower)]
    found += [(position, _key(FactKind.NAME, name), Fact(FactKind.NAME, name)) for position, name in names]
    facts: dict[str, Fact] = {}
    for _, key, fact in sorted(found, key=lambda item: item[0]):
        facts.setdefault(key, fact)
    words = frozenset(_plain(word) for word in _WORD.findall(_blank(text, titled)))
    return _Reading(facts, words, frozenset(_last_word(match.group(1)) for match in titled))


def _blank(text: str, matches: Iterable[re.Match[str]]) -> str:
    """The text with spaces where the matches are, so that nothing is read twice."""
    pieces, end = [], 0
    for match in matches:
        pieces += [text[end : match.start()], " " * len(match.group())]
        end = match.end()
    return "".join(pieces) + text[end:]


def _small_words(*texts: str) -> frozenset[str]:
    return frozenset(word for text in texts for word in _WORD.findall(text) if word == word.lower())


def _list_names(text: str, lower: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Words with a capital letter; the first of a sentence only when nothing says that it is an ordinary word."""
    for match in _WORD.finditer(text):
        word = _without_s(match.group())
        stem = re.split("['’]", word.lower())[0]
        if not word[:1].isupper() or stem in _NO_NAMES or len(word) < 2:
            continue
        if _begins_sentence(text, match.start()) and _is_ordinary(word.lower(), text, match.end(), lower):
            continue
        yield match.start(), word
    for match in _KATAKANA.finditer(text):
        yield match.start(), match.group()


def _is_ordinary(word: str, text: str, end: int, lower: frozenset[str]) -> bool:
    """Whether the first word of a sentence is written small elsewhere, or is a verb there."""
    return word in lower or word in _NO_FIRST_NAMES or _BEFORE_A_NOUN.match(text, end) is not None


def _begins_sentence(text: str, position: int) -> bool:
    before = text[max(0, position - _LOOK_BACK) : position].rstrip(_BEFORE_A_WORD)
    return before[-1] in _ENDS_OF_SENTENCES if before else position <= _LOOK_BACK


def _key(kind: FactKind, text: str) -> str:
    plain = _plain(text)
    if kind is FactKind.NUMBER:
        number = parse_number_words(plain)
        bare = re.sub(r"[,\s\u202f\u00a0]|(?<=\d)(?:st|nd|rd|th)$", "", plain.replace("−", "-"))
        return f"number {bare if number is None else number}"
    if kind is FactKind.DATE:
        return "date " + re.sub(r"[\s.,]+", " ", re.sub(r"(?<=\d)(?:st|nd|rd|th)\b|\bof\b", "", plain)).strip()
    return "name " + re.sub(r"[\s.]+", " ", plain)


def _without_s(text: str) -> str:
    return re.sub(r"['’]s$", "", text.strip())


def _plain(text: str) -> str:
    return _without_s(text.casefold())


def _last_word(text: str) -> str:
    return _plain(text).split()[-1]


def _missing(there: _Reading, here: _Reading) -> tuple[Fact, ...]:
    return tuple(
        fact
        for key, fact in there.facts.items()
        if key not in here.facts and not (fact.kind is FactKind.NAME and _is_named(fact.text, here))
    )


def _is_named(name: str, here: _Reading) -> bool:
    """Whether a text has the name without a title; one without a title is there with any title."""
    last = _last_word(name)
    return last in here.words or (last == _plain(name) and last in here.titled)
