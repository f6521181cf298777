"""What becomes of the summary, the state document and the times when a discussion is rolled back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from memory.engine.chunk_facts import find_last
from memory.engine.ledger_changes import Layers
from memory.engine.rollback import cut_timestamps, reaches_behind
from memory.journal.contents import ContentDroppedError, read_bytes
from memory.models import Revision, RevisionContent
from memory.queries.undo_plans import list_revisions
from memory.services.rollback_ledger import LedgerCut
from memory.stores.contents import read_whole
from memory.stores.discussion_files import DiscussionFiles
from memory.types import Artefact, DiscussionRef, Entry, FileState


def plan_summary(
    history: DiscussionRef, files: DiscussionFiles, layers: Layers, cut: LedgerCut
) -> tuple[str, tuple[Entry, ...]]:
    """The summary stays if it reaches no further; else the newest earlier version that did not; else none."""
    if not layers.summary:
        return "none", layers.summary
    ledger, kept = (*cut.entries, *layers.ledger[cut.kept :]), len(cut.entries)
    if _reach(layers.summary, ledger) <= kept:
        return "stays", layers.summary
    for revision in _newest_first(history, Artefact.SUMMARY):
        for content in (revision.after, revision.before):
            entries = _entries_of(files, content)
            if entries and 0 < _reach(entries, ledger) <= kept:
                return "restored", entries
    return "removed", ()


def _reach(summary: tuple[Entry, ...], ledger: tuple[Entry, ...]) -> int:
    """How many chunks a summary covers; more than all when its link is lost, as it may hold anything."""
    return find_last(ledger, summary[-1].hash) or len(ledger) + 1


def plan_state(history: DiscussionRef, files: DiscussionFiles, at: datetime | None) -> tuple[str, bytes | None]:
    """The state document as it was when the first forgotten message was sent."""
    now = read_whole(files.place(Artefact.STATE_DOCUMENT))
    if now is None:
        return "none", None
    if at is None:
        return "unknown", None
    for revision in _newest_first(history, Artefact.STATE_DOCUMENT):
        if revision.created_at <= at:
            data = _bytes_of(revision.after)
            return ("stays", None) if data == now else ("restored", data) if data is not None else ("unknown", None)
    return "unknown", None


def plan_timestamps(
    files: DiscussionFiles, message: int | None, positions: Mapping[str, tuple[int, ...]]
) -> tuple[Mapping[str, str] | None, int]:
    """What is left of the times, and how many go; None when none do."""
    stored = files.read_timestamps()
    if message is None or stored.report.state is not FileState.PRESENT:
        return None, 0
    values = {str(key): str(value) for key, value in stored.values.items()}
    left = cut_timestamps(values, positions, message)
    gone = len(values) - len(left)
    return (left, gone) if gone else (None, 0)


def plan_compactor(
    files: DiscussionFiles, message: int | None, positions: Mapping[str, tuple[int, ...]]
) -> tuple[Artefact, ...]:
    """The files of the context compactor that go: its texts hold messages from the cut on.

    Both go together. The older text without the newer one would be fed what it holds already (memory.md §23); without
    either the compactor begins anew from the chat.
    """
    if message is None:
        return ()
    entries = files.read_compactor_old().entries
    held = {value for entry in entries for value in (entry.hash, entry.hash.partition(":")[2])}
    if not any(reaches_behind(positions.get(value, ()), message) for value in held):
        return ()
    both = (Artefact.COMPACTOR_OLD, Artefact.COMPACTOR_OLDEST)
    return tuple(name for name in both if files.report(name).state is not FileState.ABSENT)


def _newest_first(ref: DiscussionRef, artefact: Artefact) -> list[Revision]:
    rows = list_revisions(ref).filter(artefact=artefact, state=Revision.State.DONE)
    return list(rows.select_related("before", "after").defer("before__data", "after__data").order_by("-id"))


def _entries_of(files: DiscussionFiles, content: RevisionContent | None) -> tuple[Entry, ...]:
    data = _bytes_of(content)
    return files.read_past(Artefact.SUMMARY, data).entries if data else ()


def _bytes_of(content: RevisionContent | None) -> bytes | None:
    try:
        return read_bytes(content)
    except ContentDroppedError:
        return None
