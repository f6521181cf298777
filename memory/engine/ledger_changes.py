"""Changes that a person makes to a ledger, and what becomes of the links that name its chunks.

The hash of a chunk names a chat message (traps F1): no change here makes one up, and editing a text leaves it alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from memory.engine.chunk_facts import condensed_count, covered_count
from memory.engine.versions import chunk_version
from memory.errors import ChunkNotFoundError
from memory.types import Entry
from wilmer_site.lib.errors import InvalidError

MERGE_SEPARATOR = "\n"
"""Between the texts of merged chunks, unless a person writes the merged text."""

_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Layers:
    """Everything that says how far the memory of a discussion has got, at one moment."""

    ledger: tuple[Entry, ...] = ()
    summary: tuple[Entry, ...] = ()
    tracker: str = ""
    """`lastCondensationHash`; empty for none."""
    progress: tuple[str, ...] = ()
    """Hashes of the vector path, newest first."""
    has_ledger_file: bool = True
    """An absent ledger switches the message threshold off (traps F6)."""


@dataclass(frozen=True, slots=True)
class LedgerChange:
    """A ledger after a change."""

    entries: tuple[Entry, ...]
    sources: tuple[tuple[int, ...], ...]
    """For each entry the numbers of the chunks it was made from."""


def find_version(entries: Sequence[Entry], number: int, version: str | None) -> int | None:
    """The number of the chunk a person saw: at its place, or the only one like it elsewhere; None when it is gone.

    Without a version it is whatever stands at that number.
    """
    if 1 <= number <= len(entries) and version in (None, chunk_version(entries[number - 1])):
        return number
    like = [at for at, entry in enumerate(entries, 1) if chunk_version(entry) == version]
    return like[0] if len(like) == 1 else None


def get_entry(entries: Sequence[Entry], number: int) -> Entry:
    """The chunk of that number; raises ChunkNotFoundError."""
    if not 1 <= number <= len(entries):
        raise ChunkNotFoundError(f"There is no chunk {number}; the ledger holds {len(entries)}.", number=number)
    return entries[number - 1]


def edit_text(entries: Sequence[Entry], number: int, text: str) -> LedgerChange:
    """Another text under the same hash."""
    edited = replace(get_entry(entries, number), text=text)
    return _change(entries, number, 1, [(edited, (number,))])


def delete_chunks(entries: Sequence[Entry], numbers: Collection[int]) -> LedgerChange:
    """The ledger without some chunks; raises ChunkNotFoundError."""
    for number in numbers:
        get_entry(entries, number)
    kept = [(entry, (number,)) for number, entry in enumerate(entries, 1) if number not in set(numbers)]
    return _build(kept)


def merge_chunks(entries: Sequence[Entry], first: int, text: str | None = None) -> LedgerChange:
    """A chunk and the next newer one as one, with the hash of the newer: it covers the messages of both."""
    older, newer = get_entry(entries, first), get_entry(entries, first + 1)
    joined = MERGE_SEPARATOR.join((older.text, newer.text)) if text is None else text
    return _change(entries, first, 2, [(Entry(joined, newer.hash), (first, first + 1))])


def split_chunk(entries: Sequence[Entry], number: int, position: int, first_hash: str) -> LedgerChange:
    """Two chunks from one, cut before a character; the second keeps the hash, the first ends with another message.

    Raises InvalidError for a position that leaves a part blank, or a hash that is none.
    """
    entry = get_entry(entries, number)
    head, tail = entry.text[:position].strip(), entry.text[position:].strip()
    if not 0 < position < len(entry.text) or not head or not tail:
        raise InvalidError(
            f"A chunk is split between two of its {len(entry.text)} characters, and both parts need text.",
            field="position",
        )
    if first_hash != entry.hash:
        check_hash(first_hash)
    return _change(entries, number, 1, [(Entry(head, first_hash), (number,)), (Entry(tail, entry.hash), (number,))])


def move_chunk(entries: Sequence[Entry], number: int, by: int) -> LedgerChange:
    """The same chunks, one of them `by` places newer (or older, when negative). Raises InvalidError at the ends."""
    get_entry(entries, number)
    target = number + by
    if not by or not 1 <= target <= len(entries):
        raise InvalidError(f"Chunk {number} cannot be moved to place {target} of {len(entries)}.", field="by")
    order = [other for other in range(1, len(entries) + 1) if other != number]
    order.insert(target - 1, number)
    return _build([(entries[other - 1], (other,)) for other in order])


def check_hash(value: str) -> str:
    """The same text when it is a SHA-256 in lower-case hexadecimal; raises InvalidError."""
    if not _HASH.fullmatch(value):
        raise InvalidError("A message hash has 64 hexadecimal digits, in lower case.", field="hash")
    return value


def keep_in_step(before: Layers, change: LedgerChange) -> Layers:
    """The layers with a changed ledger, the summary's link and the condensation tracker moved along with it.

    Each names the newest chunk up to which everything was in it before (traps F7, W34); nothing left: no hash.
    """
    covered = _count_prefix(change, covered_count(before.summary, before.ledger))
    condensed = _count_prefix(change, condensed_count(before.tracker, before.ledger))
    summary, tracker = before.summary, before.tracker
    if covered_count(summary, before.ledger) and covered_count(summary, change.entries) != covered:
        summary = (*summary[:-1], replace(summary[-1], hash=_hash_at(change.entries, covered)))
    if condensed_count(tracker, before.ledger) and condensed_count(tracker, change.entries) != condensed:
        tracker = _hash_at(change.entries, condensed)
    return replace(before, ledger=change.entries, summary=summary, tracker=tracker)


def leave_links(before: Layers, change: LedgerChange) -> Layers:
    """The layers with a changed ledger and everything else as it was."""
    return replace(before, ledger=change.entries)


def _count_prefix(change: LedgerChange, reach: int) -> int:
    """How many of the new entries, from the oldest, were made only from the first `reach` old ones."""
    count = 0
    for sources in change.sources:
        if max(sources) > reach:
            break
        count += 1
    return count


def _hash_at(entries: Sequence[Entry], number: int) -> str:
    return entries[number - 1].hash if number else ""


def _change(
    entries: Sequence[Entry], first: int, count: int, put: Sequence[tuple[Entry, tuple[int, ...]]]
) -> LedgerChange:
    """Other entries in the place of `count` ones."""
    numbered = [(entry, (number,)) for number, entry in enumerate(entries, 1)]
    return _build([*numbered[: first - 1], *put, *numbered[first - 1 + count :]])


def _build(items: Sequence[tuple[Entry, tuple[int, ...]]]) -> LedgerChange:
    return LedgerChange(tuple(entry for entry, _ in items), tuple(sources for _, sources in items))
