"""Where a vector memory probably came from: the memory beside the messages, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.contexts.addresses import discussion_api_address, page_address
from memory.contexts.coverage import CoveredLine, format_span, message_address
from memory.contexts.discussions import DiscussionStrip
from memory.contexts.labels import Label
from memory.contexts.vector_memories import VectorMemoryRow
from memory.engine.coverage import MemoryOrigin
from memory.engine.origin_evidence import Confidence, OriginEvidence
from memory.engine.transcripts import TranscriptLine
from memory.results import DiscussionHeader
from memory.types import DiscussionRef, VectorMemory
from wilmer_site.lib.paging import Page


@dataclass(frozen=True, slots=True)
class FoundOrigin:
    """An origin with what speaks for it."""

    origin: MemoryOrigin
    evidence: OriginEvidence
    lines: Sequence[TranscriptLine]
    """One page of the messages."""
    pages: Page[int]


@dataclass(frozen=True, slots=True)
class MemoryOriginContext:
    """The page of one origin."""

    discussion: DiscussionStrip
    row: VectorMemoryRow
    memory_id: int
    messages: str
    """Empty when it is not known."""
    messages_url: str
    chunks: tuple[tuple[int, str], ...]
    certainty: Label | None
    reasons: tuple[tuple[bool, str], ...]
    """Whether it speaks for the origin, and the sentence."""
    lines: tuple[CoveredLine, ...]
    pages: Page[int] | None
    import_url: str
    """Empty when a chat is attached."""
    memory_url: str
    page_url: str
    api_url: str

    @classmethod
    def build(
        cls, header: DiscussionHeader, memory: VectorMemory, found: FoundOrigin | None, *, has_chat: bool
    ) -> MemoryOriginContext:
        """The memory, and the messages if they are known."""
        ref = header.card.ref
        origin = found.origin if found else None
        return cls(
            discussion=DiscussionStrip.build(header, "vector-memory-list"),
            row=VectorMemoryRow.build(ref, memory),
            memory_id=memory.id,
            messages=format_span(origin.first, origin.last) if origin else "",
            messages_url=message_address(ref, origin.first) if origin else "",
            chunks=tuple((number, page_address("chunk-detail", ref, number)) for number in origin.chunks)
            if origin
            else (),
            certainty=_CERTAINTY[found.evidence.confidence] if found else None,
            reasons=tuple(_list_reasons(found)) if found else (),
            lines=tuple(_build_line(ref, line) for line in found.lines) if found else (),
            pages=found.pages if found else None,
            import_url="" if has_chat else page_address("transcript-import", ref),
            memory_url=page_address("vector-memory-detail", ref, memory.id),
            page_url=page_address("memory-origin", ref, memory.id),
            api_url=discussion_api_address(ref, "vector-memories", str(memory.id), "origin"),
        )


_CERTAINTY = {
    Confidence.LIKELY: Label("likely", "ok", "Time and words agree."),
    Confidence.POSSIBLE: Label("possible", "stale", "Either the time or the words agree, not both."),
    Confidence.DOUBTFUL: Label("doubtful", "error", "Neither the time nor the words agree."),
}


def _list_reasons(found: FoundOrigin) -> list[tuple[bool, str]]:
    evidence, waited = found.evidence, found.origin.waited_seconds
    when = (
        f"These messages were logged as done {_format_wait(waited)} after the memory was stored"
        f"{', as WilmerAI does.' if evidence.is_quick else ': another run may lie between.'}"
    )
    total = len(evidence.found) + len(evidence.missing)
    reasons = [(evidence.is_quick, when)]
    if total:
        agrees = len(evidence.found) >= len(evidence.missing)
        words = f"The messages say {len(evidence.found):,} of {total:,} terms of the memory"
        reasons.append((agrees, f"{words}{_name(': ', evidence.found)}."))
    if evidence.missing:
        reasons.append((False, f"Not said in them{_name(': ', evidence.missing)}."))
    return reasons


def _name(before: str, terms: Sequence[str], limit: int = 6) -> str:
    shown = ", ".join(f"“{term[:60]}”" for term in terms[:limit])
    more = f" and {len(terms) - limit:,} more" if len(terms) > limit else ""
    return f"{before}{shown}{more}" if terms else ""


def _format_wait(seconds: float) -> str:
    if seconds < 2:
        return "right"
    if seconds < 120:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:,.0f} minutes" if seconds < 7200 else f"{seconds / 3600:,.0f} hours"


def _build_line(ref: DiscussionRef, line: TranscriptLine) -> CoveredLine:
    return CoveredLine(
        line.number, line.role, line.name, line.text, is_changed=False, is_anchor=False,
        url=message_address(ref, line.number),
    )  # fmt: skip
