from __future__ import annotations

import pytest

from memory.engine.search_query import format_semantic_query, parse_names, parse_query, parse_weights


def test_query_is_split_at_semicolons_only() -> None:
    query = parse_query(" a, b ;; -c-d ; ")

    assert (query.terms, query.match_text) == (("a, b", "-c-d"), '"a, b" OR "c d"')


def test_quotes_are_doubled() -> None:
    assert parse_query('say "hi" -').match_text == '"say ""hi"""'


def test_terms_past_the_sixtieth_are_dropped() -> None:
    query = parse_query("; ".join(str(number) for number in range(63)))

    assert (len(query.terms), query.dropped) == (60, ("60", "61", "62"))


def test_names_may_contain_semicolons() -> None:
    assert parse_names(["a;b", " ", "c"]).match_text == '"a;b" OR "c"'


def test_blank_query_asks_nothing() -> None:
    assert parse_query(" ; ").match_text == ""


@pytest.mark.parametrize(
    "value", ["3,2,2,2,1", [1] * 4, [1, 1, 1, 1, "1"], [True, 1, 1, 1, 1], [-1] * 5, [float("nan")] * 5, [10**400] * 5]
)
def test_unusable_weights_are_ignored_with_a_reason(value: object) -> None:
    weights, problem = parse_weights(value)

    assert (weights, bool(problem)) == (None, True)


def test_usable_weights() -> None:
    assert parse_weights([3, 2.0, 0, 1, 0.5]) == ((3.0, 2.0, 0.0, 1.0, 0.5), None)
    assert parse_weights(None) == (None, None)


@pytest.mark.parametrize(("query", "text"), [(None, "a  b"), ("", "a  b"), (" q ", "q"), (12, "12")])
def test_semantic_query(query: object, text: str) -> None:
    assert format_semantic_query(query, "a; b;") == text


def test_what_is_embedded_can_be_sent() -> None:
    assert format_semantic_query(None, "cat;\ud83d") == "cat \ufffd"
