"""What a browser does to line ends is undone."""

from __future__ import annotations

import pytest

from workflows_app.engine.line_ends import as_shown, restore_line_ends


@pytest.mark.parametrize("original", ["a\r\nb\r\n", "a\nb", "a\rb\r", "a", "a\r\nb\nc\rd"])
def test_an_unchanged_text_comes_back_as_it_was(original: str) -> None:
    assert restore_line_ends(as_shown(original), original) == original
    assert restore_line_ends(as_shown(original).replace("\n", "\r\n"), original) == original


def test_an_edited_text_keeps_the_kind_of_line_ends() -> None:
    assert restore_line_ends("a\nx\nb", "a\r\nb") == "a\r\nx\r\nb"
    assert restore_line_ends("a\r\nb", "a") == "a\nb"


def test_mixed_line_ends_stay_where_they_were() -> None:
    assert restore_line_ends("a\nnew\nb\nc\nd", "a\r\nb\nc\r\nd") == "a\r\nnew\r\nb\nc\r\nd"
