"""Archives brought in: looked at first, then each discussion under its own or another id, or in the place of one."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from django.db import transaction

from memory.catalogue.refresh import refresh_discussions
from memory.engine.wording import format_count
from memory.journal.contents import keep_content
from memory.models import Revision, RevisionContent, Transcript, TranscriptMessage
from memory.queries.noticing import notice_writes
from memory.services.archives import MESSAGE_FIELDS, TRANSCRIPT_FIELDS
from memory.services.arrivals import check_free
from memory.services.audit import note
from memory.services.console_rows import delete_rows, folder_name
from memory.services.editing import explaining_disk_errors
from memory.services.permission import require_changes_allowed
from memory.services.trash import restore_trashed, trash_discussion
from memory.stores.archive_reading import Archive, ArchiveRefusedError, opening_archive
from memory.stores.archive_unpacking import check_places, unpack_files
from memory.stores.archive_writing import ArchivedDiscussion
from memory.stores.staging import DiscussionExistsError, building
from memory.stores.uploads import SOURCE, limit_parts
from memory.types import Artefact, DiscussionId, DiscussionRef
from memory.wiring import get_archive_limit, get_archive_uploads, get_discussion_folders, get_public_folder
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.errors import InvalidError, NotFoundError, WilmerError

T = TypeVar("T")
_BATCH = 500
GONE = "That archive is gone: it was imported, or brought in more than a day ago. Bring it in again."


@dataclass(frozen=True, slots=True)
class ImportItem:
    """One discussion of an archive, before it is decided about."""

    number: int
    ref: DiscussionRef
    files: int
    size_bytes: int
    messages: bool
    """Whether it has a transcript."""
    revisions: int
    problems: tuple[str, ...]
    """What could not be read when the archive was made."""
    obstacle: str
    """Why it cannot be imported under its own id; empty when it can."""
    exists: bool
    """The obstacle is a discussion of that id, which could be replaced."""


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What is in an archive."""

    made_at: str
    items: tuple[ImportItem, ...]


@dataclass(frozen=True, slots=True)
class ImportChoice:
    """What becomes of one discussion of an archive."""

    number: int
    new_id: str = ""
    """Empty: under its own id."""
    replaces: bool = False
    """Move a discussion of that id to the trash first."""


@dataclass(slots=True)
class Imported:
    """What came of an import."""

    refs: list[DiscussionRef] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    """Id and reason."""

    def describe(self) -> str:
        """In a sentence, for people."""
        done = f"{format_count(len(self.refs), 'discussion')} imported."
        reasons = " ".join(f"{name!r} was not: {reason}" for name, reason in self.refused[:3])
        return f"{done} {reasons}".strip()


def plan_import(path: Path) -> ImportPlan:
    """Look at an archive; raises ArchiveRefusedError with the reason."""
    with opening_archive(path) as archive:
        items = tuple(_look(number, item) for number, item in enumerate(archive.discussions))
        return ImportPlan(archive.made_at, items)


def import_archive(path: Path, choices: Sequence[ImportChoice], *, actor: str) -> Imported:
    """Import the discussions that were chosen; one that cannot be is told with the reason, the others are imported.

    Raises ArchiveRefusedError when the archive as a whole is refused, InvalidError for no choice, and RefusedError.
    """
    require_changes_allowed()
    with opening_archive(path) as archive:
        return _for_each(archive, choices, lambda choice: _import(archive, choice, actor=actor))


def try_import(path: Path, choices: Sequence[ImportChoice]) -> Imported:
    """What `import_archive` would do, as far as ids and the list of the archive tell; nothing is unpacked."""
    with opening_archive(path) as archive:
        taken: set[DiscussionRef] = set()
        return _for_each(archive, choices, lambda choice: _check_choice(archive, choice, taken))


def _for_each(
    archive: Archive, choices: Sequence[ImportChoice], take: Callable[[ImportChoice], DiscussionRef]
) -> Imported:
    if not choices:
        raise InvalidError("Choose at least one discussion of the archive.", field="choices")
    unknown = [choice.number for choice in choices if not 0 <= choice.number < len(archive.discussions)]
    if unknown:
        raise InvalidError(f"The archive has no discussion {unknown[0]}; nothing was imported.", field="choices")
    imported = Imported()
    for choice in choices:
        try:
            imported.refs.append(take(choice))
        except WilmerError as error:
            name = choice.new_id or DiscussionRef.parse(archive.discussions[choice.number].ref).discussion_id
            imported.refused.append((name, error.message))
    return imported


def _check_choice(archive: Archive, choice: ImportChoice, taken: set[DiscussionRef]) -> DiscussionRef:
    _, target = _name_of(archive, choice)
    is_there = get_discussion_folders().look(target) is not None
    if target in taken or not (choice.replaces and is_there):
        check_free(target)
    if target in taken:
        raise DiscussionExistsError(f"{target.discussion_id!r} is chosen twice.", discussion=target.text)
    taken.add(target)
    return target


def _name_of(archive: Archive, choice: ImportChoice) -> tuple[DiscussionRef, DiscussionRef]:
    """What a discussion was called, and what it shall be called."""
    old = DiscussionRef.parse(archive.discussions[choice.number].ref)
    return old, DiscussionRef(DiscussionId(choice.new_id or old.discussion_id), old.key_hash)


def _look(number: int, item: ArchivedDiscussion) -> ImportItem:
    ref = DiscussionRef.parse(item.ref)
    check_places(get_public_folder(), item, ref)
    obstacle, exists = "", False
    try:
        check_free(ref)
    except WilmerError as error:
        obstacle, exists = error.message, isinstance(error, DiscussionExistsError)
    return ImportItem(
        number=number,
        ref=ref,
        files=len(item.files),
        size_bytes=sum(file.size for file in item.files),
        messages=item.transcript is not None,
        revisions=item.revisions,
        problems=tuple(item.problems),
        obstacle=obstacle,
        exists=exists,
    )


def _import(archive: Archive, choice: ImportChoice, *, actor: str) -> DiscussionRef:
    item = archive.discussions[choice.number]
    old, target = _name_of(archive, choice)
    trashed = None
    if choice.replaces and get_discussion_folders().look(target) is not None:
        trashed = trash_discussion(target, actor=actor)
    try:
        check_free(target)
        _put(archive, choice.number, item, (old, target))
    except BaseException:
        if trashed is not None:
            restore_trashed(trashed.name, actor=actor)
        raise
    refresh_discussions([target])
    notice_writes(target, {})
    note(actor, "discussion-imported", target.text, files=len(item.files), revisions=item.revisions)
    return target


def _put(archive: Archive, number: int, item: ArchivedDiscussion, names: tuple[DiscussionRef, DiscussionRef]) -> None:
    """Files, transcript and history, all or nothing."""
    folder, target = get_public_folder(), names[1]
    with explaining_disk_errors("The archive"), building(folder, target) as staging, transaction.atomic():
        unpack_files(archive, item, staging, names)
        delete_rows(target.text)
        if item.transcript is not None:
            _put_transcript(archive, number, item.transcript, target)
        _put_history(archive, number, item, target)
        staging.commit()


def _put_transcript(archive: Archive, number: int, facts: dict[str, Any], target: DiscussionRef) -> None:
    values = _checked("transcript", lambda: {name: _field(Transcript, name, facts[name]) for name in TRANSCRIPT_FIELDS})
    row = Transcript.objects.create(folder=folder_name(), discussion=target.text, **values)
    lines = archive.read_lines(number, "transcript.jsonl")
    count = 0
    while batch := list(islice(lines, _BATCH)):
        made = _checked("transcript", partial(_messages, row, batch))
        TranscriptMessage.objects.bulk_create(made)
        count += len(made)
    Transcript.objects.filter(pk=row.pk).update(message_count=count)


def _messages(row: Transcript, lines: Sequence[dict[str, Any]]) -> list[TranscriptMessage]:
    return [_message(row, line) for line in lines]


def _message(row: Transcript, line: dict[str, Any]) -> TranscriptMessage:
    values = {name: _field(TranscriptMessage, name, line[name]) for name in MESSAGE_FIELDS}
    if not isinstance(values["images"], list) or not isinstance(values["number"], int):
        raise ValueError
    return TranscriptMessage(transcript=row, **values)


def _put_history(archive: Archive, number: int, item: ArchivedDiscussion, target: DiscussionRef) -> None:
    for digest in item.contents:
        keep_content(archive.read_content(number, digest))
    known = set(item.contents)
    lines = archive.read_lines(number, "history.jsonl")
    while batch := list(islice(lines, _BATCH)):
        made = _checked("history", partial(_revisions, batch, target, known))
        Revision.objects.bulk_create(made)


def _revisions(lines: Sequence[dict[str, Any]], target: DiscussionRef, known: set[str]) -> list[Revision]:
    return [_revision(line, target, known) for line in lines]


def _revision(line: dict[str, Any], target: DiscussionRef, known: set[str]) -> Revision:
    moment = datetime.fromisoformat(line["created_at"])
    if moment.tzinfo is None or line["origin"] not in Revision.Origin.values:
        raise ValueError
    return Revision(
        folder=folder_name(),
        discussion=target.text,
        artefact=Artefact(line["artefact"]).value,
        created_at=moment,
        actor=str(line["actor"]),
        origin=line["origin"],
        action=str(line["action"]),
        batch=uuid.UUID(line["batch"]),
        before_id=_content_id(line["before_id"], known),
        after_id=_content_id(line["after_id"], known),
        undoes=uuid.UUID(line["undoes"]) if line["undoes"] else None,
        state=Revision.State.DONE,
    )


def _content_id(digest: Any, known: set[str]) -> str | None:
    """The content of that digest; one that was dropped where it came from is noted as dropped here too."""
    if digest is None:
        return None
    if digest in known:
        return str(digest)
    if not (isinstance(digest, str) and len(digest) == 64 and digest.isascii()):
        raise ValueError
    RevisionContent.objects.get_or_create(pk=digest, defaults={"data": b"", "size_bytes": 0, "stored_bytes": 0})
    return str(digest)


def _field(model: type[Any], name: str, value: Any) -> Any:
    kind = model._meta.get_field(name).get_internal_type()
    if kind == "DateTimeField":
        if value is None and not model._meta.get_field(name).null:
            return utc_now()
        return None if value is None else datetime.fromisoformat(value)
    return value if kind in {"JSONField", "IntegerField"} else str(value)


def _checked(what: str, build: Callable[[], T]) -> T:
    try:
        return build()
    except (KeyError, TypeError, ValueError, AttributeError):
        raise ArchiveRefusedError(f"This archive is not imported. Its {what} has a line that makes no sense.") from None


def keep_archive(parts: Iterable[bytes], *, name: str, actor: str) -> str:
    """Keep an archive that comes in, for a day at most; returns the id it is found by.

    Raises RefusedError, or FileTooLargeError beyond WILMER_MAX_ARCHIVE_MB.
    """
    require_changes_allowed()
    with explaining_disk_errors("The archive"):
        upload = get_archive_uploads().create(limit_parts(parts, get_archive_limit()))
    upload.write_notes("archive", {"name": name[:200], "actor": actor})
    return upload.id


def plan_or_forget(upload_id: str) -> ImportPlan:
    """What is in an archive that came in; one that is refused is deleted. Raises ArchiveRefusedError."""
    try:
        return plan_import(get_archive(upload_id)[0])
    except ArchiveRefusedError:
        forget_archive(upload_id)
        raise


def get_archive(upload_id: str) -> tuple[Path, str]:
    """An archive that came in, and what it was called; raises ArchiveNotFoundError."""
    found = find_archive(upload_id)
    if found is None:
        raise ArchiveNotFoundError(GONE)
    return found


def find_archive(upload_id: str) -> tuple[Path, str] | None:
    """The same; None when it is gone."""
    upload = get_archive_uploads().find(upload_id)
    return (upload.folder / SOURCE, str(upload.read_notes("archive").get("name", "archive"))) if upload else None


def forget_archive(upload_id: str) -> bool:
    """Delete an archive that came in; returns whether there was one."""
    upload = get_archive_uploads().find(upload_id)
    if upload is not None:
        upload.delete()
    return upload is not None


class ArchiveNotFoundError(NotFoundError):
    """No archive of that id waits to be decided about."""

    code = "archive-not-found"


def find_problem(upload_id: str) -> tuple[ImportPlan | None, str]:
    """What is in an archive that came in, or why it is refused. Raises ArchiveNotFoundError."""
    try:
        return plan_import(get_archive(upload_id)[0]), ""
    except ArchiveRefusedError as error:
        return None, error.message
