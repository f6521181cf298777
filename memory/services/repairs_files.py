"""Repairs of files: temp files, rights, files of no bytes, and damaged ones that the history has a version of."""

from __future__ import annotations

import stat
from collections.abc import Iterator

from memory.engine.wording import format_count
from memory.journal.authorship import current_authorship
from memory.journal.contents import ContentDroppedError, read_bytes
from memory.models import Revision
from memory.queries.undo_plans import list_revisions
from memory.services.editing import check_mode, explaining_disk_errors
from memory.services.repair_kinds import Fix, Repaired, Repairer
from memory.stores.belongings import find_home
from memory.stores.discussion_files import DiscussionFiles
from memory.stores.folder_facts import delete_leftovers
from memory.types import Artefact, FileReport, FileState
from memory.wiring import get_public_folder, open_discussion
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.errors import NotFoundError

_TEXTS = frozenset({Artefact.VECTOR_MEMORY, Artefact.STATE_DOCUMENT, Artefact.STATE_DOCUMENT_BACKUP})
"""Files that may have no bytes, or are no JSON."""


class NoVersionError(NotFoundError):
    """The history holds no version of a file that can be read."""

    code = "no-readable-version"


def _remove_leftovers(repairer: Repairer) -> Repaired:
    files, home = open_discussion(repairer.ref), find_home(get_public_folder(), repairer.ref)
    with files.lock(), explaining_disk_errors(home.name):
        names = delete_leftovers(home, now=utc_now())
    return Repaired(f"Removed {format_count(len(names), 'temp file')}", None)


def _narrow_modes(repairer: Repairer) -> Repaired:
    files = open_discussion(repairer.ref, repairer.keys)
    with files.lock(), explaining_disk_errors("The file"):
        reports = list(_list_open(files))
        for report in reports:
            report.path.resolve().chmod(_narrowed(report))
    return Repaired(f"Took the right to change {format_count(len(reports), 'file')} away from everybody", None)


def _list_narrowed(repairer: Repairer) -> tuple[str, ...]:
    reports = _list_open(open_discussion(repairer.ref, repairer.keys))
    return tuple(f"{report.path.name}: {_mode(report):04o} becomes {_narrowed(report):04o}." for report in reports)


def _list_open(files: DiscussionFiles) -> Iterator[FileReport]:
    for report in files.reports():
        if report.state is not FileState.UNREADABLE and report.stat and _mode(report) & stat.S_IWOTH:
            yield report


def _mode(report: FileReport) -> int:
    return stat.S_IMODE(report.stat.mode) if report.stat else 0


def _narrowed(report: FileReport) -> int:
    return _mode(report) & ~stat.S_IWOTH


def _fill_files(repairer: Repairer) -> Repaired:
    files = open_discussion(repairer.ref, repairer.keys)
    with files.lock():
        reports = list(_list_without_bytes(files))
        for report in reports:
            check_mode(report)
            with explaining_disk_errors(report.path.name):
                _write_nothing(files, report.artefact)
    return Repaired(f"Wrote {format_count(len(reports), 'file')} that had no bytes", current_authorship().batch)


def _list_filled(repairer: Repairer) -> tuple[str, ...]:
    reports = _list_without_bytes(open_discussion(repairer.ref, repairer.keys))
    return tuple(f"{report.path.name} {_WORDS.get(report.artefact, 'gets an empty list')}." for report in reports)


def _list_without_bytes(files: DiscussionFiles) -> Iterator[FileReport]:
    for report in files.reports():
        if report.artefact not in _TEXTS and report.stat is not None and report.stat.size_bytes == 0:
            yield report


_WORDS = {
    Artefact.CONDENSATION_TRACKER: "is deleted: nothing counts as condensed",
    Artefact.TIMESTAMPS: "gets an empty object",
    Artefact.VISION_RESPONSES: "gets an empty object",
}


def _write_nothing(files: DiscussionFiles, artefact: Artefact) -> None:
    match artefact:
        case Artefact.MEMORIES:
            files.write_memories([])
        case Artefact.SUMMARY:
            files.write_summary([])
        case Artefact.COMPACTOR_OLD:
            files.write_compactor_old([])
        case Artefact.COMPACTOR_OLDEST:
            files.write_compactor_oldest([])
        case Artefact.TIMESTAMPS:
            files.write_timestamps({})
        case Artefact.VISION_RESPONSES:
            files.write_vision_responses({})
        case Artefact.CONDENSATION_TRACKER:
            files.delete_file(artefact)


def _restore_damaged(repairer: Repairer) -> Repaired:
    files = open_discussion(repairer.ref, repairer.keys)
    with files.lock():
        found = [(report, *_find_version(files, report)) for report in _list_damaged(files)]
        for report, _, data in found:
            check_mode(report)
            with explaining_disk_errors(report.path.name):
                files.restore_bytes(report.artefact, data, expected_etag=report.etag)
    return Repaired(f"Put back {format_count(len(found), 'file')} from the history", current_authorship().batch)


def _list_versions(repairer: Repairer) -> tuple[str, ...]:
    files = open_discussion(repairer.ref, repairer.keys)
    lines = []
    for report in _list_damaged(files):
        revision, data = _find_version(files, report)
        when = f"{revision.created_at:%Y-%m-%d %H:%M} UTC"
        lines.append(f"{report.path.name}: {len(data):,} bytes as of {when}, “{revision.action}” by {revision.actor}.")
    return tuple(lines)


def _list_damaged(files: DiscussionFiles) -> Iterator[FileReport]:
    for report in files.reports():
        if report.state is FileState.DAMAGED and report.artefact is not Artefact.VECTOR_MEMORY:
            yield report


def _find_version(files: DiscussionFiles, report: FileReport) -> tuple[Revision, bytes]:
    """The newest version that can be read, and the write that tells of it. Raises NoVersionError."""
    rows = list_revisions(files.ref).filter(artefact=report.artefact.value, state=Revision.State.DONE)
    for revision in rows.select_related("before", "after").order_by("-id").iterator(chunk_size=20):
        for content in (revision.after, revision.before):
            try:
                data = read_bytes(content)
            except ContentDroppedError:
                continue
            if data and files.read_past(report.artefact, data).state is FileState.PRESENT:
                return revision, data
    raise NoVersionError(
        f"The history holds no version of {report.path.name} that can be read. Open its raw view and mend the text by "
        "hand, or import a backup."
    )


REMOVE_LEFTOVERS = Fix(
    "Removed temp files",
    "Temp files of writers that died more than a minute ago are removed. They hold what was never put in place.",
    _remove_leftovers,
    is_recorded=False,
)
NARROW_MODES = Fix(
    "Took rights away",
    "Everybody loses the right to change these files; owner and group keep theirs. Contents stay as they are.",
    _narrow_modes,
    list_steps=_list_narrowed,
    is_recorded=False,
)
FILL_FILES = Fix(
    "Wrote files that had no bytes",
    "WilmerAI stops at a JSON file of no bytes, and goes on with an empty one. Both thresholds keep counting; delete "
    "the ledger instead if only the number of tokens shall count.",
    _fill_files,
    list_steps=_list_filled,
)
RESTORE_DAMAGED = Fix(
    "Put back files from the history",
    "The newest version that can be read takes the place of the damaged text, which is kept in the history.",
    _restore_damaged,
    list_steps=_list_versions,
)
