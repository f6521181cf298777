"""The memories in the vector database: as a list, and one by itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from memory.contexts.addresses import discussion_api_address, page_address, query_string, size_parameter
from memory.contexts.discussions import DiscussionStrip
from memory.contexts.labels import DATABASE_STATES, Label
from memory.contexts.regions import Region
from memory.contexts.times import parse_stored_time
from memory.engine.versions import memory_version
from memory.forms import ListRequest
from memory.results import DatabaseState, DiscussionHeader, VectorStore
from memory.types import Artefact, DiscussionRef, VectorMemory
from wilmer_site.lib.paging import Page


@dataclass(frozen=True, slots=True)
class VectorMemoryRow:
    """One memory with its metadata in words."""

    id: int
    title: str
    text: str
    date_added: str
    moment: datetime | None
    entities: tuple[str, ...]
    key_phrases: tuple[str, ...]
    topics: tuple[str, ...]
    embedding_models: tuple[str, ...]
    metadata_problem: str | None
    url: str
    version: str = ""
    """What was seen of it, for a change."""

    @property
    def slot(self) -> str:
        """The id as text, for ids of elements."""
        return str(self.id)

    @classmethod
    def build(cls, ref: DiscussionRef, memory: VectorMemory) -> VectorMemoryRow:
        """Words for one row of the database."""
        return cls(
            id=memory.id,
            title=memory.title or f"Memory {memory.id}",
            text=memory.text,
            date_added=memory.date_added,
            moment=parse_stored_time(memory.date_added),
            entities=memory.listed("entities"),
            key_phrases=memory.listed("key_phrases"),
            topics=memory.listed("topics"),
            embedding_models=memory.embedding_models,
            metadata_problem=memory.metadata_problem,
            url=page_address("vector-memory-detail", ref, memory.id),
            version=memory_version(memory.text, memory.metadata_json),
        )


@dataclass(frozen=True, slots=True)
class VectorMemoryListContext:
    """One page of the memories, with what can be said of the database."""

    discussion: DiscussionStrip
    rows: tuple[VectorMemoryRow, ...]
    total: int
    contains: str
    newest_first: bool
    order_url: str
    list_url: str
    search_url: str
    embeddings: tuple[tuple[str, int], ...]
    schema: str
    state: Label
    region: Region | None
    all_url: str
    """Asks before every memory that is listed is deleted, not only those of this page."""
    is_encrypted_elsewhere: bool
    """The other files are encrypted, this one never is (memory.md W33)."""
    pages: Page[VectorMemory]
    base_query: str
    api_url: str

    @classmethod
    def build(
        cls, header: DiscussionHeader, store: VectorStore, page: Page[VectorMemory], wanted: ListRequest
    ) -> VectorMemoryListContext:
        """The page a URL asks for."""
        ref = header.card.ref
        return cls(
            discussion=DiscussionStrip.build(header, "vector-memory-list"),
            rows=tuple(VectorMemoryRow.build(ref, memory) for memory in page.items),
            total=store.memory_count,
            contains=wanted.contains,
            newest_first=wanted.newest_first,
            order_url=_address(ref, replace(wanted, newest_first=not wanted.newest_first)),
            list_url=page_address("vector-memory-list", ref),
            search_url=page_address("search", parameters=[("discussion", ref.text)]),
            embeddings=tuple(sorted(store.embedding_counts.items())),
            schema=_SCHEMAS.get(store.schema_generation, "unknown"),
            state=DATABASE_STATES[store.state],
            region=build_database_region(ref, store),
            all_url=_removal_address(ref, wanted.contains),
            is_encrypted_elsewhere=header.card.is_encrypted,
            pages=page,
            base_query=query_string([*_parameters(wanted, 1), size_parameter(page)]),
            api_url=discussion_api_address(ref, "vector-memories", parameters=_parameters(wanted, page.number)),
        )


@dataclass(frozen=True, slots=True)
class VectorMemoryDetailContext:
    """One memory, whole."""

    discussion: DiscussionStrip
    row: VectorMemoryRow
    summary: str
    """The metadata's own copy of the text, when it differs from the text (traps V4)."""
    raw_metadata: str
    list_url: str
    api_url: str

    @classmethod
    def build(cls, header: DiscussionHeader, memory: VectorMemory) -> VectorMemoryDetailContext:
        """The page of one memory."""
        ref = header.card.ref
        summary = str(memory.metadata.get("summary") or "")
        return cls(
            discussion=DiscussionStrip.build(header, "vector-memory-list"),
            row=VectorMemoryRow.build(ref, memory),
            summary=summary if summary != memory.text else "",
            raw_metadata=_raw_metadata(memory.metadata, memory.metadata_json),
            list_url=page_address("vector-memory-list", ref),
            api_url=discussion_api_address(ref, "vector-memories", str(memory.id)),
        )


def build_database_region(ref: DiscussionRef, store: VectorStore) -> Region | None:
    """The region to show instead of, or above, the memories; None when the database is ready."""
    label = DATABASE_STATES[store.state]
    if store.state is DatabaseState.READY:
        return None
    if store.state in {DatabaseState.ABSENT, DatabaseState.NOTHING_STORED}:
        hint = "WilmerAI stores vector memories when its memory settings ask for them."
        return Region("empty", f"Vector memories: {label.text}", f"{label.hint} {hint}")
    url = page_address("file-detail", ref, Artefact.VECTOR_MEMORY)
    kind = "damaged" if store.state is DatabaseState.INDEX_BROKEN else "unreadable"
    return Region(kind, f"Vector database: {label.text}", store.problem or label.hint, url, "About the file")


_SCHEMAS = {
    "tracker": "first generation (one tracker row)",
    "hash-log": "second generation (hash log)",
    "embeddings": "current (hash log and embeddings)",
}


def _raw_metadata(metadata: Mapping[str, object], stored: str | None) -> str:
    """Indented for reading; exactly as stored when it is no JSON object."""
    return json.dumps(metadata, indent=2, ensure_ascii=False, default=str) if metadata else stored or ""


def _address(ref: DiscussionRef, wanted: ListRequest) -> str:
    return page_address("vector-memory-list", ref, parameters=_parameters(wanted, 1))


def _parameters(wanted: ListRequest, number: int) -> list[tuple[str, object]]:
    order = "" if wanted.newest_first else "oldest"
    return [("contains", wanted.contains), ("order", order), ("page", number if number > 1 else "")]


def _removal_address(ref: DiscussionRef, contains: str) -> str:
    return page_address("vector-memory-bulk-removal", ref, parameters=[("all", True), ("contains", contains)])
