"""The attempt log in the console's own database."""

from __future__ import annotations

from collections.abc import Sequence

from memory.engine.retries import FailedChunk
from memory.engine.triggers import WriterPath
from memory.models import FailedChunkNote, ProgressNote
from memory.services.notes import CondensedEntry
from memory.types import DiscussionRef

_CONDENSED = "condensed"


class DatabaseAttemptLog:
    """An attempt log that outlives the process (see `notes.AttemptLog`)."""

    def list_failed(self, ref: DiscussionRef) -> Sequence[FailedChunk]:
        """Failed chunks, oldest first."""
        rows = FailedChunkNote.objects.filter(discussion=ref.text).order_by("id")
        return [
            FailedChunk(
                row.first_hash, row.last_hash, row.message_count, row.attempts, row.messages_seen, row.raw_reply
            )
            for row in rows
        ]

    def save_failed(self, ref: DiscussionRef, chunk: FailedChunk) -> None:
        """Remember or replace."""
        FailedChunkNote.objects.update_or_create(
            discussion=ref.text,
            first_hash=chunk.first_hash,
            last_hash=chunk.last_hash,
            defaults={
                "message_count": chunk.message_count,
                "attempts": chunk.attempts,
                "messages_seen": chunk.messages_seen,
                "raw_reply": chunk.raw_reply,
            },
        )

    def delete_failed(self, ref: DiscussionRef, chunk: FailedChunk) -> None:
        """Forget."""
        FailedChunkNote.objects.filter(
            discussion=ref.text, first_hash=chunk.first_hash, last_hash=chunk.last_hash
        ).delete()

    def list_trail(self, ref: DiscussionRef, path: WriterPath) -> Sequence[str]:
        """The trail, empty if there is none."""
        return _read(ref, path.value)

    def save_trail(self, ref: DiscussionRef, path: WriterPath, hashes: Sequence[str]) -> None:
        """Replace the trail."""
        _write(ref, path.value, hashes)

    def find_condensed(self, ref: DiscussionRef) -> CondensedEntry | None:
        """The last condensed entry."""
        hashes = _read(ref, _CONDENSED)
        return CondensedEntry(*hashes) if len(hashes) == 2 else None

    def save_condensed(self, ref: DiscussionRef, entry: CondensedEntry) -> None:
        """Remember it."""
        _write(ref, _CONDENSED, [entry.hash, entry.text_hash])


def _read(ref: DiscussionRef, kind: str) -> tuple[str, ...]:
    note = ProgressNote.objects.filter(discussion=ref.text, kind=kind).first()
    return tuple(note.hashes) if note else ()


def _write(ref: DiscussionRef, kind: str, hashes: Sequence[str]) -> None:
    ProgressNote.objects.update_or_create(discussion=ref.text, kind=kind, defaults={"hashes": list(hashes)})
