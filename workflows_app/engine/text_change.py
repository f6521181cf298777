"""What differs between two texts, as a browser can replay it. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class TextChange:
    """Characters `start` to `end` of a text become `text`. Both count UTF-16 units, as JavaScript does."""

    start: int
    end: int
    text: str = field(repr=False)


def find_change(before: str, after: str) -> TextChange:
    """The one stretch that makes the second text of the first."""
    shorter = min(len(before), len(after))
    head = _count_same(shorter, lambda size: before[:size] == after[:size])
    tail = _count_same(shorter - head, lambda size: before[len(before) - size :] == after[len(after) - size :])
    start = count_units(before[:head])
    end = start + count_units(before[head : len(before) - tail])
    return TextChange(start, end, after[head : len(after) - tail])


def count_units(text: str) -> int:
    """The length of a text in UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _count_same(most: int, is_same: Callable[[int], bool]) -> int:
    """The largest size up to `most` for which the texts are the same; they are for every smaller one, too."""
    least = 0
    while least < most:
        middle = (least + most + 1) // 2
        if is_same(middle):
            least = middle
        else:
            most = middle - 1
    return least
