"""Merging the oldest new entries of a ledger into one (memory.md §15, W34, W35)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from memory.engine.condensation import CondensationPlan, build_call, condense, find_condensation, move_link
from memory.engine.hashing import hash_text
from memory.engine.surrogates import replace_lone_surrogates
from memory.services.notes import CondensedEntry
from memory.services.workshop import Progress, Step, Workshop
from memory.stores.discussion_files import CONDENSATION_KEY, DiscussionFiles
from memory.types import Entry
from wilmer_site.lib.errors import ConflictError
from wilmer_site.lib.files import DiscussionBusyError


class BatchChangedError(ConflictError):
    """The entries to be merged were edited while the model was asked; nothing was replaced."""

    code = "batch-changed"


@dataclass(frozen=True, slots=True)
class CondensationResult:
    """What one condensation did."""

    plan: CondensationPlan | None
    is_condensed: bool = False
    is_busy: bool = False


def condense_memories(workshop: Workshop) -> CondensationResult:
    """Merge one batch if one is due; skipped when another run is at work on the discussion."""
    try:
        with workshop.files.processing(0):
            return condense_under_lock(workshop)
    except DiscussionBusyError:
        return CondensationResult(None, is_busy=True)


def condense_under_lock(workshop: Workshop) -> CondensationResult:
    """As `condense_memories`, for a caller that already is the only run."""
    if not workshop.settings.condenses:
        return CondensationResult(None)
    settle_beginning(workshop)
    tracker = _mend_tracker(workshop)
    plan = find_condensation(workshop.files.read_memories().entries, tracker, workshop.settings)
    if plan is None:
        return CondensationResult(None)
    text = workshop.ask(build_call(plan, workshop.settings, workshop.resolve))
    if text is None:
        return CondensationResult(plan)
    _store(workshop, plan, text)
    workshop.report(Progress(Step.CONDENSED, len(plan.batch), len(plan.batch)))
    return CondensationResult(plan, is_condensed=True)


def settle_beginning(workshop: Workshop) -> bool:
    """Let the tracker catch up with a ledger whose making was interrupted; returns whether it is not done yet (W35).

    While a ledger is made anew the tracker goes along with its newest chunk (§10.4 step 4), in a write of its own.
    """
    begun = workshop.log.find_beginning(workshop.ref)
    if not begun:
        return False
    files = workshop.files
    with files.lock():
        hashes = [entry.hash for entry in files.read_memories().entries]
        is_done = begun in hashes
        stored = files.read_condensation_tracker().values.get(CONDENSATION_KEY)
        newest = begun if is_done else hashes[-1] if hashes else None
        if newest and stored not in hashes[hashes.index(newest) :]:
            files.write_condensation_tracker(newest)
    if is_done:
        workshop.log.save_beginning(workshop.ref, "")
    return not is_done


def _store(workshop: Workshop, plan: CondensationPlan, text: str) -> None:
    files = workshop.files
    with files.lock():
        entries = files.read_memories().entries
        current = _find_again(entries, plan)
        workshop.log.save_condensed(workshop.ref, _note(plan.hash, text))
        _keep_summary_linked(files, entries, current)
        files.write_memories(condense(entries, current, text))
        files.write_condensation_tracker(plan.hash)


def _find_again(entries: tuple[Entry, ...], plan: CondensationPlan) -> CondensationPlan:
    """Where the batch stands by now; an edit of it while the model was asked is not overwritten (traps F10)."""
    size = len(plan.batch)
    starts = [plan.start, *range(len(entries) - size + 1)]
    for start in starts:
        if entries[start : start + size] == plan.batch:
            return replace(plan, start=start, end=start + size)
    raise BatchChangedError("The memories to be merged were changed meanwhile. They stay as they are; try again.")


def _keep_summary_linked(files: DiscussionFiles, entries: tuple[Entry, ...], plan: CondensationPlan) -> None:
    """Move the summary's link first: if we stop in between, it points at memories that are there (W34)."""
    summary = files.read_summary().entries
    if summary:
        moved = move_link(entries, plan, summary[-1].hash)
        if moved != summary[-1].hash:
            files.write_summary([*summary[:-1], Entry(summary[-1].text, moved)])


def _mend_tracker(workshop: Workshop) -> str | None:
    """The tracker, advanced over an entry that condensation wrote before it was interrupted (W35)."""
    tracker = workshop.files.read_condensation_tracker().values.get(CONDENSATION_KEY)
    tracker = tracker if isinstance(tracker, str) else None
    made = workshop.log.find_condensed(workshop.ref)
    if made is None or made.hash == tracker:
        return tracker
    with workshop.files.lock():
        entries = workshop.files.read_memories().entries
        first = 1 + next((at for at, entry in enumerate(entries) if entry.hash == tracker), -1)
        if first < len(entries) and _note(entries[first].hash, entries[first].text) == made:
            workshop.files.write_condensation_tracker(made.hash)
            return made.hash
    return tracker


def _note(entry_hash: str, text: str) -> CondensedEntry:
    return CondensedEntry(entry_hash, hash_text(replace_lone_surrogates(text)))
