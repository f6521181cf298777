"""What a condensed chunk was made from."""

from __future__ import annotations

from dataclasses import dataclass

from memory.contexts.addresses import discussion_api_address, page_address
from memory.contexts.discussions import DiscussionStrip
from memory.contexts.regions import Region
from memory.engine.blast_radius import BlastRadius
from memory.results import DiscussionHeader
from memory.services.uncondensing import Originals


@dataclass(frozen=True, slots=True)
class OriginalsContext:
    """The originals beside the chunk, or why they are not known."""

    discussion: DiscussionStrip
    number: int
    originals: Originals | None
    radius: BlastRadius
    region: Region | None
    revision_url: str
    form_url: str
    chunk_url: str
    api_url: str

    @classmethod
    def build(
        cls, header: DiscussionHeader, number: int, originals: Originals | None, outlook: tuple[BlastRadius, str]
    ) -> OriginalsContext:
        """The page that asks; `outlook` is what follows, and why nothing can be done."""
        ref, (radius, problem) = header.card.ref, outlook
        return cls(
            discussion=DiscussionStrip.build(header, "chunk-list"),
            number=number,
            originals=originals,
            radius=radius,
            region=None if originals else Region("empty", "The originals are not known", problem),
            revision_url=page_address("revision-detail", ref, originals.revision_id) if originals else "",
            form_url=page_address("chunk-originals", ref, number),
            chunk_url=page_address("chunk-detail", ref, number),
            api_url=discussion_api_address(ref, "chunks", str(number), "originals"),
        )
