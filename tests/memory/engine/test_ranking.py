from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.engine.ranking import (
    EQUAL_WEIGHTS,
    FLOOR_IDF,
    PHRASE_CEILING,
    IndexSize,
    blend_expansion,
    format_result_text,
    inverse_frequency,
    is_floored,
    list_entity_names,
    merge_ranks,
    phrase_share,
    recency_ceiling,
    recency_factor,
)

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("date", "factor"),
    [
        ("2026-03-01T12:00:00+00:00", 2.5),
        ("2027-01-01", 2.5),
        ("2026-02-28T12:00:00Z", 1 + 1.5 * math.exp(-0.01)),
        ("2026-02-28 12:00:00", 1 + 1.5 * math.exp(-0.01)),
        ("2026-03-01T21:00:00+09:00", 2.5),
        ("sometime", 1.0),
        (None, 1.0),
        ("0001-01-01T00:00:00+23:59", 1.0),
    ],
)
def test_recency_factor(date: object, factor: float) -> None:
    assert recency_factor(date, NOW) == pytest.approx(factor)


@given(st.integers(0, 100_000_000), st.integers(-1439, 1439))
def test_no_date_exceeds_the_ceiling_of_its_day(minutes_ago: int, offset_minutes: int) -> None:
    moment = (NOW - timedelta(minutes=minutes_ago)).replace(tzinfo=None)
    sign, minutes = "-" if offset_minutes < 0 else "+", abs(offset_minutes)
    text = f"{moment.isoformat()}{sign}{minutes // 60:02}:{minutes % 60:02}"

    assert recency_factor(text, NOW) <= recency_ceiling(text[:10], NOW)


@pytest.mark.parametrize("day", ["sometime i", "", "9999-12-31"])
def test_ceiling_of_no_day(day: str) -> None:
    assert recency_ceiling(day, NOW) == 2.5


def test_idf_is_floored_from_half_of_the_rows_on() -> None:
    assert [is_floored(found, 10) for found in (4, 5, 10, 11)] == [False, True, True, True]
    assert inverse_frequency(1, 10) == math.log(9.5 / 1.5)
    assert inverse_frequency(12, 10) == FLOOR_IDF


@given(st.dictionaries(st.integers(0, 4), st.integers(1, 50)), st.integers(1, 500), st.integers(1, 500))
def test_share_stays_below_the_ceiling(hits: dict[int, int], row_tokens: int, tokens: int) -> None:
    share = phrase_share(1.0, hits, row_tokens, IndexSize(3, tokens), EQUAL_WEIGHTS)

    assert 0 <= share < PHRASE_CEILING


def test_share_of_an_empty_index() -> None:
    assert phrase_share(1.0, {}, 0, IndexSize(0, 0), EQUAL_WEIGHTS) == 0


def test_merge_keeps_first_appearance_on_ties() -> None:
    assert merge_ranks([["a", "b"], ["b", "a"], []]) == ["a", "b"]


def test_entity_names_of_the_first_ten_rows() -> None:
    rows: list[object] = [{"entities": [" Ylva ", "ylva", "SISTER", None, ""]}, "bad", {"entities": "x"}]
    rows += [{}] * 6 + [{"entities": ["tenth"]}, {"entities": ["eleventh"]}]

    assert list_entity_names(rows, ["sister"]) == ("Ylva", "None", "tenth")


def test_at_most_sixty_names() -> None:
    assert len(list_entity_names([{"entities": list(range(99))}], [])) == 60


@pytest.mark.parametrize(
    ("limit", "blended"), [(1, [1]), (2, [1, 9]), (3, [1, 2, 9]), (6, [1, 2, 3, 9, 8]), (0, []), (-1, [])]
)
def test_blend_keeps_the_best_row(limit: int, blended: list[int]) -> None:
    assert blend_expansion([1, 2, 3][: max(limit, 0)], [2, 9, 8], limit=limit) == blended


def test_blend_without_novel_rows() -> None:
    assert blend_expansion([1, 2], [2, 1], limit=5) == [1, 2]


def test_result_text_dates() -> None:
    date = (NOW - timedelta(days=1)).isoformat()

    assert format_result_text([("a", date), ("b", "")], with_dates=True) == "[2026-02-28] a\n\n---\n\nb"
