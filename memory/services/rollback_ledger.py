"""Which chunks stay when a discussion is rolled back, and which come back: condensation may have swallowed them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.engine.rollback import count_kept_chunks, find_straddling
from memory.services.uncondensing import search_originals
from memory.stores.discussion_files import DiscussionFiles
from memory.types import DiscussionRef, Entry


@dataclass(frozen=True, slots=True)
class LedgerCut:
    """The chunks after the cut."""

    entries: tuple[Entry, ...]
    kept: int
    """How many of the chunks there are stay; those behind them in `entries` come back from the history."""

    @property
    def restored(self) -> int:
        """How many chunks come back."""
        return len(self.entries) - self.kept


def cut_ledger(
    history: DiscussionRef,
    files: DiscussionFiles,
    ledger: Sequence[Entry],
    message_hashes: Sequence[str],
    message: int,
) -> LedgerCut:
    """Keep what was made only from messages before this one, as WilmerAI would have it without the later ones.

    A chunk that was condensed across the cut gives way to those it was made from, as far as the history knows them:
    the ones that end before the cut come back, also through several condensations.
    """
    kept = count_kept_chunks(ledger, message_hashes, message)
    entries, seen = list(ledger), None
    while True:
        staying = count_kept_chunks(entries, message_hashes, message)
        straddling = find_straddling(entries, message_hashes, message, staying)
        found = search_originals(history, files, straddling.hash, before=seen) if straddling else None
        if found is None:
            return LedgerCut(tuple(entries[:staying]), kept)
        entries[staying : staying + 1] = found.entries
        seen = found.revision_id
