from __future__ import annotations

import pytest

from memory.engine.search_query import parse_query
from memory.engine.search_warnings import (
    TermFacts,
    is_about_rows,
    list_single_words,
    list_warnings,
    merge_warnings,
)
from memory.results import SearchWarning
from memory.types import DiscussionId, DiscussionRef


def warn(facts: TermFacts) -> list[str]:
    return [warning.code for warning in list_warnings(parse_query(facts.term), [facts], total_rows=10)]


@pytest.mark.parametrize(
    ("facts", "codes"),
    [
        (TermFacts("heron", ("heron",), 1), []),
        (TermFacts("anna, carol", ("anna", "carol"), 0), ["commas"]),
        (TermFacts("🌈", (), 0), ["no-tokens"]),
        (TermFacts("mood 🌈", ("mood",), 1), ["emoji"]),
        (TermFacts("番茄", ("番茄",), 0), ["no-word-borders"]),
        (TermFacts("バジル、花", ("バジル", "花"), 1), ["no-word-borders", "commas"]),
        (TermFacts("heron AND owl", ("heron", "and", "owl"), 1), ["operators"]),
        (TermFacts("NEAR(a b)", ("near", "a", "b"), 0), ["operators", "phrase-not-found"]),
        (TermFacts("garden*", ("garden",), 1), ["prefix"]),
        (TermFacts("garde", ("gard",), 0, "gardener"), ["prefix"]),
        (TermFacts("lemon bush", ("lemon", "bush"), 0), ["phrase-not-found"]),
        (TermFacts("mira", ("mira",), 5), ["common-keyword"]),
    ],
)
def test_term_warnings(facts: TermFacts, codes: list[str]) -> None:
    assert warn(facts) == codes


def test_repeated_keywords_are_said_once() -> None:
    facts = [TermFacts("run", ("run",), 1), TermFacts("runs", ("run",), 1), TermFacts("run", ("run",), 1)]

    warnings = list_warnings(parse_query("run; runs; run"), facts, total_rows=10)

    assert [(warning.code, warning.keyword) for warning in warnings] == [("repeated-keyword", "run")]
    assert "3 times" in warnings[0].message


def test_dropped_terms_are_counted() -> None:
    query = parse_query("; ".join(str(number) for number in range(62)))

    warnings = list_warnings(query, [], total_rows=10)

    assert [(warning.code, "2 later" in warning.message) for warning in warnings] == [("terms-dropped", True)]


def test_single_words_worth_looking_up() -> None:
    facts = [TermFacts("garde", ("gard",), 0), TermFacts("heron", ("heron",), 2), TermFacts("a b", ("a", "b"), 0)]

    assert list_single_words(facts) == {"garde": "gard"}


def test_merged_warnings_name_where_they_hold() -> None:
    anna, ben = DiscussionRef(DiscussionId("anna")), DiscussionRef(DiscussionId("ben"))
    warnings = [
        SearchWarning("common-keyword", "“the” is in 9 of 9 memories.", "the", (anna,)),
        SearchWarning("common-keyword", "“the” is in 5 of 6 memories.", "the", (ben,)),
        SearchWarning("commas", "“a, b” is one phrase.", "a, b"),
        SearchWarning("commas", "“a, b” is one phrase.", "a, b"),
    ]

    common, commas = merge_warnings(warnings, ())

    assert common.message == "In 'anna': “the” is in 9 of 9 memories. The same holds in 1 other discussion."
    assert (common.discussions, commas.message) == ((anna, ben), "“a, b” is one phrase.")


def test_merged_warnings_leave_out_where_a_found_keyword_is_missing() -> None:
    ref = DiscussionRef(DiscussionId("anna"))
    missing = SearchWarning("phrase-not-found", "“lemon bush” is found nowhere.", "lemon bush", (ref,))

    assert merge_warnings([missing], {"lemon bush"}) == ()
    assert len(merge_warnings([missing], ())) == 1


def test_a_star_is_wrong_wherever_one_searches() -> None:
    assert not is_about_rows(SearchWarning("prefix", "", "garden*"))
    assert is_about_rows(SearchWarning("prefix", "", "garde"))
