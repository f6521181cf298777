"""The texts that memory nodes would give to a workflow now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from memory.engine.previews import Preview, PreviewRequest
from memory.engine.tokens import estimate_tokens
from memory.queries import retrieval
from memory.queries.transcripts import load_conversation
from memory.results import ApiKeys
from memory.stores.discussion_files import DiscussionFiles
from memory.types import DiscussionRef
from memory.wiring import open_discussion
from wilmer_site.lib.clock import utc_now


def list_previews(ref: DiscussionRef, keys: ApiKeys, asked: PreviewRequest) -> tuple[Preview, ...]:
    """One preview for every node that reads memory; search nodes only with keywords. Reads only.

    Raises DiscussionNotFoundError. Files that cannot be read count as empty, as they do in a workflow.
    """
    files = open_discussion(ref, keys)
    readers = (*_READERS, *_SEARCHES) if asked.keywords else _READERS
    return tuple(_build(reader, reader.read(files, asked)) for reader in readers)


@dataclass(frozen=True, slots=True)
class _Reader:
    node: str
    title: str
    note: str
    read: Callable[[DiscussionFiles, PreviewRequest], str]


def _read_recent(files: DiscussionFiles, asked: PreviewRequest) -> str:
    return retrieval.get_recent_memories(files, (), retrieval.RecentMemoryRequest(asked.max_turns, asked.max_chunks))


def _search_vectors(files: DiscussionFiles, asked: PreviewRequest) -> str:
    request = retrieval.RecallRequest(asked.keywords, limit=asked.limit)
    return retrieval.search_vector_memories(files, request, now=utc_now())


def _search_ledger(files: DiscussionFiles, asked: PreviewRequest) -> str:
    request = retrieval.KeywordRequest(asked.keywords, retrieval.RECENT_MEMORIES)
    return retrieval.search_by_keywords(files, load_conversation(files.ref), request)


_READERS = (
    _Reader("RecentMemorySummarizerTool", "Recent memories", "The newest chunks of the ledger.", _read_recent),
    _Reader(
        "GetCurrentMemoryFromFile",
        "All memories",
        "Every chunk of the ledger.",
        lambda files, _: retrieval.get_all_memories(files),
    ),
    _Reader(
        "GetCurrentSummaryFromFile",
        "Rolling summary",
        "The summary as it is stored.",
        lambda files, _: retrieval.get_current_summary(files),
    ),
    _Reader(
        "ChatSummaryMemoryGatheringTool",
        "Memories since the summary",
        "What the next update of the summary is fed.",
        lambda files, asked: retrieval.get_unsummarised_memories(files, (), asked.max_turns),
    ),
    _Reader(
        "GetCurrentStateDocument",
        "State document",
        "The document as the node gives it.",
        lambda files, _: retrieval.get_current_state_document(files),
    ),
)
_SEARCHES = (
    _Reader(
        "VectorMemorySearch", "Vector memories", "The best for these keywords, without embeddings.", _search_vectors
    ),
    _Reader(
        "MemoryKeywordSearchPerformerTool",
        "Keyword search in the ledger",
        "Lines of chunks that share a word with the keywords.",
        _search_ledger,
    ),
)


def _build(reader: _Reader, text: str) -> Preview:
    return Preview(reader.node, reader.title, reader.note, text, estimate_tokens(text))
