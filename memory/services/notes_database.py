"""The attempt log in the console's own database."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from memory.engine.retries import FailedChunk
from memory.engine.triggers import WriterPath
from memory.models import CoverageNote, FailedChunkNote, ProgressNote
from memory.services.notes import CondensedEntry
from memory.types import DiscussionRef

_CONDENSED = "condensed"
_BEGINNING = "beginning"
_UNMERGED = "unmerged"


class DatabaseAttemptLog:
    """An attempt log that outlives the process (see `notes.AttemptLog`), for the discussions below one root."""

    def __init__(self, discussions_root: Path) -> None:
        self._folder = _storable(str(discussions_root))

    def list_failed(self, ref: DiscussionRef) -> Sequence[FailedChunk]:
        """Failed chunks, oldest first."""
        rows = FailedChunkNote.objects.filter(**self._key(ref)).order_by("id")
        return [
            FailedChunk(
                row.first_hash, row.last_hash, row.message_count, row.attempts, row.messages_seen, row.raw_reply
            )
            for row in rows
        ]

    def save_failed(self, ref: DiscussionRef, chunk: FailedChunk) -> None:
        """Remember or replace."""
        FailedChunkNote.objects.update_or_create(
            **self._key(ref),
            first_hash=chunk.first_hash,
            last_hash=chunk.last_hash,
            defaults={
                "message_count": chunk.message_count,
                "attempts": chunk.attempts,
                "messages_seen": chunk.messages_seen,
                "raw_reply": _storable(chunk.raw_reply),
            },
        )

    def delete_failed(self, ref: DiscussionRef, chunk: FailedChunk) -> None:
        """Forget."""
        FailedChunkNote.objects.filter(
            **self._key(ref), first_hash=chunk.first_hash, last_hash=chunk.last_hash
        ).delete()

    def list_trail(self, ref: DiscussionRef, path: WriterPath) -> Sequence[str]:
        """The trail, empty if there is none."""
        return self._read(ref, path.value)

    def save_trail(self, ref: DiscussionRef, path: WriterPath, hashes: Sequence[str]) -> None:
        """Replace the trail."""
        self._write(ref, path.value, hashes)

    def save_covered(self, ref: DiscussionRef, path: WriterPath, chunk_hash: str, hashes: Sequence[str]) -> None:
        """Remember them."""
        CoverageNote.objects.update_or_create(
            **self._key(ref), path=path.value, chunk_hash=chunk_hash, defaults={"hashes": list(hashes), "variant": ""}
        )

    def find_condensed(self, ref: DiscussionRef) -> CondensedEntry | None:
        """The last condensed entry."""
        hashes = self._read(ref, _CONDENSED)
        return CondensedEntry(*hashes) if len(hashes) == 2 else None

    def save_condensed(self, ref: DiscussionRef, entry: CondensedEntry) -> None:
        """Remember it."""
        self._write(ref, _CONDENSED, [entry.hash, entry.text_hash])

    def find_beginning(self, ref: DiscussionRef) -> str:
        """The hash it will end with."""
        return next(iter(self._read(ref, _BEGINNING)), "")

    def save_beginning(self, ref: DiscussionRef, chunk_hash: str) -> None:
        """Remember it; nothing is written where nothing is remembered."""
        if chunk_hash or self._read(ref, _BEGINNING):
            self._write(ref, _BEGINNING, [chunk_hash] if chunk_hash else [])

    def list_unmerged(self, ref: DiscussionRef) -> Sequence[int]:
        """The ids, empty when none are on their way."""
        return tuple(map(int, self._read(ref, _UNMERGED)))

    def save_unmerged(self, ref: DiscussionRef, memory_ids: Sequence[int]) -> None:
        """Replace them."""
        self._write(ref, _UNMERGED, list(map(str, memory_ids)))

    def _read(self, ref: DiscussionRef, kind: str) -> tuple[str, ...]:
        note = ProgressNote.objects.filter(**self._key(ref), kind=kind).first()
        return tuple(note.hashes) if note else ()

    def _write(self, ref: DiscussionRef, kind: str, hashes: Sequence[str]) -> None:
        ProgressNote.objects.update_or_create(**self._key(ref), kind=kind, defaults={"hashes": list(hashes)})

    def _key(self, ref: DiscussionRef) -> dict[str, Any]:
        return {"folder": self._folder, "discussion": _storable(ref.text)}


def _storable(text: str) -> str:
    """The text without what a database refuses: halves of surrogate pairs and NUL, both shown as escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\x00", "\\x00")
