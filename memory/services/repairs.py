"""Mending what the health checks find, where that is safe: shown first, recorded, one click or `doctor --fix`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from memory.engine.blast_radius import BlastRadius
from memory.journal.authorship import Origin, writing_as
from memory.queries.health import list_checks
from memory.results import HealthCheck, HealthLevel
from memory.services.audit import note
from memory.services.editing import Editor, Outcome
from memory.services.permission import require_changes_allowed
from memory.services.repair_kinds import Fix, Repaired, Repairer, by_editing
from memory.services.repairs_database import ADOPT_TRACKER, DROP_REPEATED_ROWS, REBUILD_INDEX, REMOVE_ORPHANS
from memory.services.repairs_files import FILL_FILES, NARROW_MODES, REMOVE_LEFTOVERS, RESTORE_DAMAGED
from memory.services.texts_editing import SummaryEdit, edit_summary, restore_state_document
from memory.services.trackers_editing import set_condensation
from memory.wiring import open_discussion
from wilmer_site.lib.errors import NotFoundError, WilmerError

__all__ = [
    "NothingToRepairError",
    "RepairPlan",
    "Repaired",
    "Repairer",
    "find_repair",
    "list_repairable",
    "may_repair",
    "plan_repair",
    "repair",
]


class NothingToRepairError(NotFoundError):
    """The check finds nothing, or nothing that is safe to mend by itself."""

    code = "nothing-to-repair"


@dataclass(frozen=True, slots=True)
class RepairPlan:
    """What a repair would do."""

    check: HealthCheck
    action: str
    explanation: str
    asks_for_chunk: bool = False
    chunk: int | None = None
    chunks: int = 0
    """How many chunks there are to choose from."""
    radius: BlastRadius = field(default_factory=BlastRadius)
    steps: tuple[str, ...] = ()
    """What would be done to which file."""
    is_recorded: bool = True
    """Whether the history will keep what it changes."""
    problem: str = ""
    """Why it cannot be done."""


def list_repairable() -> tuple[str, ...]:
    """The checks whose findings can be mended."""
    return tuple(sorted(_FIXES))


def may_repair(check: HealthCheck) -> bool:
    """Whether a finding has a repair."""
    return check.code in _FIXES and check.level is not HealthLevel.OK


def plan_repair(repairer: Repairer, code: str) -> RepairPlan:
    """What mending a finding would do. Raises NothingToRepairError, DiscussionNotFoundError."""
    check, fix = _find(repairer, code)
    plan = RepairPlan(check, fix.action, fix.explanation, is_recorded=fix.is_recorded)
    if fix.measure is not None:
        chunks = len(open_discussion(repairer.ref, repairer.keys).read_memories().entries)
        chunk = repairer.chunk if repairer.chunk is not None else chunks
        plan = replace(plan, asks_for_chunk=fix.asks, chunk=chunk if fix.asks else None, chunks=chunks)
    try:
        if fix.list_steps is not None:
            return replace(plan, steps=fix.list_steps(repairer))
        if fix.measure is not None:
            outcome = fix.measure(repairer.editor(is_dry_run=True), plan.chunk or 0)
            return replace(plan, radius=getattr(outcome, "radius", BlastRadius()))
    except WilmerError as error:
        return replace(plan, problem=error.message)
    return plan


def find_repair(repairer: Repairer, code: str) -> RepairPlan | None:
    """The same; None when there is nothing to mend."""
    try:
        return plan_repair(repairer, code)
    except NothingToRepairError:
        return None


def repair(repairer: Repairer, code: str) -> Repaired:
    """Mend a finding. Raises NothingToRepairError, and what the writing raises."""
    require_changes_allowed()
    check, fix = _find(repairer, code)
    with writing_as(repairer.actor, fix.action, origin=Origin.REPAIR):
        repaired = fix.run(repairer)
    note(repairer.actor, "repaired", repairer.ref.text, check=check.code, count=check.count)
    return repaired


def _find(repairer: Repairer, code: str) -> tuple[HealthCheck, Fix]:
    checks = list_checks(repairer.ref, repairer.keys)
    check = next((item for item in checks if item.code == code and may_repair(item)), None)
    if check is None:
        raise NothingToRepairError(
            f"The check {code[:60]!r} finds nothing in {repairer.ref.discussion_id!r} that can be mended by itself.",
            check=code[:60],
        )
    return check, _FIXES[code]


def _link_summary(editor: Editor, chunk: int) -> Outcome:
    entries = open_discussion(editor.ref, editor.keys).read_summary().entries
    return edit_summary(editor, SummaryEdit(entries[0].text if entries else "", chunk))


def _set_tracker(editor: Editor, chunk: int) -> Outcome:
    return set_condensation(editor, chunk or None)


def _restore_document(editor: Editor, chunk: int) -> Outcome:  # noqa: ARG001 - one signature for all
    return restore_state_document(editor)


_FIXES: Mapping[str, Fix] = {
    **dict.fromkeys(("fts-orphans", "memories-without-index", "fts-differs", "database-index-broken"), REBUILD_INDEX),
    "embedding-orphans": REMOVE_ORPHANS,
    "duplicate-log-hashes": DROP_REPEATED_ROWS,
    "tracker-only": ADOPT_TRACKER,
    "file-damaged": RESTORE_DAMAGED,
    "file-without-bytes": FILL_FILES,
    "file-mode": NARROW_MODES,
    "leftover-temp-files": REMOVE_LEFTOVERS,
    "summary-link-lost": Fix(
        "Linked the summary to a chunk",
        "The summary's hash becomes that of the newest chunk it covers; its text stays. Chunks behind it will be fed "
        "into the next summary.",
        by_editing(_link_summary, asks=True),
        _link_summary,
        asks=True,
    ),
    "condensation-link-lost": Fix(
        "Set the condensation tracker",
        "The tracker names the newest chunk that was condensed; 0 removes it, so that every chunk counts as new.",
        by_editing(_set_tracker, asks=True),
        _set_tracker,
        asks=True,
    ),
    "state-document-shrunk": Fix(
        "Put the backup of the state document back",
        "The backup takes the place of the document, and the document becomes the backup.",
        by_editing(_restore_document, asks=False),
        _restore_document,
    ),
}
"""Check → its repair."""
