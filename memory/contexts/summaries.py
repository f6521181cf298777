"""The rolling summary and how far it reaches."""

from __future__ import annotations

from dataclasses import dataclass

from memory.contexts.addresses import discussion_api_address, page_address
from memory.contexts.discussions import DiscussionStrip
from memory.contexts.labels import SUMMARY_LINKS, Label
from memory.contexts.regions import Region, build_region
from memory.engine.wording import format_count
from memory.results import DiscussionHeader, Summary, SummaryLink


@dataclass(frozen=True, slots=True)
class SummaryDetailContext:
    """The text, which chunks it contains, and the state of the link between both."""

    discussion: DiscussionStrip
    text: str
    hash: str
    token_estimate: int
    covered: int
    total: int
    behind: int | None
    link: Label
    last_chunk_url: str | None
    region: Region | None
    file_url: str
    api_url: str

    @classmethod
    def build(cls, header: DiscussionHeader, summary: Summary) -> SummaryDetailContext:
        """The page of the summary."""
        ref = header.card.ref
        is_linked = summary.link is SummaryLink.LINKED and summary.covered_chunks > 0
        return cls(
            discussion=DiscussionStrip.build(header, "summary-detail"),
            text=summary.text,
            hash=summary.hash,
            token_estimate=summary.token_estimate,
            covered=summary.covered_chunks,
            total=summary.total_chunks,
            behind=summary.behind,
            link=SUMMARY_LINKS[summary.link],
            last_chunk_url=page_address("chunk-detail", ref, summary.covered_chunks) if is_linked else None,
            region=build_region(ref, summary.report) if not summary.text else None,
            file_url=page_address("file-detail", ref, summary.report.artefact),
            api_url=discussion_api_address(ref, "summary"),
        )

    @property
    def can_begin(self) -> bool:
        """Whether a summary can be written by hand: there is none, and chunks to link it to."""
        return self.region is not None and not self.region.is_error and self.region.kind != "locked" and self.total > 0

    @property
    def reach(self) -> str:
        """How many chunks the summary contains, in words."""
        lag = f", behind by {self.behind:,}" if self.behind else ""
        return f"{self.covered:,} of {format_count(self.total, 'chunk')}{lag}"

    @property
    def reach_kind(self) -> str:
        """Whether that is all of them."""
        return "ok" if self.covered == self.total else "stale"
