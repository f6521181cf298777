from __future__ import annotations

import pytest

from memory.contexts.highlighting import highlight_keywords, highlight_text


@pytest.mark.parametrize(
    ("text", "keywords", "expected"),
    [
        ("The move was easy", ["move"], "The <mark>move</mark> was easy"),
        ("Moved, moving, MOVES", ["move"], "<mark>Moved</mark>, <mark>moving</mark>, <mark>MOVES</mark>"),
        ("red key, key red", ["red key"], "<mark>red key</mark>, key red"),
        ("Café au lait", ["cafe"], "<mark>Café</mark> au lait"),
        ("a-b", ["a b"], "<mark>a-b</mark>"),
        ("one two three", ["one two", "two three"], "<mark>one two three</mark>"),
        ("nothing here", ["", ";", "zebra"], "nothing here"),
    ],
)
def test_keywords_are_marked_by_words(text: str, keywords: list[str], expected: str) -> None:
    assert highlight_keywords(text, keywords) == expected


def test_exact_text_is_marked_inside_words_whatever_its_case() -> None:
    assert highlight_text("Transplanted", ["PLANT"]) == "Trans<mark>plant</mark>ed"


def test_texts_and_marks_are_escaped() -> None:
    assert highlight_text("<b>&", ["<b>"]) == "<mark>&lt;b&gt;</mark>&amp;"
    assert highlight_keywords("<i>x</i>", ["x"]) == "&lt;i&gt;<mark>x</mark>&lt;/i&gt;"


def test_a_text_without_finds_is_escaped_too() -> None:
    assert highlight_keywords("<script>", []) == "&lt;script&gt;"
