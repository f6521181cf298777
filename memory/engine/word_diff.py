"""Two texts compared word by word, for showing what a rewrite took out and put in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

MAX_EXACT_WORDS = 4000
"""Above it frequent words no longer hold the texts together, and the comparison stays quick."""

_ISLAND_WORDS = 2
_ISLAND_SHARE = 2

_PART = re.compile(r"\s+|\w+|[^\w\s]")


class Change(StrEnum):
    """What became of a piece of text."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of words with one fate."""

    change: Change
    text: str


@dataclass(frozen=True, slots=True)
class WordDiff:
    """The pieces of both texts in reading order."""

    pieces: tuple[Piece, ...]

    @property
    def old(self) -> tuple[Piece, ...]:
        """What the old text consists of."""
        return tuple(piece for piece in self.pieces if piece.change is not Change.ADDED)

    @property
    def new(self) -> tuple[Piece, ...]:
        """What the new text consists of."""
        return tuple(piece for piece in self.pieces if piece.change is not Change.REMOVED)


def diff_words(old: str, new: str) -> WordDiff:
    """Both texts as pieces; joining those of one side gives that text back, to the character."""
    before, after = _PART.findall(old), _PART.findall(new)
    is_long = max(len(before), len(after)) > MAX_EXACT_WORDS
    matcher = SequenceMatcher(None, before, after, autojunk=is_long)
    return WordDiff(tuple(_join(_drop_islands(list(_list_pieces(matcher, before, after))))))


def _list_pieces(matcher: SequenceMatcher[str], before: Sequence[str], after: Sequence[str]) -> Iterator[Piece]:
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if tag == "equal":
            yield Piece(Change.SAME, "".join(before[old_start:old_end]))
            continue
        if old_end > old_start:
            yield Piece(Change.REMOVED, "".join(before[old_start:old_end]))
        if new_end > new_start:
            yield Piece(Change.ADDED, "".join(after[new_start:new_end]))


def _drop_islands(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """One or two words that stayed between long changes are chance, and only tear the changes to pieces."""
    lengths = _changed_lengths(pieces)
    for at, piece in enumerate(pieces):
        is_short = piece.change is Change.SAME and len(piece.text.split()) <= _ISLAND_WORDS
        if is_short and min(lengths[at]) > _ISLAND_SHARE * len(piece.text.strip()) > 0:
            yield Piece(Change.REMOVED, piece.text)
            yield Piece(Change.ADDED, piece.text)
        else:
            yield piece


def _changed_lengths(pieces: Sequence[Piece]) -> list[tuple[int, int]]:
    """For each piece, how many characters changed right before and right after it."""
    before = _running_lengths(pieces)
    after = _running_lengths(pieces[::-1])[::-1]
    return list(zip(before, after, strict=True))


def _running_lengths(pieces: Sequence[Piece]) -> list[int]:
    lengths, run = [], 0
    for piece in pieces:
        lengths.append(run)
        run = 0 if piece.change is Change.SAME and not piece.text.isspace() else run + len(piece.text)
    return lengths


def _join(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """Neighbouring changes that only a blank separates read better as one."""
    held: list[Piece] = []
    for piece in pieces:
        is_blank = piece.change is Change.SAME and piece.text.isspace() and len(piece.text) == 1
        if piece.change is Change.SAME and not (is_blank and held):
            yield from _merge(held)
            held = []
            yield piece
        else:
            held.append(piece)
    yield from _merge(held)


def _merge(held: Sequence[Piece]) -> Iterator[Piece]:
    trailing: list[Piece] = []
    kept = list(held)
    while kept and kept[-1].change is Change.SAME:
        trailing.insert(0, kept.pop())
    removed = "".join(piece.text for piece in kept if piece.change is not Change.ADDED)
    added = "".join(piece.text for piece in kept if piece.change is not Change.REMOVED)
    if removed:
        yield Piece(Change.REMOVED, removed)
    if added:
        yield Piece(Change.ADDED, added)
    yield from trailing
