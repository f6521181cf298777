"""What differs between two texts, counted as a browser counts."""

from __future__ import annotations

import pytest

from workflows_app.engine.text_change import TextChange, count_units, find_change

PAIRS = (
    ("", ""), ("", "a"), ("a", ""), ("abc", "abc"), ("abc", "abXc"), ("aaaa", "aa"), ("aa", "aaaa"),
    ("😀a😀", "😀b😀"), ("a😀", "a😁"), ("one two three", "three two one"), ("x" * 50, "x" * 49 + "y"),
)  # fmt: skip


@pytest.mark.parametrize(("before", "after"), PAIRS)
def test_change_makes_the_second_text_of_the_first(before: str, after: str) -> None:
    change = find_change(before, after)
    units = before.encode("utf-16-le")
    made = units[: change.start * 2] + change.text.encode("utf-16-le") + units[change.end * 2 :]
    assert made.decode("utf-16-le") == after


def test_only_what_differs_is_in_the_change() -> None:
    assert find_change("ü one 😀", "ü two 😀") == TextChange(2, 5, "two")
    assert find_change("same", "same") == TextChange(4, 4, "")


def test_units_are_those_of_javascript() -> None:
    assert [count_units(text) for text in ("abc", "ü", "😀", "\ud800")] == [3, 1, 2, 1]
