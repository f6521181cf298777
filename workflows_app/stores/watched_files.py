"""The files of one discussion, with a note of what is read and how they stand on disk."""

from __future__ import annotations

from typing import Any, cast

from memory.stores.discussion_files import DiscussionFiles
from memory.types import Artefact, FileState

_READERS = {
    "read_memories": Artefact.MEMORIES,
    "read_summary": Artefact.SUMMARY,
    "read_compactor_old": Artefact.COMPACTOR_OLD,
    "read_compactor_oldest": Artefact.COMPACTOR_OLDEST,
    "read_condensation_tracker": Artefact.CONDENSATION_TRACKER,
    "read_timestamps": Artefact.TIMESTAMPS,
    "read_vision_responses": Artefact.VISION_RESPONSES,
    "read_state_document": Artefact.STATE_DOCUMENT,
    "read_state_document_backup": Artefact.STATE_DOCUMENT_BACKUP,
    "vector_path": Artefact.VECTOR_MEMORY,
}


class WatchedFiles:
    """Stands in front of DiscussionFiles and passes everything on."""

    def __init__(self, files: DiscussionFiles) -> None:
        self._files = files
        self._reads: list[str] = []

    def __getattr__(self, name: str) -> Any:
        artefact = _READERS.get(name)
        if artefact is not None:
            self._reads.append(self._files.place(artefact).path.name)
        return getattr(self._files, name)

    def as_files(self) -> DiscussionFiles:
        """The same object where DiscussionFiles are wanted: it offers all that they do."""
        return cast("DiscussionFiles", self)

    def drain_reads(self) -> list[str]:
        """Names of the files read since the last time."""
        reads, self._reads = self._reads, []
        return reads

    def is_locked(self) -> bool:
        """Whether any file is encrypted and cannot be opened with the key at hand."""
        return any(report.state is FileState.LOCKED for report in self._files.reports())

    def look(self) -> dict[str, tuple[int, int]]:
        """Size in bytes and time of change of every file that is there, by name."""
        found: dict[str, tuple[int, int]] = {}
        for artefact in Artefact:
            path = self._files.place(artefact).path
            try:
                facts = path.stat()
            except OSError:
                continue
            found[path.name] = (facts.st_size, facts.st_mtime_ns)
        return found
