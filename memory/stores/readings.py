"""What files held when they were last read, so that the tabs of one discussion do not parse the same file each time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Protocol, TypeVar, cast

from memory.stores.contents import inspect_place
from memory.stores.discussion_files import DiscussionFiles
from memory.types import Artefact, FileReport, FileStat, FileState, ListFile, ObjectFile, TextFile
from wilmer_site.lib.clock import utc_now

BUDGET_BYTES = 64 * 1024 * 1024
"""How many bytes of files are kept, parsed; the ones that were not asked for longest go first."""

SETTLED_NS = 2_000_000_000
"""A file is trusted again by its time only if it was older than this when it was read: times of files are coarse."""

_KEPT_STATES = (FileState.PRESENT, FileState.EMPTY, FileState.DAMAGED)
_Key = tuple[Artefact, str]


class Reading(Protocol):
    """Anything that was read from a file and says how the file stood."""

    @property
    def report(self) -> FileReport:
        """The state of the file."""
        ...


R = TypeVar("R", bound=Reading)


class Readings:
    """Readings of plain files by path and stat. What a key opened is never kept: locking must lock (traps E1)."""

    def __init__(self, budget_bytes: int = BUDGET_BYTES) -> None:
        self._budget = budget_bytes
        self._lock = Lock()
        self._known: OrderedDict[_Key, tuple[FileStat, Reading]] = OrderedDict()
        self._size = 0

    def recall(self, discussion: DiscussionFiles, artefact: Artefact, read: Callable[[], R]) -> R:
        """What `read` gave when the file had the stat it has now; else what it gives now. Safe between threads."""
        place = discussion.place(artefact)
        key, now = (artefact, str(place.path)), inspect_place(place)
        with self._lock:
            stat, known = self._known.get(key, (None, None))
            if known is not None and stat is not None and stat == now.stat:
                self._known.move_to_end(key)
                return cast(R, known)
        found = read()
        if _may_be_kept(found.report):
            self._keep(key, found)
        return found

    def _keep(self, key: _Key, found: Reading) -> None:
        stat = found.report.stat
        if stat is None or stat.size_bytes > self._budget:
            return
        with self._lock:
            self._drop(key)
            self._known[key] = (stat, found)
            self._size += stat.size_bytes
            while self._size > self._budget:
                self._drop(next(iter(self._known)))

    def _drop(self, key: _Key) -> None:
        known = self._known.pop(key, None)
        if known is not None:
            self._size -= known[0].size_bytes


_readings = Readings()


def recall_list(discussion: DiscussionFiles, artefact: Artefact) -> ListFile:
    """A list file as it is, parsed again only if it changed. As `DiscussionFiles.read_…`, it raises nothing."""
    read = _LISTS[artefact]
    return _readings.recall(discussion, artefact, lambda: read(discussion))


def recall_object(discussion: DiscussionFiles, artefact: Artefact) -> ObjectFile:
    """The same for an object file."""
    read = _OBJECTS[artefact]
    return _readings.recall(discussion, artefact, lambda: read(discussion))


def recall_text(discussion: DiscussionFiles, artefact: Artefact) -> TextFile:
    """The same for the state document or its backup."""
    read = _TEXTS[artefact]
    return _readings.recall(discussion, artefact, lambda: read(discussion))


def recall_report(discussion: DiscussionFiles, artefact: Artefact) -> FileReport:
    """How a file stands; the vector database is looked at from outside, each time."""
    if artefact in _LISTS:
        return recall_list(discussion, artefact).report
    if artefact in _OBJECTS:
        return recall_object(discussion, artefact).report
    if artefact in _TEXTS:
        return recall_text(discussion, artefact).report
    return discussion.report(artefact)


_LISTS: Mapping[Artefact, Callable[[DiscussionFiles], ListFile]] = {
    Artefact.MEMORIES: DiscussionFiles.read_memories,
    Artefact.SUMMARY: DiscussionFiles.read_summary,
    Artefact.COMPACTOR_OLD: DiscussionFiles.read_compactor_old,
    Artefact.COMPACTOR_OLDEST: DiscussionFiles.read_compactor_oldest,
}
_OBJECTS: Mapping[Artefact, Callable[[DiscussionFiles], ObjectFile]] = {
    Artefact.CONDENSATION_TRACKER: DiscussionFiles.read_condensation_tracker,
    Artefact.TIMESTAMPS: DiscussionFiles.read_timestamps,
    Artefact.VISION_RESPONSES: DiscussionFiles.read_vision_responses,
}
_TEXTS: Mapping[Artefact, Callable[[DiscussionFiles], TextFile]] = {
    Artefact.STATE_DOCUMENT: DiscussionFiles.read_state_document,
    Artefact.STATE_DOCUMENT_BACKUP: DiscussionFiles.read_state_document_backup,
}


def _may_be_kept(report: FileReport) -> bool:
    """Not what is encrypted, and not what may still be changing within the resolution of file times."""
    if report.is_encrypted or report.stat is None or report.state not in _KEPT_STATES:
        return False
    return utc_now().timestamp() * 1e9 - report.stat.modified_ns > SETTLED_NS
