"""What about a keyword query surprises people, said before they wonder (traps V6, V7, memory.md §14.1)."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from memory.engine.ranking import is_floored
from memory.engine.search_query import MAX_TERMS, ParsedQuery
from memory.engine.wording import format_count
from memory.results import SearchWarning

_NOWHERE_CODES = ("prefix", "phrase-not-found")
_OPERATORS = {"AND", "OR", "NOT", "NEAR"}
_RUN_SCRIPTS = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL")
_EXACT_TEXT = "Search for the exact text instead, which WilmerAI itself cannot do."


@dataclass(frozen=True, slots=True)
class TermFacts:
    """One term of a query as the index sees it."""

    term: str
    tokens: tuple[str, ...]
    rows: int
    """How many memories it is found in."""
    longer_word: str | None = None
    """An indexed word that begins with this one."""


def list_warnings(query: ParsedQuery, terms: Sequence[TermFacts], *, total_rows: int) -> tuple[SearchWarning, ...]:
    """All warnings about a query, in the order of its terms, those about the whole query first."""
    found = [*_about_dropped(query), *_about_repeated(terms)]
    for facts in {facts.term: facts for facts in terms}.values():
        found.extend(_about_term(facts, total_rows))
    return tuple(found)


def is_about_rows(warning: SearchWarning) -> bool:
    """Whether another database could make it untrue; the rest is about the query alone."""
    is_star = warning.code == "prefix" and (warning.keyword or "").endswith("*")
    return warning.code in {*_NOWHERE_CODES, "common-keyword"} and not is_star


def merge_warnings(warnings: Iterable[SearchWarning], found: Container[str]) -> tuple[SearchWarning, ...]:
    """Each warning of several searches once; one about rows names the first discussion and counts the others.

    Nobody has to be told where a keyword is missing that was `found` somewhere else.
    """
    groups: dict[tuple[str, str | None], list[SearchWarning]] = {}
    for warning in warnings:
        if not (is_about_rows(warning) and warning.code in _NOWHERE_CODES and (warning.keyword or "") in found):
            groups.setdefault((warning.code, warning.keyword), []).append(warning)
    return tuple(_say_where(found) for found in groups.values())


def list_single_words(terms: Sequence[TermFacts]) -> Mapping[str, str]:
    """Terms of one word that are found nowhere, with that word: worth asking whether a longer word begins with it."""
    return {facts.term: facts.tokens[0] for facts in terms if not facts.rows and len(facts.tokens) == 1}


def _say_where(found: Sequence[SearchWarning]) -> SearchWarning:
    first, refs = found[0], tuple(ref for warning in found for ref in warning.discussions)
    if not refs:
        return first
    others = format_count(len(refs) - 1, "other discussion")
    more = f" The same holds in {others}." if len(refs) > 1 else ""
    message = f"In {refs[0].discussion_id!r}: {first.message}{more}"
    return replace(first, message=message, discussions=refs)


def _about_dropped(query: ParsedQuery) -> Iterator[SearchWarning]:
    if query.dropped:
        count = len(query.dropped)
        text = f"Only the first {MAX_TERMS} keywords are searched for; {count:,} later ones are dropped."
        yield SearchWarning("terms-dropped", text)


def _about_repeated(terms: Sequence[TermFacts]) -> Iterator[SearchWarning]:
    """Keywords are the same when their stems are: `run` and `runs` count twice."""
    times = Counter(facts.tokens for facts in terms if facts.tokens)
    first = {facts.tokens: facts.term for facts in reversed(terms)}
    for tokens, count in times.items():
        if count > 1:
            text = (
                f"“{first[tokens]}” is asked for {count} times (word endings do not matter) and counts {count} times."
            )
            yield SearchWarning("repeated-keyword", text, first[tokens])


def _about_term(facts: TermFacts, total_rows: int) -> Iterator[SearchWarning]:
    term = facts.term
    if not facts.tokens:
        yield SearchWarning("no-tokens", f"“{term}” has no letters or digits, so it finds nothing. {_EXACT_TEXT}", term)
        return
    if _has_emoji(term):
        yield SearchWarning("emoji", f"The signs in “{term}” are ignored; only its words are compared.", term)
    if any(_is_run_script(sign) for sign in term):
        text = f"In “{term}”, signs without blanks between them are one word, and parts of words are not found."
        yield SearchWarning("no-word-borders", f"{text} {_EXACT_TEXT}", term)
    if "," in term or "、" in term or "，" in term:
        text = f"“{term}” is searched for as one phrase. Only semicolons separate keywords, commas do not."
        yield SearchWarning("commas", text, term)
    if _OPERATORS & set(term.replace("(", " ").split()):
        yield SearchWarning("operators", f"“{term}”: AND, OR, NOT and NEAR are words like any other here.", term)
    yield from _about_frequency(facts, total_rows)


def _about_frequency(facts: TermFacts, total_rows: int) -> Iterator[SearchWarning]:
    term = facts.term
    if term.endswith("*"):
        yield SearchWarning("prefix", f"“{term}”: the star is no wildcard; whole words are compared.", term)
    elif facts.longer_word:
        text = f"“{term}” is found nowhere. It begins longer words that are, but only whole words are compared."
        yield SearchWarning("prefix", text, term)
    elif not facts.rows and len(facts.tokens) > 1 and "," not in term:
        text = f"“{term}” is found nowhere: its words must follow each other. Put semicolons between them to find any."
        yield SearchWarning("phrase-not-found", text, term)
    if facts.rows and is_floored(facts.rows, total_rows):
        text = f"“{term}” is in {facts.rows:,} of {total_rows:,} memories, half of them or more, so it ranks nothing."
        yield SearchWarning("common-keyword", text, term)


def _has_emoji(text: str) -> bool:
    return any(unicodedata.category(sign) in {"So", "Sk"} and ord(sign) > 0x2000 for sign in text)


def _is_run_script(sign: str) -> bool:
    return ord(sign) > 0x1000 and unicodedata.name(sign, "").startswith(_RUN_SCRIPTS)
