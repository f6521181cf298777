"""The chat of a discussion beside its memory: which messages are remembered where, and what no longer fits."""

from __future__ import annotations

from memory.engine.chunk_facts import condensed_count, count_behind, covered_count
from memory.engine.coverage import Chat, Coverage, Notes, Remembered, build_coverage
from memory.engine.triggers import WriterPath
from memory.models import CoverageNote, TranscriptMessage
from memory.queries.transcripts import find_transcript, folder_key, storable
from memory.results import ApiKeys
from memory.stores.discussion_files import CONDENSATION_KEY, DiscussionFiles
from memory.stores.readings import recall_list, recall_object
from memory.stores.vector_db import VectorDatabase
from memory.types import Artefact, DiscussionRef
from memory.wiring import get_memory_settings, open_discussion
from wilmer_site.lib.errors import WilmerError

LOG_LIMIT = 100_000
"""How many rows of the hash log are laid beside the chat."""


def get_coverage(ref: DiscussionRef, keys: ApiKeys) -> Coverage | None:
    """Everything the pages about coverage show; None without a transcript. Raises DiscussionNotFoundError.

    Files that are locked or damaged count as empty; their own pages say so.
    """
    discussion = open_discussion(ref, keys)
    transcript = find_transcript(ref)
    if transcript is None:
        return None
    chat = Chat(list_message_hashes(transcript.id), _lookback())
    variant = transcript.variant.code
    return build_coverage(
        chat,
        _remembered(discussion),
        list_notes(ref, WriterPath.FILE, variant),
        list_notes(ref, WriterPath.VECTOR, variant),
    )


def list_message_hashes(transcript_id: int) -> list[str]:
    """The identities of all messages of a transcript, in order; empty for what memory never sees."""
    rows = TranscriptMessage.objects.filter(transcript_id=transcript_id).order_by("number")
    return list(rows.values_list("hash", flat=True))


def list_notes(ref: DiscussionRef, path: WriterPath, variant: str) -> Notes:
    """Which messages chunks were made from, as noted in this form of the messages or by our own memory runs."""
    rows = CoverageNote.objects.filter(
        folder=folder_key(), discussion=storable(ref.text), path=path.value, variant__in=["", variant]
    )
    return dict(rows.values_list("chunk_hash", "hashes"))


def _remembered(discussion: DiscussionFiles) -> Remembered:
    ledger = recall_list(discussion, Artefact.MEMORIES).entries
    summary = recall_list(discussion, Artefact.SUMMARY).entries
    tracker = recall_object(discussion, Artefact.CONDENSATION_TRACKER).values.get(CONDENSATION_KEY)
    behind = count_behind(summary, ledger)
    return Remembered(
        ledger=ledger,
        condensed=condensed_count(str(tracker or ""), ledger),
        log=_list_log(discussion),
        summary_chunks=covered_count(summary, ledger),
        summary_behind=None if behind < 0 or not summary else behind,
    )


def _list_log(discussion: DiscussionFiles) -> tuple[tuple[int, str], ...]:
    """Rows of the hash log, oldest first; the first-generation tracker counts as row 0."""
    try:
        rows = VectorDatabase(discussion.vector_path(), discussion.ref.discussion_id).list_progress(LOG_LIMIT)
    except WilmerError:
        return ()
    return tuple((row.row_id or 0, row.message_hash) for row in reversed(rows))


def _lookback() -> int:
    try:
        return max(0, get_memory_settings().file_thresholds.lookback)
    except WilmerError:
        return 0
