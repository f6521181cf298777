"""Edits of chunks that another program wrote over (traps F10): WilmerAI holds the ledger while it asks its model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.types import Entry


@dataclass(frozen=True, slots=True)
class LedgerWrite:
    """One write of this console to a ledger."""

    revision_id: int
    at: datetime
    actor: str
    is_edit: bool
    """Whether a person changed it by hand, rather than a run, an undo or a repair."""
    before: tuple[Entry, ...]
    after: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class LostEdit:
    """A text that a person wrote and that is not in the ledger any more."""

    revision_id: int
    at: datetime
    actor: str
    hash: str
    text: str
    number: int | None
    """The chunk that has the hash now; None when it was condensed away or deleted."""
    text_now: str


def find_lost_edits(writes: Iterable[LedgerWrite], ledger: Sequence[Entry]) -> tuple[LostEdit, ...]:
    """The edits that somebody else's write undid, newest first; `writes` are those of this console, newest first.

    What this console itself changed later was meant to go.
    """
    now = {entry.hash: (number, entry.text) for number, entry in enumerate(ledger, 1)}
    settled: set[str] = set()
    lost = []
    for write in writes:
        before, after = _texts(write.before), _texts(write.after)
        for value in (before.keys() | after.keys()) - settled:
            if before.get(value) == after.get(value):
                continue
            settled.add(value)
            number, text_now = now.get(value, (None, ""))
            if write.is_edit and value in before and value in after and text_now != after[value]:
                lost.append(LostEdit(write.revision_id, write.at, write.actor, value, after[value], number, text_now))
    return tuple(lost)


def _texts(entries: Sequence[Entry]) -> dict[str, str]:
    return {entry.hash: entry.text for entry in entries if entry.hash}
