"""The ledger: its chunks as a list, and one chunk by itself."""

from __future__ import annotations

from dataclasses import dataclass, replace

from memory.contexts.addresses import discussion_api_address, page_address, query_string, size_parameter
from memory.contexts.coverage import TROUBLES, CoverageStrip, format_messages
from memory.contexts.discussions import Chip, DiscussionStrip
from memory.contexts.labels import Label
from memory.contexts.regions import Region, build_region
from memory.engine.coverage import Coverage, Covered
from memory.engine.versions import chunk_version
from memory.forms import ListRequest
from memory.results import Chunk, DiscussionHeader, Ledger
from memory.types import DiscussionRef, Entry
from wilmer_site.lib.paging import Page

PREVIEW_CHARACTERS = 600
"""How much of a chunk the list shows; its own page shows all of it."""


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """One chunk with its badges."""

    number: int
    text: str
    is_cut: bool
    hash: str
    token_estimate: int
    badges: tuple[Label, ...]
    same_hash_as: tuple[int, ...]
    url: str
    messages: str = ""
    """Which messages it was made from; empty without the chat."""
    messages_url: str = ""
    version: str = ""
    """What was seen of it, for a change."""

    @property
    def slot(self) -> str:
        """The number as text, for ids."""
        return str(self.number)

    @classmethod
    def build(
        cls, ref: DiscussionRef, chunk: Chunk, covered: Covered | None = None, *, is_preview: bool = False
    ) -> ChunkRow:
        """Words for one ledger entry; a preview is cut."""
        is_cut = is_preview and len(chunk.text) > PREVIEW_CHARACTERS
        return cls(
            number=chunk.number,
            text=chunk.text[:PREVIEW_CHARACTERS].rstrip() + " …" if is_cut else chunk.text,
            is_cut=is_cut,
            hash=chunk.hash,
            token_estimate=chunk.token_estimate,
            badges=(*_badges(chunk), *(TROUBLES[trouble] for trouble in (covered.troubles if covered else ()))),
            same_hash_as=chunk.same_hash_as,
            url=page_address("chunk-detail", ref, chunk.number),
            messages=format_messages(covered) if covered else "",
            messages_url=page_address("covered-messages", ref, chunk.number) if covered and covered.first else "",
            version=chunk_version(Entry(chunk.text, chunk.hash)),
        )


@dataclass(frozen=True, slots=True)
class ChunkListContext:
    """One page of the ledger."""

    discussion: DiscussionStrip
    rows: tuple[ChunkRow, ...]
    total: int
    skipped: tuple[str, ...]
    filters: tuple[Chip, ...]
    newest_first: bool
    order_url: str
    pages: Page[Chunk]
    base_query: str
    region: Region | None
    strip: CoverageStrip | None
    """How far memory reaches into the chat; None without it."""
    api_url: str

    @classmethod
    def build(
        cls,
        header: DiscussionHeader,
        ledger: Ledger,
        page: Page[Chunk],
        wanted: ListRequest,
        coverage: Coverage | None = None,
    ) -> ChunkListContext:
        """The page a URL asks for; with the chat at hand also which messages each chunk was made from."""
        ref = header.card.ref
        return cls(
            discussion=DiscussionStrip.build(header, "chunk-list"),
            rows=tuple(ChunkRow.build(ref, chunk, _covered(coverage, chunk), is_preview=True) for chunk in page.items),
            total=ledger.total,
            skipped=ledger.skipped,
            filters=tuple(_filter(ref, wanted, name, ledger) for name in _FILTERS),
            newest_first=wanted.newest_first,
            order_url=_address(ref, replace(wanted, newest_first=not wanted.newest_first)),
            pages=page,
            base_query=query_string([*_parameters(wanted, 1), size_parameter(page)]),
            region=build_region(ref, ledger.report) if not ledger.total else None,
            strip=CoverageStrip.build(ref, coverage) if coverage else None,
            api_url=discussion_api_address(ref, "chunks", parameters=_parameters(wanted, page.number)),
        )


@dataclass(frozen=True, slots=True)
class ChunkDetailContext:
    """One chunk, whole, with its neighbours."""

    discussion: DiscussionStrip
    row: ChunkRow
    total: int
    older_url: str | None
    newer_url: str | None
    list_url: str
    api_url: str

    @classmethod
    def build(cls, header: DiscussionHeader, ledger: Ledger, chunk: Chunk) -> ChunkDetailContext:
        """The page of one chunk."""
        ref = header.card.ref
        older = page_address("chunk-detail", ref, chunk.number - 1) if chunk.number > 1 else None
        newer = page_address("chunk-detail", ref, chunk.number + 1) if chunk.number < ledger.total else None
        return cls(
            discussion=DiscussionStrip.build(header, "chunk-list"),
            row=ChunkRow.build(ref, chunk),
            total=ledger.total,
            older_url=older,
            newer_url=newer,
            list_url=page_address("chunk-list", ref),
            api_url=discussion_api_address(ref, "chunks", str(chunk.number)),
        )


_FILTERS = {
    "": "All",
    "condensed": "Condensed",
    "in-summary": "In summary",
    "not-in-summary": "Not in summary yet",
    "same-hash": "Shared hash",
}

_CONDENSED = Label("condensed", hint="Rewritten together with its neighbours; the originals are gone.")
_IN_SUMMARY = Label("in summary", "ok", "The rolling summary reaches to this chunk or beyond.")
_NOT_IN_SUMMARY = Label("not in summary yet", "stale", "Newer than the rolling summary.")
_SAME_HASH = Label(
    "shared hash", "error", "Another chunk ends with an equal message: WilmerAI may skip messages between."
)


def _badges(chunk: Chunk) -> tuple[Label, ...]:
    condensed = (_CONDENSED,) if chunk.is_condensed else ()
    shared = (_SAME_HASH,) if chunk.same_hash_as else ()
    return (*condensed, _IN_SUMMARY if chunk.is_in_summary else _NOT_IN_SUMMARY, *shared)


def _covered(coverage: Coverage | None, chunk: Chunk) -> Covered | None:
    """The same chunk in the X-ray; the ledger may have grown between the two readings."""
    if coverage is None or chunk.number > len(coverage.chunks):
        return None
    covered = coverage.chunks[chunk.number - 1]
    return covered if covered.hash == chunk.hash else None


def _filter(ref: DiscussionRef, wanted: ListRequest, name: str, ledger: Ledger) -> Chip:
    count = ledger.counts.get(name) if name else ledger.total
    return Chip(_FILTERS[name], _address(ref, replace(wanted, only=name)), count, wanted.only == name)


def _address(ref: DiscussionRef, wanted: ListRequest) -> str:
    return page_address("chunk-list", ref, parameters=_parameters(wanted, 1))


def _parameters(wanted: ListRequest, number: int) -> list[tuple[str, object]]:
    order = "" if wanted.newest_first else "oldest"
    return [("only", wanted.only), ("order", order), ("page", number if number > 1 else "")]
