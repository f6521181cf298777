"""From a file that was brought in to transcripts: kept, read, looked at, imported. Large files are a worker's."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from memory import wiring
from memory.engine.transcript_changes import ImportOutcome
from memory.engine.transcript_files import FileContents, FoundConversation
from memory.results import ApiKeys
from memory.services.permission import require_changes_allowed
from memory.services.transcripts import ImportChoices, ImportFacts, ImportResult, import_transcript, parse_variant
from memory.services.transcripts_reading import find_contents, read_upload
from memory.stores.uploads import Upload
from memory.types import DiscussionRef
from memory.wiring import get_uploads
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.errors import InvalidError, NotFoundError, TooLargeError, WilmerError

__all__ = ["Upload"]

SMALL_BYTES = 4 * 1024 * 1024
"""A file of at most so many bytes is read while the person waits."""

SMALL_MESSAGES = 3_000
"""So many messages are imported while the person waits."""

MAX_UPLOAD_BYTES = 2 * 1024**3
TELL_SECONDS = 0.7
STALE_SECONDS = 60
"""A worker that has said nothing for so long has died."""

NO_CHAT = "No chat was found in this file."

FILE, PROGRESS, CHOSEN = "file", "progress", "chosen"


class Phase(StrEnum):
    """How far an upload has got."""

    WAITING = "waiting"
    READING = "reading"
    READ = "read"
    QUEUED = "queued"
    IMPORTING = "importing"
    IMPORTED = "imported"
    FAILED = "failed"


RUNNING = frozenset({Phase.WAITING, Phase.READING, Phase.QUEUED, Phase.IMPORTING})


@dataclass(frozen=True, slots=True)
class Progress:
    """What is being done with an upload."""

    phase: Phase
    done: int = 0
    total: int = 0
    text: str = ""
    """What it is, or why it failed."""
    at: float = 0.0

    @property
    def is_stale(self) -> bool:
        """Whether whoever worked on it seems to have died."""
        return self.phase in RUNNING and utc_now().timestamp() - self.at > STALE_SECONDS


@dataclass(frozen=True, slots=True)
class ChosenConversation:
    """What a person decided about one conversation of a file."""

    number: int
    discussion: str
    """`DiscussionRef.text`."""
    variant: str = ""
    """Empty: the one that matches best."""
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class ImportedConversation:
    """What became of it."""

    number: int
    discussion: str
    outcome: str = ""
    """Of `ImportOutcome`; empty when it was refused."""
    added: int = 0
    removed: int = 0
    total: int = 0
    problem: str = ""


def receive_upload(
    ref: DiscussionRef, name: str, parts: Iterable[bytes], *, actor: str, is_dry_run: bool = False
) -> Upload:
    """Keep a file for a discussion. Raises InvalidError when empty, TooLargeError, and RefusedError when read-only.

    A dry run forgets the file at once and changes nothing, so it is allowed then too.
    """
    if not is_dry_run:
        require_changes_allowed()
    upload = get_uploads().create(_limited(parts))
    if not upload.size_bytes:
        upload.delete()
        raise InvalidError("The file is empty. Choose another one, or paste the chat.", field="file")
    facts = upload.read_notes(FILE)
    upload.write_notes(FILE, {**facts, "name": name[:200], "discussion": ref.text, "actor": actor})
    _tell(upload, Phase.WAITING)
    return upload


def find_upload(ref: DiscussionRef, upload_id: str) -> Upload | None:
    """A file that was brought in for this discussion and not decided about yet; None when it is gone."""
    upload = get_uploads().find(upload_id)
    return upload if upload and upload.read_notes(FILE).get("discussion") == ref.text else None


def get_progress(upload: Upload) -> Progress:
    """What is being done with it."""
    notes = upload.read_notes(PROGRESS)
    return Progress(**{**notes, "phase": Phase(notes["phase"])}) if notes else Progress(Phase.WAITING)


def is_read_only() -> bool:
    """Whether nothing may be imported."""
    return wiring.is_read_only()


def is_small(upload: Upload) -> bool:
    """Whether a file is read at once."""
    return upload.size_bytes <= SMALL_BYTES


def read_file(upload: Upload) -> FileContents:
    """Read a file and note what was found; how far it has got is told on the way."""
    total = upload.size_bytes
    teller = _Teller(upload, Phase.READING, total)
    teller.tell(0, "Reading the file")
    contents = read_upload(upload, lambda done, found: teller.tell(done, f"{found:,} messages found"))
    _tell(upload, Phase.READ, text="" if contents.conversations else NO_CHAT)
    return contents


def get_contents(upload: Upload) -> FileContents:
    """What was found in a file; raises NotFoundError while it was not read."""
    contents = find_contents(upload)
    if contents is None:
        raise NotFoundError("This file was not read yet. Wait until it is.")
    return contents


def choose_conversations(upload: Upload, chosen: Sequence[ChosenConversation]) -> int:
    """Note down what shall be imported; returns how many messages that are.

    Raises RefusedError when read-only, InvalidError for nothing, for an unknown conversation or hash form, and for two
    that go to one discussion.
    """
    require_changes_allowed()
    contents = get_contents(upload)
    if not chosen:
        raise InvalidError("Choose at least one conversation and the discussion it belongs to.", field="conversation")
    places = [one.discussion for one in chosen]
    if len(set(places)) < len(places):
        raise InvalidError("Two conversations cannot go to the same discussion.", field="discussion")
    for one in chosen:
        if one.variant:
            parse_variant(one.variant)
    count = sum(find_conversation(contents, one.number).count for one in chosen)
    upload.write_notes(CHOSEN, {"items": [asdict(one) for one in chosen]})
    _tell(upload, Phase.QUEUED, 0, count)
    return count


def find_conversation(contents: FileContents, number: int) -> FoundConversation:
    """One conversation; raises InvalidError for a number that none has."""
    if not 1 <= number <= len(contents.conversations):
        raise InvalidError(f"The file has no conversation {number}.", field="conversation")
    return contents.conversations[number - 1]


def import_chosen(upload: Upload, keys: ApiKeys | None = None) -> tuple[ImportedConversation, ...]:
    """Import what was chosen. One that is refused is told of and does not keep the others back."""
    contents = get_contents(upload)
    chosen = [ChosenConversation(**item) for item in upload.read_notes(CHOSEN).get("items", [])]
    total = sum(find_conversation(contents, one.number).count for one in chosen)
    results: list[ImportedConversation] = []
    base = 0
    for one in chosen:
        results.append(_import_one(upload, contents, one, keys or {}, (base, total)))
        base += find_conversation(contents, one.number).count
    upload.write_notes("results", {"items": [asdict(result) for result in results]})
    _tell(upload, Phase.IMPORTED, total, total)
    return tuple(results)


def list_results(upload: Upload) -> tuple[ImportedConversation, ...]:
    """What became of what was chosen."""
    return tuple(ImportedConversation(**item) for item in upload.read_notes("results").get("items", []))


def work_on_upload(upload_id: str) -> None:
    """What a worker does with an upload: read it, or import what was chosen; nothing when it is gone or done."""
    upload = get_uploads().find(upload_id)
    if upload is None:
        return
    try:
        if get_progress(upload).phase in {Phase.QUEUED, Phase.IMPORTING}:
            import_chosen(upload)
        elif find_contents(upload) is None:
            read_file(upload)
    except Exception as error:
        told = error.message if isinstance(error, WilmerError) else "The console failed at this file; see its log."
        _tell(upload, Phase.FAILED, text=told)
        raise


def discard_upload(upload: Upload) -> None:
    """Forget a file without importing anything. Raises RefusedError when read-only."""
    require_changes_allowed()
    upload.delete()


def get_facts(upload: Upload, contents: FileContents, number: int) -> ImportFacts:
    """Where a conversation comes from."""
    notes: Mapping[str, Any] = upload.read_notes(FILE)
    title = find_conversation(contents, number).title
    return ImportFacts(contents.format, notes.get("name", ""), notes["digest"], title, notes.get("actor", ""))


def _import_one(
    upload: Upload, contents: FileContents, one: ChosenConversation, keys: ApiKeys, place: tuple[int, int]
) -> ImportedConversation:
    base, total = place
    teller = _Teller(upload, Phase.IMPORTING, total)
    choices = ImportChoices(parse_variant(one.variant) if one.variant else None, one.replaces, keys)
    try:
        result: ImportResult = import_transcript(
            DiscussionRef.parse(one.discussion),
            upload.conversation(one.number),
            get_facts(upload, contents, one.number),
            choices,
            report=lambda done: teller.tell(base + done, f"{base + done:,} messages stored"),
        )
    except WilmerError as error:
        return ImportedConversation(one.number, one.discussion, problem=error.message)
    added = 0 if result.outcome is ImportOutcome.SAME else result.added
    return ImportedConversation(one.number, one.discussion, result.outcome.value, added, result.removed, result.total)


def _limited(parts: Iterable[bytes]) -> Iterable[bytes]:
    size = 0
    for part in parts:
        size += len(part)
        if size > MAX_UPLOAD_BYTES:
            raise TooLargeError(f"The file has more than {MAX_UPLOAD_BYTES:,} bytes; split it.", field="file")
        yield part


class _Teller:
    """Tells how far something has got, now and then: each note is a write to the disk."""

    def __init__(self, upload: Upload, phase: Phase, total: int) -> None:
        self._upload, self._phase, self._total = upload, phase, total
        self._next = 0.0

    def tell(self, done: int, text: str) -> None:
        """Note it unless that was done a moment ago."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + TELL_SECONDS
            _tell(self._upload, self._phase, done, self._total, text)


def _tell(upload: Upload, phase: Phase, done: int = 0, total: int = 0, text: str = "") -> None:
    upload.write_notes(PROGRESS, asdict(Progress(phase, done, total, text, utc_now().timestamp())))
