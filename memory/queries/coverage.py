"""The chat of a discussion beside its memory: which messages are remembered where, and what no longer fits."""

from __future__ import annotations

from collections import OrderedDict

from memory.engine.chunk_facts import condensed_count, count_behind, covered_count
from memory.engine.coverage import Chat, Coverage, Covered, Notes, Remembered, Trouble, build_coverage
from memory.engine.transcripts import TranscriptCard
from memory.engine.triggers import WriterPath
from memory.errors import ChunkNotFoundError
from memory.models import CoverageNote, TranscriptMessage
from memory.queries.transcripts import find_transcript, folder_key, no_transcript, storable
from memory.results import ApiKeys
from memory.stores.discussion_files import CONDENSATION_KEY, DiscussionFiles
from memory.stores.readings import recall_list, recall_object
from memory.stores.vector_db import VectorDatabase
from memory.types import Artefact, DiscussionRef
from memory.wiring import get_memory_settings, open_discussion
from wilmer_site.lib.errors import WilmerError
from wilmer_site.lib.paging import Page, PageRequest, slice_page

LOG_LIMIT = 100_000
"""How many rows of the hash log are laid beside the chat."""


def get_coverage(ref: DiscussionRef, keys: ApiKeys) -> Coverage:
    """The same as `find_coverage`; raises NotFoundError without a transcript."""
    coverage = find_coverage(ref, keys)
    if coverage is None:
        raise no_transcript(ref)
    return coverage


def find_coverage(ref: DiscussionRef, keys: ApiKeys) -> Coverage | None:
    """Everything the pages about coverage show; None without a transcript. Raises DiscussionNotFoundError.

    Files that are locked or damaged count as empty; their own pages say so.
    """
    discussion = open_discussion(ref, keys)
    transcript = find_transcript(ref)
    if transcript is None:
        return None
    seen, known = _seen(discussion, transcript, _lookback()), _KNOWN.get(ref)
    if known is not None and known[0] == seen:
        return known[1]
    coverage = _build(discussion, transcript)
    _remember(ref, seen, coverage)
    return coverage


_KNOWN: OrderedDict[DiscussionRef, tuple[object, Coverage]] = OrderedDict()
"""The discussions looked at last; numbers and hashes only, no text."""

_KNOWN_LIMIT = 8


def _remember(ref: DiscussionRef, seen: object, coverage: Coverage) -> None:
    _KNOWN[ref] = seen, coverage
    while len(_KNOWN) > _KNOWN_LIMIT:
        _KNOWN.popitem(last=False)


def _seen(discussion: DiscussionFiles, transcript: TranscriptCard, lookback: int) -> object:
    """Everything a coverage is made from, by version."""
    ledger, summary = (recall_list(discussion, name).report for name in (Artefact.MEMORIES, Artefact.SUMMARY))
    tracker = recall_object(discussion, Artefact.CONDENSATION_TRACKER).report
    database = discussion.report(Artefact.VECTOR_MEMORY)
    reports = (ledger, summary, tracker, database)
    return transcript, lookback, tuple((report.path, report.state, report.etag, report.stat) for report in reports)


def _build(discussion: DiscussionFiles, transcript: TranscriptCard) -> Coverage:
    variant = transcript.variant.code
    return build_coverage(
        Chat(list_message_hashes(transcript.id), _lookback()),
        _remembered(discussion),
        list_notes(discussion.ref, WriterPath.FILE, variant),
        list_notes(discussion.ref, WriterPath.VECTOR, variant),
    )


def list_covered(coverage: Coverage, page: PageRequest, *, only: Trouble | None = None) -> Page[Covered]:
    """One page of chunks, newest first; `only` those with a trouble."""
    chunks = [chunk for chunk in reversed(coverage.chunks) if only is None or only in chunk.troubles]
    return slice_page(chunks, page)


def find_covered(ref: DiscussionRef, number: int, keys: ApiKeys) -> Covered | None:
    """What one chunk covers; None without a transcript. Raises DiscussionNotFoundError or ChunkNotFoundError."""
    coverage = find_coverage(ref, keys)
    return _pick(ref, coverage, number) if coverage else None


def get_covered(ref: DiscussionRef, number: int, keys: ApiKeys) -> Covered:
    """The same; raises NotFoundError without a transcript."""
    return _pick(ref, get_coverage(ref, keys), number)


def _pick(ref: DiscussionRef, coverage: Coverage, number: int) -> Covered:
    if not 1 <= number <= len(coverage.chunks):
        raise ChunkNotFoundError(
            f"{ref.discussion_id!r} has no chunk {number}; the ledger holds {len(coverage.chunks)}.", number=number
        )
    return coverage.chunks[number - 1]


def page_covered_messages(covered: Covered, page: PageRequest) -> Page[int]:
    """One page of the numbers of the messages a chunk covers, in order."""
    if covered.first is None or covered.last is None:
        return slice_page([], page)
    return slice_page(list(range(covered.first, covered.last + 1)), page)


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
