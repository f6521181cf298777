"""Noting which messages each chunk was made from, so that a later change of the chat can be told."""

from __future__ import annotations

from collections.abc import Sequence

from memory.engine.coverage import Covered, Notes
from memory.engine.triggers import WriterPath
from memory.models import CoverageNote
from memory.queries.coverage import find_coverage, list_message_hashes, list_notes
from memory.queries.transcripts import find_transcript, folder_key, storable
from memory.results import ApiKeys
from memory.types import DiscussionRef


def note_coverage(ref: DiscussionRef, keys: ApiKeys) -> int:
    """Note what lies under every chunk that has no note yet, as the chat stands now; returns how many were noted.

    Call it when a chat was imported. Chunks that our own runs make are noted by them. Raises DiscussionNotFoundError.
    """
    transcript, coverage = find_transcript(ref), find_coverage(ref, keys)
    if transcript is None or coverage is None:
        return 0
    hashes, variant = list_message_hashes(transcript.id), transcript.variant.code
    return sum(
        _note(ref, path, variant, _list_new(covered, hashes, list_notes(ref, path, variant)))
        for path, covered in ((WriterPath.FILE, coverage.chunks), (WriterPath.VECTOR, coverage.log))
    )


def _list_new(covered: Sequence[Covered], hashes: Sequence[str], known: Notes) -> dict[str, list[str]]:
    return {
        chunk.hash: [value for value in hashes[chunk.first - 1 : chunk.last] if value]
        for chunk in covered
        if chunk.first is not None and chunk.hash not in known and not chunk.troubles
    }


def _note(ref: DiscussionRef, path: WriterPath, variant: str, found: dict[str, list[str]]) -> int:
    key = {"folder": folder_key(), "discussion": storable(ref.text), "path": path.value}
    rows = [CoverageNote(**key, chunk_hash=value, variant=variant, hashes=seen) for value, seen in found.items()]
    CoverageNote.objects.bulk_create(rows, ignore_conflicts=True, batch_size=200)
    return len(rows)
