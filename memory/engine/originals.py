"""The chunks that a condensed one was made from, found by comparing the ledger before and after (traps F10)."""

from __future__ import annotations

from collections.abc import Sequence

from memory.engine.differences import match_items
from memory.types import Entry


def find_originals(before: Sequence[Entry], after: Sequence[Entry], message_hash: str) -> tuple[Entry, ...]:
    """The entries that became one entry with this hash; empty when no two or more did.

    A condensed entry carries the hash of the last one merged into it (memory.md §4).
    """
    for tag, i1, i2, j1, j2 in match_items(before, after):
        places = [place for place in range(j1, j2) if after[place].hash == message_hash] if tag == "replace" else []
        for place in places:
            found = _cut(before[i1:i2], message_hash, after[place - 1].hash if place > j1 else "")
            if len(found) > 1:
                return found
    return ()


def _cut(gone: Sequence[Entry], message_hash: str, hash_before: str) -> tuple[Entry, ...]:
    """The part of a replaced stretch that ends with a hash and begins behind another."""
    ends = [place for place, entry in enumerate(gone) if entry.hash == message_hash]
    if not ends:
        return ()
    starts = [place + 1 for place, entry in enumerate(gone[: ends[-1]]) if hash_before and entry.hash == hash_before]
    return tuple(gone[starts[-1] if starts else 0 : ends[-1] + 1])
