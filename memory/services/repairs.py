"""Mending what the health checks find, where that is safe: shown first, recorded, one click or `doctor --fix`."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from memory.engine.blast_radius import BlastRadius
from memory.engine.wording import format_count
from memory.journal.authorship import Origin, current_authorship, writing_as
from memory.queries.health import list_checks
from memory.results import ApiKeys, HealthCheck, HealthLevel
from memory.services.audit import note
from memory.services.editing import Editor, Outcome, check_mode, explaining_disk_errors
from memory.services.permission import require_changes_allowed
from memory.services.texts_editing import SummaryEdit, edit_summary, restore_state_document
from memory.services.trackers_editing import set_condensation
from memory.stores.belongings import find_home
from memory.stores.contents import check_writable
from memory.stores.discussion_files import DiscussionFiles
from memory.stores.folder_facts import delete_leftovers
from memory.stores.journaling import RowState
from memory.stores.vector_reindex import delete_orphans, reindex_memories
from memory.stores.vector_restore import list_memory_dates, read_rows
from memory.types import Artefact, DiscussionRef
from memory.wiring import get_memory_settings, get_public_folder, open_discussion
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.errors import InvalidError, NotFoundError, WilmerError

RECORDED_MEMORIES = 2_000
"""Of larger databases the rebuilding is noted without the index rows: they hold nothing that is not in the memories."""


class NothingToRepairError(NotFoundError):
    """The check finds nothing, or nothing that is safe to mend by itself."""

    code = "nothing-to-repair"


@dataclass(frozen=True, slots=True)
class Repairer:
    """Who mends which discussion."""

    ref: DiscussionRef
    actor: str
    keys: ApiKeys = field(default_factory=dict)
    chunk: int | None = None
    """Where a link shall point, for repairs that ask; 0 for nowhere."""


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
    problem: str = ""
    """Why it cannot be done."""


@dataclass(frozen=True, slots=True)
class Repaired:
    """A repair that was made."""

    action: str
    batch: uuid.UUID | None
    """Takes it back; None when nothing was recorded."""


def may_repair(check: HealthCheck) -> bool:
    """Whether a finding has a repair."""
    return check.code in _FIXES and check.level is not HealthLevel.OK


def plan_repair(repairer: Repairer, code: str) -> RepairPlan:
    """What mending a finding would do. Raises NothingToRepairError, DiscussionNotFoundError."""
    check, fix = _find(repairer, code)
    chunks = len(open_discussion(repairer.ref, repairer.keys).read_memories().entries)
    chunk = repairer.chunk if repairer.chunk is not None else chunks
    plan = RepairPlan(check, fix.action, fix.explanation, fix.measure is not None and fix.asks, chunk, chunks)
    if fix.measure is None:
        return plan
    try:
        outcome = fix.measure(_editor(repairer, is_dry_run=True), chunk)
    except WilmerError as error:
        return RepairPlan(check, fix.action, fix.explanation, fix.asks, chunk, chunks, problem=error.message)
    radius = getattr(outcome, "radius", BlastRadius())
    return RepairPlan(check, fix.action, fix.explanation, fix.asks, chunk, chunks, radius)


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


@dataclass(frozen=True, slots=True)
class _Fix:
    action: str
    explanation: str
    run: Callable[[Repairer], Repaired]
    measure: Callable[[Editor, int], Outcome] | None = None
    asks: bool = False


def _find(repairer: Repairer, code: str) -> tuple[HealthCheck, _Fix]:
    checks = list_checks(repairer.ref, repairer.keys)
    check = next((item for item in checks if item.code == code and may_repair(item)), None)
    if check is None:
        raise NothingToRepairError(
            f"The check {code[:60]!r} finds nothing in {repairer.ref.discussion_id!r} that can be mended by itself.",
            check=code[:60],
        )
    return check, _FIXES[code]


def _editor(repairer: Repairer, *, is_dry_run: bool = False) -> Editor:
    return Editor(repairer.ref, repairer.actor, repairer.keys, is_dry_run)


def _rebuild_index(repairer: Repairer) -> Repaired:
    try:
        topics = get_memory_settings().indexes_topics
    except WilmerError:
        topics = False

    def rebuild(files: DiscussionFiles) -> str:
        for _ in reindex_memories(files.vector_path(), index_topics=topics):
            pass
        return "Rebuilt the search index"

    return _change_database(repairer, rebuild)


def _remove_orphans(repairer: Repairer) -> Repaired:
    def remove(files: DiscussionFiles) -> str:
        gone = delete_orphans(files.vector_path())
        return f"Removed {format_count(gone, 'row')} of memories that are gone"

    return _change_database(repairer, remove)


def _change_database(repairer: Repairer, change: Callable[[DiscussionFiles], str]) -> Repaired:
    files = open_discussion(repairer.ref, repairer.keys)
    report = files.report(Artefact.VECTOR_MEMORY)
    check_writable(report)
    check_mode(report)
    with files.lock(), explaining_disk_errors(report.path.name), files.recording_rows(_read_all(files)) as record:
        action = change(files)
        record.after = _read_all(files)
    return Repaired(action, current_authorship().batch)


def _read_all(files: DiscussionFiles) -> RowState:
    """Every memory, for a database of ordinary size; nothing for one that is larger or cannot be read."""
    try:
        ids = [memory_id for memory_id, _ in list_memory_dates(files.vector_path())]
        return read_rows(files.vector_path(), files.ref.discussion_id, ids[:RECORDED_MEMORIES]) if ids else RowState()
    except WilmerError:
        return RowState()


def _link_summary(editor: Editor, chunk: int) -> Outcome:
    entries = open_discussion(editor.ref, editor.keys).read_summary().entries
    return edit_summary(editor, SummaryEdit(entries[0].text if entries else "", chunk))


def _set_tracker(editor: Editor, chunk: int) -> Outcome:
    return set_condensation(editor, chunk or None)


def _restore_document(editor: Editor, chunk: int) -> Outcome:  # noqa: ARG001 - one signature for all
    return restore_state_document(editor)


def _by_editing(change: Callable[[Editor, int], Outcome], *, asks: bool) -> Callable[[Repairer], Repaired]:
    def run(repairer: Repairer) -> Repaired:
        if asks and repairer.chunk is None:
            raise InvalidError("Say which chunk the link shall name; 0 for none.", field="chunk")
        outcome = change(_editor(repairer), repairer.chunk or 0)
        return Repaired(getattr(outcome, "action", "Nothing was changed"), getattr(outcome, "batch", None))

    return run


def _remove_leftovers(repairer: Repairer) -> Repaired:
    files, home = open_discussion(repairer.ref), find_home(get_public_folder(), repairer.ref)
    with files.lock(), explaining_disk_errors(home.name):
        names = delete_leftovers(home, now=utc_now())
    return Repaired(f"Removed {format_count(len(names), 'temp file')}", None)


_REBUILD = _Fix(
    "Rebuilt the search index",
    "Every row of the index is written anew from the memory it belongs to; rows without a memory go. Memories and "
    "embeddings stay as they are, and WilmerAI can go on writing meanwhile.",
    _rebuild_index,
)

_FIXES: Mapping[str, _Fix] = {
    **dict.fromkeys(("fts-orphans", "memories-without-index", "fts-differs", "database-index-broken"), _REBUILD),
    "embedding-orphans": _Fix(
        "Removed rows of memories that are gone",
        "Vectors and index rows whose memory is gone are removed, so that no new memory inherits them.",
        _remove_orphans,
    ),
    "summary-link-lost": _Fix(
        "Linked the summary to a chunk",
        "The summary's hash becomes that of the newest chunk it covers; its text stays. Chunks behind it will be fed "
        "into the next summary.",
        _by_editing(_link_summary, asks=True),
        _link_summary,
        asks=True,
    ),
    "condensation-link-lost": _Fix(
        "Set the condensation tracker",
        "The tracker names the newest chunk that was condensed; 0 removes it, so that every chunk counts as new.",
        _by_editing(_set_tracker, asks=True),
        _set_tracker,
        asks=True,
    ),
    "state-document-shrunk": _Fix(
        "Put the backup of the state document back",
        "The backup takes the place of the document, and the document becomes the backup.",
        _by_editing(_restore_document, asks=False),
        _restore_document,
    ),
    "leftover-temp-files": _Fix(
        "Removed temp files",
        "Temp files of writers that died more than a minute ago are removed. They hold what was never put in place.",
        _remove_leftovers,
    ),
}
"""Check → its repair."""
