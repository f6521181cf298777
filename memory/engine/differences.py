"""What changed between two versions: of a text, of a list of entries, of vector memories. Nothing here is HTML."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Any

from memory.engine import word_diff
from memory.engine.word_diff import Piece, diff_words
from memory.types import Entry

MAX_LINES = 20_000
"""Above this many lines on both sides a comparison would take longer than anybody waits."""

MAX_PAIRS = 2_000_000
"""Above it items that occur often no longer hold two lists together, and the comparison stays quick."""

MAX_SHOWN = 200
"""The words of so many changed entries are compared; of the others only that they were changed."""

CONTEXT_LINES = 3
LEAST_LIKENESS = 0.25
"""Lines with less in common are shown as changed as a whole."""

LONGEST_LINE = 20_000
"""Characters on both sides; longer lines are shown as changed as a whole."""


class Change(StrEnum):
    """What happened to a line, an entry or a memory."""

    SAME = "same"
    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class LineChange:
    """One line of a comparison; a side that has no such line has no number."""

    kind: Change
    old_number: int | None
    new_number: int | None
    old: tuple[Piece, ...] = ()
    new: tuple[Piece, ...] = ()
    skipped: int = 0
    """So many equal lines were left out before this one."""


@dataclass(frozen=True, slots=True)
class TextDiff:
    """How one text became another."""

    lines: tuple[LineChange, ...] = ()
    added: int = 0
    removed: int = 0
    is_too_long: bool = False
    """Not compared at all."""
    skipped_at_end: int = 0


@dataclass(frozen=True, slots=True)
class EntryChange:
    """What became of one entry; numbers count from 1."""

    kind: Change
    old_number: int | None
    new_number: int | None
    old: Entry | None
    new: Entry | None
    text: TextDiff = TextDiff()

    @property
    def is_other_message(self) -> bool:
        """Whether the entry ends at another message than before."""
        return bool(self.old and self.new and self.old.hash != self.new.hash)


@dataclass(frozen=True, slots=True)
class EntriesDiff:
    """How one ledger became another; entries that stayed are only counted."""

    changes: tuple[EntryChange, ...]
    same: int

    def count(self, kind: Change) -> int:
        """How many entries were added, removed, changed or moved."""
        return sum(change.kind is kind for change in self.changes)


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field of a vector memory, both as text; None where it is not there."""

    name: str
    old: str | None
    new: str | None


def compare_texts(old: str, new: str, *, context: int = CONTEXT_LINES) -> TextDiff:
    """Line by line, with the changed words marked; equal lines far from a change are left out."""
    before, after = old.splitlines(), new.splitlines()
    if len(before) + len(after) > MAX_LINES:
        return TextDiff(is_too_long=True)
    lines = list(_compare_lines(before, after))
    shown, at_end = _leave_out(lines, context)
    return TextDiff(
        lines=tuple(shown),
        added=sum(line.kind in {Change.ADDED, Change.CHANGED} for line in lines),
        removed=sum(line.kind in {Change.REMOVED, Change.CHANGED} for line in lines),
        skipped_at_end=at_end,
    )


def compare_entries(old: Sequence[Entry], new: Sequence[Entry]) -> EntriesDiff:
    """Entry by entry: one that keeps its hash was changed, one that only stands elsewhere was moved."""
    changes: list[EntryChange] = []
    same = 0
    for tag, i1, i2, j1, j2 in match_items(old, new):
        if tag == "equal":
            same += i2 - i1
        else:
            changes += _pair(old, new, range(i1, i2), range(j1, j2))
    found = list(_find_moves(changes))
    return EntriesDiff((*map(_with_text, found[:MAX_SHOWN]), *found[MAX_SHOWN:]), same)


def compare_fields(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[FieldChange, ...]:
    """The fields that differ, in the order of the new ones, then of those that are gone."""
    names = list(dict.fromkeys([*new, *old]))
    return tuple(
        FieldChange(name, _as_text(old, name), _as_text(new, name)) for name in names if old.get(name) != new.get(name)
    )


def match_items(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[tuple[str, int, int, int, int]]:
    """The operations of difflib; equal ends are cut off first, which is most of a ledger."""
    start = _count_equal(old, new)
    end = _count_equal(old[start:][::-1], new[start:][::-1])
    old_stop, new_stop = len(old) - end, len(new) - end
    if start:
        yield "equal", 0, start, 0, start
    before, after = old[start:old_stop], new[start:new_stop]
    middle = SequenceMatcher(None, before, after, autojunk=_count_pairs(before, after) > MAX_PAIRS)
    for tag, i1, i2, j1, j2 in middle.get_opcodes():
        yield tag, i1 + start, i2 + start, j1 + start, j2 + start
    if end:
        yield "equal", old_stop, len(old), new_stop, len(new)


def _count_pairs(old: Sequence[Hashable], new: Sequence[Hashable]) -> int:
    """How many pairs of equal items there are: what difflib would look at, at least once."""
    counts = Counter(new)
    return sum(counts[item] for item in old)


def _count_equal(old: Sequence[Hashable], new: Sequence[Hashable]) -> int:
    count = 0
    for before, after in zip(old, new, strict=False):
        if before != after:
            break
        count += 1
    return count


def _compare_lines(old: Sequence[str], new: Sequence[str]) -> Iterator[LineChange]:
    for tag, i1, i2, j1, j2 in match_items(old, new):
        if tag == "equal":
            for offset in range(i2 - i1):
                piece = _whole(old[i1 + offset])
                yield LineChange(Change.SAME, i1 + offset + 1, j1 + offset + 1, piece, piece)
            continue
        for offset in range(max(i2 - i1, j2 - j1)):
            yield _line_change(old, new, (i1 + offset, i2), (j1 + offset, j2))


def _line_change(
    old: Sequence[str], new: Sequence[str], at_old: tuple[int, int], at_new: tuple[int, int]
) -> LineChange:
    """The line at a position of each side, which may be past the end of one of them."""
    (i, old_stop), (j, new_stop) = at_old, at_new
    if i >= old_stop:
        return LineChange(Change.ADDED, None, j + 1, (), _whole(new[j]))
    if j >= new_stop:
        return LineChange(Change.REMOVED, i + 1, None, _whole(old[i]), ())
    if len(old[i]) + len(new[j]) > LONGEST_LINE:
        return LineChange(Change.CHANGED, i + 1, j + 1, _whole(old[i]), _whole(new[j]))
    words = diff_words(old[i], new[j])
    same = sum(len(piece.text) for piece in words.old if piece.change is word_diff.Change.SAME)
    if same < LEAST_LIKENESS * max(len(old[i]), len(new[j])):  # Marks all over help nobody.
        return LineChange(Change.CHANGED, i + 1, j + 1, _whole(old[i]), _whole(new[j]))
    return LineChange(Change.CHANGED, i + 1, j + 1, words.old, words.new)


def _whole(text: str) -> tuple[Piece, ...]:
    return (Piece(word_diff.Change.SAME, text),)


def _leave_out(lines: Sequence[LineChange], context: int) -> tuple[list[LineChange], int]:
    """Lines near a change, each knowing how many were left out before it; and how many at the end."""
    near: set[int] = set()
    for position, line in enumerate(lines):
        if line.kind is not Change.SAME:
            near.update(range(position - context, position + context + 1))
    shown, skipped = [], 0
    for position, line in enumerate(lines):
        if position in near:
            shown.append(replace(line, skipped=skipped))
            skipped = 0
        else:
            skipped += 1
    return shown, skipped


def _pair(old: Sequence[Entry], new: Sequence[Entry], gone: range, there: range) -> list[EntryChange]:
    """Entries of a replaced stretch: those of the same message belong together."""
    waiting: defaultdict[str, deque[int]] = defaultdict(deque)
    for position in there:
        waiting[new[position].hash].append(position)
    partner = {place: waiting[old[place].hash].popleft() for place in gone if waiting.get(old[place].hash)}
    lone_old = [place for place in gone if place not in partner]
    paired = set(partner.values())
    lone_new = [position for position in there if position not in paired]
    if len(lone_old) == len(lone_new) == 1:  # A summary that was written anew is still the summary.
        partner[lone_old[0]] = lone_new[0]
    origin = {position: place for place, position in partner.items()}
    removed = [
        (place - gone.start, EntryChange(Change.REMOVED, place + 1, None, old[place], None))
        for place in gone
        if place not in partner
    ]
    there_now = [
        (
            position - there.start,
            _changed(old, new, origin[position], position)
            if position in origin
            else EntryChange(Change.ADDED, None, position + 1, None, new[position]),
        )
        for position in there
    ]
    return [change for _, change in sorted([*removed, *there_now], key=lambda item: item[0])]


def _with_text(change: EntryChange) -> EntryChange:
    """With the words compared, which takes long for thousands of entries."""
    if change.kind is not Change.CHANGED or not (change.old and change.new):
        return change
    return replace(change, text=compare_texts(change.old.text, change.new.text))


def _changed(old: Sequence[Entry], new: Sequence[Entry], place: int, position: int) -> EntryChange:
    before, after = old[place], new[position]
    kind = Change.MOVED if before == after else Change.CHANGED
    return EntryChange(kind, place + 1, position + 1, before, after)


def _find_moves(changes: Sequence[EntryChange]) -> Iterator[EntryChange]:
    """A removed entry that was added elsewhere in the same words was moved."""
    gone: defaultdict[Entry, list[EntryChange]] = defaultdict(list)
    for change in changes:
        if change.kind is Change.REMOVED and change.old:
            gone[change.old].append(change)
    moved: dict[int, EntryChange] = {}
    for change in changes:
        if change.kind is Change.ADDED and change.new and gone.get(change.new):
            origin = gone[change.new].pop(0)
            moved[id(change)] = replace(change, kind=Change.MOVED, old_number=origin.old_number, old=origin.old)
            moved[id(origin)] = origin
    for change in changes:
        found = moved.get(id(change))
        if found is None:
            yield change
        elif found.kind is Change.MOVED:
            yield found


def _as_text(values: Mapping[str, Any], name: str) -> str | None:
    if name not in values:
        return None
    value = values[name]
    if isinstance(value, list | tuple):
        return "; ".join(str(item) for item in value)
    return "" if value is None else str(value)
