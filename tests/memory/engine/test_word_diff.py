"""Two texts word by word."""

from __future__ import annotations

import pytest

from memory.engine.word_diff import Change, diff_words

OLD = "Anna has 3 cats in Brno."


def pieces(old: str, new: str) -> list[tuple[str, str]]:
    return [(piece.change.value, piece.text) for piece in diff_words(old, new).pieces]


def test_only_changed_words_are_marked() -> None:
    assert pieces(OLD, "Anna has 4 cats in Brno.") == [
        ("same", "Anna has "),
        ("removed", "3"),
        ("added", "4"),
        ("same", " cats in Brno."),
    ]


def test_a_word_that_stayed_by_chance_does_not_tear_a_change() -> None:
    changes = pieces(
        "the captain of the lugger smuggles to friends", "they bought lamps in the past years to light rooms"
    )

    assert len([text for change, text in changes if change == "removed"]) <= 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("a", ""),
        ("", "b"),
        ("a  b\n\nc", "a b\n c"),
        (OLD, OLD),
        ("日本語の文", "日本の文"),
        ("x " * 5000, "y " * 5000),
    ],
)
def test_each_side_gives_its_text_back(old: str, new: str) -> None:
    diff = diff_words(old, new)

    assert "".join(piece.text for piece in diff.old) == old
    assert "".join(piece.text for piece in diff.new) == new
    assert all(piece.change is Change.SAME for piece in diff.pieces) == (old == new)
