"""Which version each line or entry of the newest one came from."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

from memory.engine.differences import match_items

T = TypeVar("T")


def blame(versions: Iterable[tuple[T, Sequence[Hashable]]]) -> list[T]:
    """The mark of the version in which each item of the last version appeared; versions come oldest first."""
    owners: list[T] = []
    known: Sequence[Hashable] = ()
    for mark, items in versions:
        owners = _inherit(owners, known, items, mark)
        known = items
    return owners


def _inherit(owners: list[T], old: Sequence[Hashable], new: Sequence[Hashable], mark: T) -> list[T]:
    result: list[T] = []
    for tag, i1, i2, j1, j2 in match_items(old, new):
        result += owners[i1:i2] if tag == "equal" else [mark] * (j2 - j1)
    return result
