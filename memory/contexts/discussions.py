"""The list of discussions, and the strip with tabs that stands above every page of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from memory.contexts.addresses import api_address, page_address, query_string, size_parameter
from memory.contexts.labels import GENERATIONS, HEALTH, Label, format_id
from memory.results import DiscussionCard, DiscussionFilter, DiscussionHeader, HealthLevel
from memory.types import Artefact, DiscussionRef, FileState
from wilmer_site.lib.paging import Page


class Chip(NamedTuple):
    """A filter that can be switched on and off by following its link."""

    label: str
    url: str
    total: int | None
    is_on: bool


@dataclass(frozen=True, slots=True)
class SortHeader:
    """A column title that sorts; following it again turns the order round."""

    label: str
    url: str
    direction: str
    """`ascending`, `descending`, or `none` when the list is sorted by another column."""
    is_number: bool = False


class Tab(NamedTuple):
    """One page of a discussion."""

    label: str
    url: str
    badge: str
    is_active: bool


@dataclass(frozen=True, slots=True)
class DiscussionRow:
    """One discussion in a table."""

    ref: DiscussionRef
    name: str
    """The id with invisible characters made visible."""
    key_hash: str | None
    lock: Label | None
    layout: Label
    chunk_count: int | None
    memory_count: int | None
    summary: Label
    has_state_document: bool
    size_bytes: int
    last_write: datetime | None
    health: Label

    @classmethod
    def build(cls, card: DiscussionCard) -> DiscussionRow:
        """Words and colours for one catalogue row."""
        return cls(
            ref=card.ref,
            name=format_id(card.discussion_id),
            key_hash=card.ref.key_hash,
            lock=Label("encrypted", "locked", "Its files need the API key.") if card.is_encrypted else None,
            layout=GENERATIONS[card.generation],
            chunk_count=card.chunk_count,
            memory_count=card.memory_count,
            summary=summary_label(card),
            has_state_document=card.has_state_document,
            size_bytes=card.size_bytes,
            last_write=card.last_write,
            health=health_label(card),
        )


@dataclass(frozen=True, slots=True)
class DiscussionListContext:
    """Every discussion of the folder: filtered, sorted, one page of them."""

    rows: tuple[DiscussionRow, ...]
    pages: Page[DiscussionCard]
    base_query: str
    """The filter without the page, for links to other pages."""
    filter: DiscussionFilter
    chips: tuple[Chip, ...]
    columns: tuple[SortHeader, ...]
    reset_url: str
    api_url: str

    @classmethod
    def build(
        cls, filter: DiscussionFilter, page: Page[DiscussionCard], counts: Mapping[str, int]
    ) -> DiscussionListContext:
        """The page for one filter."""
        return cls(
            rows=tuple(DiscussionRow.build(card) for card in page.items),
            pages=page,
            base_query=query_string([*filter_parameters(filter), size_parameter(page)]),
            filter=filter,
            chips=tuple(_chip(filter, name, label, counts.get(name)) for name, label in _CHIPS.items()),
            columns=tuple(_column(filter, name, label) for name, label in _COLUMNS.items()),
            reset_url=page_address("discussion-list"),
            api_url=api_address("discussions", parameters=filter_parameters(filter, page.number)),
        )

    @property
    def all_query(self) -> str:
        """The query that chooses every discussion that passes, not only those of this page."""
        return query_string([("all", True), *filter_parameters(self.filter)])

    @property
    def is_filtered(self) -> bool:
        """Whether fewer than all discussions are wanted."""
        return bool(self.filter.text or self.filter.chips)


@dataclass(frozen=True, slots=True)
class DiscussionStrip:
    """What stands above every page of a discussion: its name, its facts, its tabs, and whether it is locked."""

    ref: DiscussionRef
    row: DiscussionRow
    tabs: tuple[Tab, ...]
    is_locked: bool
    is_unlocked: bool
    version: str
    files_present: int
    search_url: str

    @property
    def tab(self) -> Tab | None:
        """The one that is shown."""
        return next((tab for tab in self.tabs if tab.is_active), None)

    @classmethod
    def build(cls, header: DiscussionHeader, active: str) -> DiscussionStrip:
        """`active` is the URL name of the tab that is shown."""
        return cls(
            ref=header.card.ref,
            row=DiscussionRow.build(header.card),
            tabs=_tabs(header.card, active),
            is_locked=header.is_locked,
            is_unlocked=header.is_unlocked,
            version=header.version,
            files_present=sum(report.state is not FileState.ABSENT for report in header.files),
            search_url=page_address("search", parameters=[("discussion", header.card.ref.text)]),
        )


def filter_parameters(filter: DiscussionFilter, number: int = 1) -> list[tuple[str, object]]:
    """A filter as URL parameters; what is usual is left out."""
    sort = "" if filter.sort == DiscussionFilter().sort else filter.sort
    chips: list[tuple[str, object]] = [("chip", chip) for chip in filter.chips]
    return [("text", filter.text), *chips, ("sort", sort), ("page", number if number > 1 else "")]


def list_address(filter: DiscussionFilter, number: int = 1) -> str:
    """The URL of a page of the list of discussions."""
    return page_address("discussion-list", parameters=filter_parameters(filter, number))


def summary_label(card: DiscussionCard) -> Label:
    """How the rolling summary stands, in two or three words."""
    if not card.has_summary:
        return Label("none")
    if card.summary_behind is None:
        locked = card.file_states.get(Artefact.SUMMARY) is FileState.LOCKED
        return Label("locked", "locked") if locked else Label("reach unknown", "stale", "Its hash names no chunk.")
    if card.summary_behind == 0:
        return Label("current", "ok")
    return Label(f"behind by {card.summary_behind}", "stale", "Chunks newer than the summary.")


def health_label(card: DiscussionCard) -> Label:
    """The worst finding of a discussion and how many there are."""
    base = HEALTH[card.health]
    if card.health is HealthLevel.OK:
        return base
    plural = "" if card.problem_count == 1 else "s"
    return replace(base, text=f"{card.problem_count} problem{plural}")


_CHIPS = {
    "problems": "Problems",
    "summary-behind": "Summary behind",
    "has-vector": "Vector memories",
    "has-state": "State document",
    "locked": "Locked",
    "plain": "Plain",
    "keyed": "Under a key",
    "legacy": "Older layouts",
}

_COLUMNS = {
    "id": "Discussion",
    "chunks": "Chunks",
    "memories": "Memories",
    "size": "Size",
    "last_write": "Last write",
    "health": "Health",
}


def _chip(filter: DiscussionFilter, name: str, label: str, count: int | None) -> Chip:
    is_on = name in filter.chips
    chips = tuple(chip for chip in filter.chips if chip != name) if is_on else (*filter.chips, name)
    return Chip(label, list_address(replace(filter, chips=chips)), count, is_on)


def _column(filter: DiscussionFilter, name: str, label: str) -> SortHeader:
    is_current = filter.sort.removeprefix("-") == name
    is_descending = filter.sort.startswith("-")
    # Numbers and times are wanted largest first, names from A.
    turned = name if is_current and is_descending else f"-{name}"
    fresh = name if name == "id" else f"-{name}"
    direction = ("descending" if is_descending else "ascending") if is_current else "none"
    url = list_address(replace(filter, sort=turned if is_current else fresh))
    return SortHeader(label, url, direction, is_number=name in {"chunks", "memories", "size"})


def _tabs(card: DiscussionCard, active: str) -> tuple[Tab, ...]:
    facts = (
        ("chunk-list", "Chunks", _count(card.chunk_count)),
        ("summary-detail", "Summary", f"{card.summary_behind} behind" if card.summary_behind else ""),
        ("vector-memory-list", "Vector memories", _count(card.memory_count)),
        ("tracker-list", "Trackers", ""),
        ("state-document-detail", "State document", ""),
        ("transcript-detail", "Transcript", ""),
        ("coverage-detail", "X-ray", ""),
        ("why-detail", "Why", ""),
        ("preview-list", "Preview", ""),
        ("file-list", "Files", ""),
        ("health-list", "Health", _count(card.problem_count) if card.problem_count else "✓"),
        ("history-list", "History", ""),
    )
    return tuple(Tab(label, page_address(name, card.ref), badge, name == active) for name, label, badge in facts)


def _count(number: int | None) -> str:
    return "" if number is None else f"{number:,}"
