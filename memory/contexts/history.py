"""Every version of every file of a discussion, and the ways back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from memory.contexts.addresses import discussion_api_address, page_address, query_string, size_parameter
from memory.contexts.comparisons import ComparisonView
from memory.contexts.discussions import DiscussionStrip
from memory.contexts.labels import ARTEFACTS, Label
from memory.engine.blast_radius import BlastRadius
from memory.engine.history import (
    BatchReport,
    BatchStep,
    Comparison,
    HistoryFilter,
    HistorySize,
    RestorePreview,
    RevisionCard,
)
from memory.engine.wording import format_count
from memory.results import DiscussionHeader
from memory.types import Artefact, DiscussionRef
from wilmer_site.lib.paging import Page

ORIGINS = {
    "edit": Label("edited"),
    "generation": Label("generated", "ok"),
    "restore": Label("restored", "stale"),
    "repair": Label("repaired", "stale"),
    "import": Label("imported"),
    "outside": Label("written outside", "locked", "By WilmerAI or another program, noticed by comparing the file."),
}

BLAMED = tuple(artefact for artefact in Artefact if artefact is not Artefact.VECTOR_MEMORY)


@dataclass(frozen=True, slots=True)
class RevisionRow:
    """One write, in words."""

    card: RevisionCard
    file_name: str
    origin: Label
    url: str
    batch_url: str
    undo_url: str
    undone_url: str
    sizes: str

    @classmethod
    def build(cls, ref: DiscussionRef, card: RevisionCard) -> RevisionRow:
        """Words and addresses for one write."""
        return cls(
            card=card,
            file_name=ARTEFACTS[card.artefact],
            origin=ORIGINS[card.origin],
            url=page_address("revision-detail", ref, card.id),
            batch_url=page_address("batch-detail", ref, card.batch),
            undo_url=page_address("revision-undo", ref, card.batch),
            undone_url=page_address("batch-detail", ref, card.undone_by) if card.undone_by else "",
            sizes=_sizes(card),
        )

    @property
    def action(self) -> str:
        """What was done; files are called as everywhere else."""
        if self.card.origin != "outside":
            return self.card.action
        return self.card.action.replace(self.card.artefact.value, f"the {self.file_name.lower()}")

    @property
    def at(self) -> datetime:
        """When it was written."""
        return self.card.at

    @property
    def others(self) -> int:
        """How many further writes the same action made."""
        return self.card.batch_size - 1


@dataclass(frozen=True, slots=True)
class HistoryListContext:
    """One page of the writes of a discussion."""

    discussion: DiscussionStrip
    rows: tuple[RevisionRow, ...]
    pages: Page[RevisionCard]
    base_query: str
    chips: tuple[tuple[str, str, int | None, bool], ...]
    writers: tuple[tuple[str, str, int | None, bool], ...]
    blame_links: tuple[tuple[str, str], ...]
    size: HistorySize
    api_url: str

    @classmethod
    def build(
        cls,
        header: DiscussionHeader,
        page: Page[RevisionCard],
        wanted: HistoryFilter,
        counts: tuple[Mapping[Artefact, int], Mapping[str, int], HistorySize],
    ) -> HistoryListContext:
        """The page of the history; `counts` are those of files, of writers, and the room it takes."""
        ref, (files, writers, size) = header.card.ref, counts
        base = _parameters(wanted)
        return cls(
            discussion=DiscussionStrip.build(header, "history-list"),
            rows=tuple(RevisionRow.build(ref, card) for card in page.items),
            pages=page,
            base_query=query_string([*base, size_parameter(page)]),
            chips=_file_chips(ref, wanted, files),
            writers=_writer_chips(ref, wanted, writers),
            blame_links=tuple(
                (ARTEFACTS[name], page_address("blame-detail", ref, name)) for name in files if name in BLAMED
            ),
            size=size,
            api_url=discussion_api_address(ref, "history", parameters=base),
        )

    @property
    def is_filtered(self) -> bool:
        """Whether fewer than all writes are wanted."""
        return any(chosen for _, _, _, chosen in (*self.chips[1:], *self.writers[1:]))

    @property
    def dropped_text(self) -> str:
        """What is no longer kept, in words; empty when all is."""
        count = self.size.dropped_contents
        return (
            f"{format_count(count, 'old version')} were dropped to keep the history below its limit." if count else ""
        )


@dataclass(frozen=True, slots=True)
class RevisionDetailContext:
    """One write: what it replaced, and what by."""

    discussion: DiscussionStrip
    row: RevisionRow
    view: ComparisonView
    against: tuple[tuple[str, str, int | None, bool], ...]
    looks: tuple[tuple[str, str, int | None, bool], ...]
    restore_before_url: str
    restore_after_url: str
    blame_url: str
    others: tuple[tuple[int, str, bool], ...]
    """Number, words and whether it is compared with: other versions of the same file."""
    api_url: str

    @classmethod
    def build(
        cls,
        header: DiscussionHeader,
        cards: tuple[RevisionCard, Iterable[RevisionCard]],
        comparison: Comparison,
        asked: Mapping[str, str],
    ) -> RevisionDetailContext:
        """The page of one write; `cards` are it and others of its file, `asked` has `against` and `look`."""
        card, others = cards
        ref = header.card.ref
        against, look = asked.get("against") or "before", asked.get("look") or "side"
        choices = [("What it changed", "before"), ("Since then", "now")]
        if against not in {"before", "now"}:
            choices.append((f"Against revision {against}", against))
        is_rows = card.artefact is Artefact.VECTOR_MEMORY
        return cls(
            discussion=DiscussionStrip.build(header, "history-list"),
            row=RevisionRow.build(ref, card),
            view=ComparisonView.build(comparison, is_inline=look == "inline"),
            against=tuple(
                (label, _detail_url(ref, card, name, look), None, name == against) for label, name in choices
            ),
            looks=tuple(
                (label, _detail_url(ref, card, against, name), None, name == look)
                for label, name in (("Side by side", "side"), ("Inline", "inline"))
            ),
            restore_before_url=page_address("revision-restore", ref, card.id, parameters=[("side", "before")]),
            restore_after_url=page_address("revision-restore", ref, card.id, parameters=[("side", "after")]),
            blame_url="" if is_rows else page_address("blame-detail", ref, card.artefact),
            others=tuple(
                (other.id, f"{other.id}: {other.action}, {other.at:%Y-%m-%d %H:%M}", str(other.id) == against)
                for other in others
                if other.id != card.id
            ),
            api_url=discussion_api_address(ref, "history", str(card.id)),
        )


@dataclass(frozen=True, slots=True)
class StepView:
    """One file of an action."""

    file_name: str
    step: BatchStep
    back: ComparisonView | None
    since: ComparisonView | None

    @classmethod
    def build(cls, step: BatchStep) -> StepView:
        """Words for one file."""
        return cls(
            file_name=ARTEFACTS[step.artefact],
            step=step,
            back=ComparisonView.build(step.back, is_inline=True) if step.back else None,
            since=ComparisonView.build(step.since, is_inline=True) if step.since else None,
        )


@dataclass(frozen=True, slots=True)
class BatchDetailContext:
    """A whole action, and what taking it back would do."""

    discussion: DiscussionStrip
    report: BatchReport
    origin: Label
    rows: tuple[RevisionRow, ...]
    steps: tuple[StepView, ...]
    radius: BlastRadius
    undo_url: str
    undone_url: str
    api_url: str

    @classmethod
    def build(cls, header: DiscussionHeader, report: BatchReport) -> BatchDetailContext:
        """The page of one action."""
        ref = header.card.ref
        return cls(
            discussion=DiscussionStrip.build(header, "history-list"),
            report=report,
            origin=ORIGINS[report.origin],
            rows=tuple(RevisionRow.build(ref, card) for card in report.revisions),
            steps=tuple(StepView.build(step) for step in report.steps),
            radius=report.radius,
            undo_url=page_address("revision-undo", ref, report.batch),
            undone_url=page_address("batch-detail", ref, report.undone_by) if report.undone_by else "",
            api_url=discussion_api_address(ref, "batches", str(report.batch)),
        )


@dataclass(frozen=True, slots=True)
class RevisionRestoreContext:
    """What putting an old version in place would do."""

    discussion: DiscussionStrip
    row: RevisionRow
    side: str
    view: ComparisonView
    radius: BlastRadius
    expected: str
    form_url: str
    api_url: str

    @classmethod
    def build(cls, header: DiscussionHeader, preview: RestorePreview) -> RevisionRestoreContext:
        """The page that asks before anything is written."""
        ref, card = header.card.ref, preview.card
        return cls(
            discussion=DiscussionStrip.build(header, "history-list"),
            row=RevisionRow.build(ref, card),
            side=preview.side,
            view=ComparisonView.build(preview.comparison),
            radius=preview.radius,
            expected=preview.comparison.old.etag,
            form_url=page_address("revision-restore", ref, card.id, parameters=[("side", preview.side)]),
            api_url=discussion_api_address(ref, "history", str(card.id)),
        )


def _detail_url(ref: DiscussionRef, card: RevisionCard, against: str, look: str) -> str:
    parameters = [("against", "" if against == "before" else against), ("look", "" if look == "side" else look)]
    return page_address("revision-detail", ref, card.id, parameters=parameters)


def _parameters(wanted: HistoryFilter) -> list[tuple[str, object]]:
    return [("file", wanted.artefact or ""), ("writer", wanted.actor)]


def _file_chips(
    ref: DiscussionRef, wanted: HistoryFilter, counts: Mapping[Artefact, int]
) -> tuple[tuple[str, str, int | None, bool], ...]:
    def url(name: Artefact | None) -> str:
        return page_address("history-list", ref, parameters=_parameters(HistoryFilter(name, wanted.actor)))

    chips = [(ARTEFACTS[name], url(name), count, name is wanted.artefact) for name, count in counts.items()]
    return (("All files", url(None), None, wanted.artefact is None), *chips)


def _writer_chips(
    ref: DiscussionRef, wanted: HistoryFilter, counts: Mapping[str, int]
) -> tuple[tuple[str, str, int | None, bool], ...]:
    def url(name: str) -> str:
        return page_address("history-list", ref, parameters=_parameters(HistoryFilter(wanted.artefact, name)))

    chips = [(name, url(name), count, name == wanted.actor) for name, count in counts.items()]
    return (("Everybody", url(""), None, not wanted.actor), *chips)


def _sizes(card: RevisionCard) -> str:
    if card.artefact is Artefact.VECTOR_MEMORY or card.is_first_sight:
        return ""
    before, after = card.before_bytes, card.after_bytes
    if before is None or after is None:
        return "created" if after is not None else "removed"
    return f"{after - before:+,} bytes" if after != before else "same size"
