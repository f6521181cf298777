"""Discussions as a ZIP: files byte for byte, databases as they are at one moment, transcript and history."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from memory.journal.contents import ContentDroppedError, read_bytes
from memory.models import Revision, RevisionContent, Transcript, TranscriptMessage
from memory.queries.undo_plans import list_revisions
from memory.services.console_rows import folder_name
from memory.stores.archive_reading import entry_name
from memory.stores.archive_writing import ArchivedDiscussion, ArchiveWriter
from memory.stores.belongings import Belonging, list_belongings, list_roots
from memory.types import DiscussionRef
from memory.wiring import get_public_folder, open_discussion
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.errors import InvalidError

_BATCH = 500
_BESIDE_DATABASE = ("-journal", "-wal", "-shm")
MESSAGE_FIELDS = ("number", "role", "name", "content", "images", "sent_at", "hash")
TRANSCRIPT_FIELDS = (
    "title",
    "format",
    "source_name",
    "source_digest",
    "variant",
    "created_at",
    "updated_at",
    "imported_by",
)
REVISION_FIELDS = ("artefact", "created_at", "actor", "origin", "action", "batch", "before_id", "after_id", "undoes")


@dataclass(frozen=True, slots=True)
class ArchiveOrder:
    """What goes into an archive."""

    refs: tuple[DiscussionRef, ...]
    with_history: bool = True
    with_transcripts: bool = True


def name_archive(order: ArchiveOrder) -> str:
    """A name for the file, of plain characters only."""
    moment = f"{utc_now():%Y-%m-%d-%H%M}"
    if len(order.refs) != 1:
        return f"wilmer-memory-{len(order.refs)}-discussions-{moment}.zip"
    plain = "".join(
        mark if mark.isascii() and (mark.isalnum() or mark in "-_") else "_" for mark in order.refs[0].discussion_id
    )
    return f"wilmer-memory-{plain[:60]}-{moment}.zip"


def export_archive(order: ArchiveOrder) -> Iterator[bytes]:
    """The ZIP in parts; nothing is read before the first one is asked for.

    Raises DiscussionNotFoundError at once for a discussion that is not there, InvalidError for none.
    """
    check_order(order)
    return _write(order)


def check_order(order: ArchiveOrder) -> None:
    """Raises DiscussionNotFoundError for a discussion that is not there, InvalidError for none."""
    if not order.refs:
        raise InvalidError("Choose at least one discussion.", field="ref")
    for ref in order.refs:
        open_discussion(ref)
        list_belongings(get_public_folder(), ref)


def _write(order: ArchiveOrder) -> Iterator[bytes]:
    now = utc_now()
    writer = ArchiveWriter((now.year, now.month, now.day, now.hour, now.minute, now.second))
    discussions: list[ArchivedDiscussion] = []
    for number, ref in enumerate(dict.fromkeys(order.refs)):
        discussion = ArchivedDiscussion(ref.text)
        discussions.append(discussion)
        yield from _write_files(writer, number, ref, discussion)
        if order.with_transcripts:
            yield from _write_transcript(writer, number, ref, discussion)
        if order.with_history:
            yield from _write_history(writer, number, ref, discussion)
    yield from writer.finish(discussions, now.isoformat())


def _write_files(
    writer: ArchiveWriter, number: int, ref: DiscussionRef, discussion: ArchivedDiscussion
) -> Iterator[bytes]:
    roots = list_roots(get_public_folder())
    for position, item in enumerate(list_belongings(get_public_folder(), ref)):
        if _is_of_sqlite(item):
            continue  # What it holds is in the copy of the database.
        name = entry_name(number, f"files/{position}")
        yield from writer.add_file(item, name, item.relative_to(roots[item.root]), discussion)


def _is_of_sqlite(item: Belonging) -> bool:
    return item.artefact is None and PurePosixPath(item.path.name).name.endswith(_BESIDE_DATABASE)


def _write_transcript(
    writer: ArchiveWriter, number: int, ref: DiscussionRef, discussion: ArchivedDiscussion
) -> Iterator[bytes]:
    row = Transcript.objects.filter(folder=folder_name(), discussion=ref.text).first()
    if row is None:
        return
    discussion.transcript = {name: _plain(getattr(row, name)) for name in TRANSCRIPT_FIELDS}
    messages = TranscriptMessage.objects.filter(transcript=row).order_by("number").values(*MESSAGE_FIELDS)
    yield from writer.add(entry_name(number, "transcript.jsonl"), map(_line, messages.iterator(_BATCH)))


def _write_history(
    writer: ArchiveWriter, number: int, ref: DiscussionRef, discussion: ArchivedDiscussion
) -> Iterator[bytes]:
    rows = list_revisions(ref).filter(state=Revision.State.DONE).order_by("id")
    discussion.revisions = rows.count()
    if not discussion.revisions:
        return
    # Exactly as many lines as were counted, though somebody may be writing.
    chosen = rows.values(*REVISION_FIELDS)[: discussion.revisions]
    yield from writer.add(entry_name(number, "history.jsonl"), map(_line, chosen.iterator(_BATCH)))
    for digest in _list_digests(list(chosen.values_list("before_id", "after_id"))):
        data = _read_content(digest)
        if data is not None:
            discussion.contents.append(digest)
            yield from writer.add(entry_name(number, f"contents/{digest}"), [data])


def _list_digests(pairs: Sequence[tuple[str | None, str | None]]) -> list[str]:
    return list(dict.fromkeys(digest for pair in pairs for digest in pair if digest))


def _read_content(digest: str) -> bytes | None:
    """None for one that was dropped."""
    try:
        return read_bytes(RevisionContent.objects.filter(pk=digest).first())
    except ContentDroppedError:
        return None


def _line(values: dict[str, Any]) -> bytes:
    return json.dumps({name: _plain(value) for name, value in values.items()}).encode() + b"\n"


def _plain(value: Any) -> Any:
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return value if value is None or isinstance(value, str | int | list | dict) else str(value)
