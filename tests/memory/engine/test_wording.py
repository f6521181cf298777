from __future__ import annotations

import pytest

from memory.engine.wording import format_count


@pytest.mark.parametrize(
    ("number", "nouns", "text"),
    [
        (1, ("chunk",), "1 chunk"),
        (0, ("chunk",), "0 chunks"),
        (1200, ("memory", "memories"), "1,200 memories"),
        (1, ("memory", "memories"), "1 memory"),
    ],
)
def test_format_count(number: int, nouns: tuple[str, ...], text: str) -> None:
    assert format_count(number, *nouns) == text
