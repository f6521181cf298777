"""All files of one discussion, read as they are and written so that WilmerAI can read them."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from memory.errors import DiscussionLockedError
from memory.stores.contents import Access, check_usable, check_version, inspect_place, is_inside, read_content
from memory.stores.journaling import RowRecord, RowState
from memory.stores.layouts import Place
from memory.stores.ledger import read_list_file, write_list_file
from memory.stores.locks import DEFAULT_TIMEOUT_SECONDS, DiscussionLock
from memory.stores.object_files import read_object_file, write_object_file
from memory.stores.past_contents import PastContent, read_past
from memory.stores.state_documents import read_text_file, write_text_file
from memory.types import Artefact, DiscussionRef, Entry, FileReport, FileState, ListFile, ObjectFile, TextFile
from wilmer_site.lib.files import FileUnreadableError, delete_stale_temps, hold_lock, write_atomic

LIST_ARTEFACTS = (Artefact.MEMORIES, Artefact.SUMMARY, Artefact.COMPACTOR_OLD, Artefact.COMPACTOR_OLDEST)
OBJECT_ARTEFACTS = (Artefact.CONDENSATION_TRACKER, Artefact.TIMESTAMPS, Artefact.VISION_RESPONSES)
TEXT_ARTEFACTS = (Artefact.STATE_DOCUMENT, Artefact.STATE_DOCUMENT_BACKUP)
JSON_ARTEFACTS = (*LIST_ARTEFACTS, *OBJECT_ARTEFACTS)
CONDENSATION_KEY = "lastCondensationHash"

T = TypeVar("T")


class DiscussionFiles:
    """The files of one discussion.

    Reading raises nothing for damage, locks, absence or size (the report says it), and creates nothing. Every call
    reads the disk anew. Writing takes the discussion's lock unless this object holds it, and raises
    DamagedFileError, DiscussionLockedError, FileUnreadableError, FileTooLargeError, FileChangedError or
    DiscussionBusyError; each write returns the new ETag.
    """

    def __init__(
        self,
        ref: DiscussionRef,
        places: Mapping[Artefact, Place],
        access: Access,
        lock: DiscussionLock,
        find_new_key: Callable[[], bytes | None],
    ) -> None:
        self.ref = ref
        self._places = places
        self._access = access
        self._lock = lock
        self._find_new_key = find_new_key
        self._is_tidy = False

    def report(self, artefact: Artefact) -> FileReport:
        """One file as it is now; the vector database is looked at from outside only and gets no ETag."""
        if artefact in LIST_ARTEFACTS:
            return self._read_list(artefact).report
        if artefact in OBJECT_ARTEFACTS:
            return self._read_object(artefact).report
        if artefact in TEXT_ARTEFACTS:
            return read_text_file(self._places[artefact], self._access).report
        return inspect_place(self._places[artefact])

    def reports(self) -> tuple[FileReport, ...]:
        """Every file, absent ones included, in the order of `Artefact`."""
        return tuple(self.report(artefact) for artefact in Artefact)

    def place(self, artefact: Artefact) -> Place:
        """Where a file lies or would be created."""
        return self._places[artefact]

    def read_memories(self) -> ListFile:
        """The ledger, oldest chunk first."""
        return self._read_list(Artefact.MEMORIES)

    def read_summary(self) -> ListFile:
        """The rolling summary: usually one entry."""
        return self._read_list(Artefact.SUMMARY)

    def read_compactor_old(self) -> ListFile:
        """The compactor's old part: its text, then the boundary."""
        return self._read_list(Artefact.COMPACTOR_OLD)

    def read_compactor_oldest(self) -> ListFile:
        """The compactor's oldest part."""
        return self._read_list(Artefact.COMPACTOR_OLDEST)

    def read_condensation_tracker(self) -> ObjectFile:
        """The tracker; `lastCondensationHash` names the last condensed chunk."""
        return self._read_object(Artefact.CONDENSATION_TRACKER)

    def read_timestamps(self) -> ObjectFile:
        """Times by message hash, as stored."""
        return self._read_object(Artefact.TIMESTAMPS)

    def read_vision_responses(self) -> ObjectFile:
        """Picture descriptions by hash."""
        return self._read_object(Artefact.VISION_RESPONSES)

    def read_state_document(self) -> TextFile:
        """The state document."""
        return read_text_file(self._places[Artefact.STATE_DOCUMENT], self._access)

    def read_state_document_backup(self) -> TextFile:
        """The state document before its last change."""
        return read_text_file(self._places[Artefact.STATE_DOCUMENT_BACKUP], self._access)

    def raw_bytes(self, artefact: Artefact) -> bytes:
        """The bytes on disk, cut at the limit; empty when absent or unreadable."""
        place = self._places[artefact]
        if inspect_place(place).state is not FileState.PRESENT:
            return b""
        with contextlib.suppress(OSError), place.path.open("rb") as stream:
            return stream.read(self._access.limit_bytes)
        return b""

    def read_past(self, artefact: Artefact, data: bytes | None) -> PastContent:
        """What bytes that a file once held say, opened with the keys at hand; None stands for no file."""
        return read_past(artefact, data, self._access.keys)

    def vector_path(self) -> Path:
        """The vector database's real path, whether or not it exists.

        Raises FileUnreadableError if it is reached through a link that leads out of the folder.
        """
        place = self._places[Artefact.VECTOR_MEMORY]
        with contextlib.suppress(OSError, RuntimeError):
            if is_inside(place.root, place.path):
                return place.path.resolve()
        raise FileUnreadableError(
            f"{place.path.name} is reached through a link that leads out of the folder. Put the database itself there.",
            file=place.path.name,
        )

    def version(self) -> str:
        """A text that changes whenever any file of the discussion does; no file is opened."""
        seen = [(place.artefact.value, str(place.path), inspect_place(place)) for place in self._places.values()]
        facts = [(name, path, report.state.value, report.stat) for name, path, report in seen]
        return hashlib.sha256(repr(facts).encode("utf-8", "backslashreplace")).hexdigest()[:32]

    def recording_rows(self, before: RowState) -> AbstractContextManager[RowRecord]:
        """Keep rows of the vector database before they are changed inside the block; hold the lock around it."""
        return self._access.journal.recording_rows(before)

    def has_lock_file(self) -> bool:
        """Whether this console has ever held the lock, so that holding it again creates no file."""
        return self._lock.path.exists()

    @contextlib.contextmanager
    def lock(self, timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS) -> Iterator[None]:
        """Hold the discussion's lock for several reads and writes; raises DiscussionBusyError.

        The first time, temp files of killed writers are removed: nobody else can be writing now.
        """
        with self._lock.hold(timeout_seconds):
            if not self._is_tidy:
                delete_stale_temps(self._written_paths())
                self._is_tidy = True
            yield

    def processing(self, timeout_seconds: float) -> AbstractContextManager[None]:
        """Be the only run that generates memories here; writes of others stay possible. Raises DiscussionBusyError."""
        holder = f"Another run that generates memories for the discussion {self.ref.discussion_id!r}"
        path = self._lock.path.with_suffix(".run.lock")
        return hold_lock(path, timeout_seconds=timeout_seconds, holder=holder)

    def write_memories(self, entries: Sequence[Entry], *, expected_etag: str | None = None) -> str:
        """Replace the ledger, in the form it has; elements that could not be read are kept in a copy (W07)."""
        return self._write_list(Artefact.MEMORIES, entries, expected_etag)

    def write_summary(self, entries: Sequence[Entry], *, expected_etag: str | None = None) -> str:
        """Replace the rolling summary."""
        return self._write_list(Artefact.SUMMARY, entries, expected_etag)

    def write_compactor_old(self, entries: Sequence[Entry], *, expected_etag: str | None = None) -> str:
        """Replace the compactor's old part."""
        return self._write_list(Artefact.COMPACTOR_OLD, entries, expected_etag)

    def write_compactor_oldest(self, entries: Sequence[Entry], *, expected_etag: str | None = None) -> str:
        """Replace the compactor's oldest part."""
        return self._write_list(Artefact.COMPACTOR_OLDEST, entries, expected_etag)

    def write_condensation_tracker(self, chunk_hash: str, *, expected_etag: str | None = None) -> str:
        """Name the last condensed chunk."""
        return self._write_object(Artefact.CONDENSATION_TRACKER, {CONDENSATION_KEY: chunk_hash}, expected_etag)

    def write_timestamps(self, values: Mapping[str, str], *, expected_etag: str | None = None) -> str:
        """Replace all times."""
        return self._write_object(Artefact.TIMESTAMPS, values, expected_etag)

    def write_vision_responses(self, values: Mapping[str, str], *, expected_etag: str | None = None) -> str:
        """Replace all picture descriptions."""
        return self._write_object(Artefact.VISION_RESPONSES, values, expected_etag)

    def write_state_document(self, text: str, *, expected_etag: str | None = None) -> str:
        """Replace the state document; the version before goes into the backup first."""
        place, backup = self._places[Artefact.STATE_DOCUMENT], self._places[Artefact.STATE_DOCUMENT_BACKUP]
        return self._write(
            place, lambda access: write_text_file(place, access, text, backup=backup, expected_etag=expected_etag)
        )

    def delete_file(self, artefact: Artefact, *, expected_etag: str | None = None) -> None:
        """Remove a JSON or text file; absent is fine. WilmerAI treats an absent ledger unlike an empty one (F6)."""
        with self.lock():
            report = self.report(artefact)
            check_usable(report)
            if expected_etag is not None:
                check_version(report, expected_etag)
            if report.state is not FileState.ABSENT:
                path = report.path.resolve()
                with self._access.journal.recording(artefact, path.read_bytes(), None):
                    path.unlink(missing_ok=True)

    def restore_bytes(self, artefact: Artefact, data: bytes, *, expected_etag: str | None = None) -> str:
        """Put back the exact bytes of an earlier version, also over a damaged file; returns the ETag."""
        with self.lock():
            report = inspect_place(self._places[artefact])
            check_usable(report)
            path = report.path.resolve()
            before = None if report.state is FileState.ABSENT else path.read_bytes()
            with self._access.journal.recording(artefact, before, data):
                return write_atomic(path, data, expected_etag=expected_etag)

    def _read_list(self, artefact: Artefact) -> ListFile:
        return read_list_file(self._places[artefact], self._access)

    def _read_object(self, artefact: Artefact) -> ObjectFile:
        return read_object_file(self._places[artefact], self._access)

    def _write_list(self, artefact: Artefact, entries: Sequence[Entry], expected_etag: str | None) -> str:
        place = self._places[artefact]
        return self._write(place, lambda access: write_list_file(place, access, entries, expected_etag=expected_etag))

    def _write_object(self, artefact: Artefact, values: Mapping[str, Any], expected_etag: str | None) -> str:
        place = self._places[artefact]
        return self._write(place, lambda access: write_object_file(place, access, values, expected_etag=expected_etag))

    def _write(self, place: Place, write: Callable[[Access], T]) -> T:
        with self.lock():
            return write(replace(self._access, new_key=self._new_key(place)))

    def _written_paths(self) -> Iterator[Path]:
        """Where our writes go: the real files, and the copies kept of damaged ones."""
        for artefact in (*JSON_ARTEFACTS, *TEXT_ARTEFACTS):
            with contextlib.suppress(OSError, RuntimeError):
                path = self._places[artefact].path.resolve()
                yield from (path, path.with_name(f"{path.name}.damaged"))

    def _new_key(self, place: Place) -> bytes | None:
        """The key for a file that is no token yet: the one its neighbours have, else what settings say.

        A new file must not appear in plain text among encrypted ones whose key is missing.
        """
        contents = [read_content(self._places[name], self._access) for name in (*JSON_ARTEFACTS, *TEXT_ARTEFACTS)]
        opened = next((content.fernet_key for content in contents if content.fernet_key), None)
        new_key = opened or self._find_new_key()
        locked = next((content.report for content in contents if content.report.state is FileState.LOCKED), None)
        if locked and new_key is None and inspect_place(place).state is FileState.ABSENT:
            raise DiscussionLockedError(locked.problem or "The discussion is encrypted.", file=locked.path.name)
        return new_key
