"""The chat beside the memory: a strip that shows how far each layer reaches, and every chunk with its messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from memory.contexts.addresses import discussion_api_address, page_address, query_string, size_parameter
from memory.contexts.discussions import DiscussionStrip
from memory.contexts.labels import Label, Tone
from memory.engine.coverage import Coverage, Covered, Trouble
from memory.engine.transcripts import TranscriptLine
from memory.engine.wording import format_count
from memory.results import Chunk, DiscussionHeader
from memory.types import DiscussionRef
from wilmer_site.lib.paging import Page

TRANSCRIPT_PAGE = "transcript-detail"

STRIP_WIDTH = 1000.0
"""Units of the strip; the picture is stretched to the page."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A run of messages that look alike on the strip."""

    x: str
    width: str
    kind: str
    """covered, stale, gap, waiting, tail."""
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class StripRow:
    """One layer of memory along the chat."""

    label: str
    reach: str
    stretches: tuple[Stretch, ...]


@dataclass(frozen=True, slots=True)
class CoverageStrip:
    """How far each layer reaches into the chat."""

    message_count: int
    rows: tuple[StripRow, ...]

    @classmethod
    def build(cls, ref: DiscussionRef, coverage: Coverage) -> CoverageStrip:
        """The three layers that follow the chat."""
        layers = (
            ("File memory", coverage.file.last, coverage.file.is_known, coverage.chunks),
            ("Vector memory", coverage.vector.last, coverage.vector.is_known, coverage.log),
            ("Rolling summary", coverage.summary.last, coverage.summary.is_known, ()),
        )
        return cls(
            coverage.message_count,
            tuple(
                StripRow(
                    label,
                    _reach(last, coverage.message_count, is_known=known),
                    tuple(_draw(ref, coverage, last, chunks)),
                )
                for label, last, known, chunks in layers
            ),
        )


@dataclass(frozen=True, slots=True)
class CoveredRow:
    """One chunk and the messages it was made from."""

    number: int
    url: str
    messages: str
    messages_url: str
    count: int
    badges: tuple[Label, ...]
    notes: tuple[str, ...]

    @classmethod
    def build(cls, ref: DiscussionRef, chunk: Covered) -> CoveredRow:
        """Words for one chunk."""
        return cls(
            number=chunk.number,
            url=page_address("chunk-detail", ref, chunk.number),
            messages=format_messages(chunk),
            messages_url=message_address(ref, chunk.first) if chunk.first else "",
            count=chunk.count,
            badges=tuple(TROUBLES[trouble] for trouble in chunk.troubles),
            notes=tuple(explain_troubles(chunk)),
        )


@dataclass(frozen=True, slots=True)
class CoverageContext:
    """The X-ray of a discussion."""

    discussion: DiscussionStrip
    strip: CoverageStrip | None
    """None without a transcript."""
    findings: tuple[tuple[Label, str, str], ...]
    """A badge, what was found, and where to look."""
    rows: tuple[CoveredRow, ...]
    pages: Page[Covered] | None
    only: str
    base_query: str
    import_url: str
    api_url: str

    @classmethod
    def build(
        cls, header: DiscussionHeader, coverage: Coverage | None, page: Page[Covered] | None, only: Trouble | None
    ) -> CoverageContext:
        """The page for one filter."""
        ref = header.card.ref
        return cls(
            discussion=DiscussionStrip.build(header, "coverage-detail"),
            strip=CoverageStrip.build(ref, coverage) if coverage else None,
            findings=tuple(_findings(ref, coverage)) if coverage else (),
            rows=tuple(CoveredRow.build(ref, chunk) for chunk in page.items) if page else (),
            pages=page,
            only=TROUBLES[only].text if only else "",
            base_query=query_string([("only", only.value if only else ""), size_parameter(page)]) if page else "",
            import_url=page_address("transcript-import", ref),
            api_url=discussion_api_address(ref, "coverage"),
        )


@dataclass(frozen=True, slots=True)
class CoveredLine:
    """One message under a chunk."""

    number: int
    role: str
    name: str
    text: str
    is_changed: bool
    is_anchor: bool
    """Its hash is the one the chunk keeps."""
    url: str


@dataclass(frozen=True, slots=True)
class CoveredMessagesContext:
    """The messages that one chunk was made from."""

    discussion: DiscussionStrip
    chunk: CoveredRow | None
    """None without a transcript."""
    text: str
    """Of the chunk."""
    lines: tuple[CoveredLine, ...]
    pages: Page[int] | None
    number: int
    chunk_url: str
    page_url: str
    import_url: str
    api_url: str

    @classmethod
    def build(
        cls,
        header: DiscussionHeader,
        chunk: Chunk,
        covered: Covered | None,
        page: Page[int] | None,
        lines: Sequence[TranscriptLine],
    ) -> CoveredMessagesContext:
        """One page of the messages of a chunk."""
        ref, number = header.card.ref, chunk.number
        return cls(
            discussion=DiscussionStrip.build(header, "coverage-detail"),
            chunk=CoveredRow.build(ref, covered) if covered else None,
            text=chunk.text,
            lines=tuple(_line(ref, line, covered) for line in lines) if covered else (),
            pages=page,
            number=number,
            chunk_url=page_address("chunk-detail", ref, number),
            page_url=page_address("covered-messages", ref, number),
            import_url=page_address("transcript-import", ref),
            api_url=discussion_api_address(ref, "chunks", str(number), "messages"),
        )


TROUBLES = {
    Trouble.STALE: Label("stale", "stale", "Messages it was made from were changed since."),
    Trouble.UNMATCHED: Label("unmatched", "error", "No message of the chat has its hash."),
    Trouble.AMBIGUOUS: Label(
        "ambiguous", "stale", "Several messages have its hash; WilmerAI may skip what lies between them."
    ),
    Trouble.GAP: Label("gap before", "stale", "Messages in front of it are in no chunk and never will be."),
    Trouble.OVERLAP: Label("processed again", "stale", "An earlier chunk ends behind it."),
}


def format_messages(chunk: Covered) -> str:
    """`messages 68–73`, or what stands in the way."""
    if chunk.first is None or chunk.last is None:
        return "no message has its hash"
    if chunk.first == chunk.last:
        return f"message {chunk.first:,}"
    return f"messages {chunk.first:,}–{chunk.last:,}"


def explain_troubles(chunk: Covered) -> Iterator[str]:
    """One sentence for each trouble, with the messages concerned."""
    if chunk.changed:
        yield f"Changed since: {_list_numbers(chunk.changed)}."
    gone = chunk.lost - len(chunk.changed)
    if gone > 0:
        yield f"{format_count(gone, 'message')} it was made from {'is' if gone == 1 else 'are'} gone."
    if chunk.gap:
        first, last = chunk.gap
        yield (
            f"Messages {first:,}–{last:,} in front of it are in no chunk."
            if first != last
            else (f"Message {first:,} in front of it is in no chunk.")
        )
    if Trouble.AMBIGUOUS in chunk.troubles:
        yield f"Its last message occurs {len(chunk.candidates)} times: {_list_numbers(chunk.candidates)}."


def message_address(ref: DiscussionRef, number: int) -> str:
    """Where one message of the transcript is shown."""
    return page_address(TRANSCRIPT_PAGE, ref, parameters=[("at", number)]) + f"#message-{number}"


def _line(ref: DiscussionRef, line: TranscriptLine, covered: Covered) -> CoveredLine:
    return CoveredLine(
        number=line.number,
        role=line.role,
        name=line.name,
        text=line.text,
        is_changed=line.number in covered.changed,
        is_anchor=line.number == covered.last,
        url=message_address(ref, line.number),
    )


def _list_numbers(numbers: Sequence[int], limit: int = 8) -> str:
    shown = ", ".join(f"{number:,}" for number in numbers[:limit])
    more = f" and {len(numbers) - limit:,} more" if len(numbers) > limit else ""
    return f"message{'s' if len(numbers) > 1 else ''} {shown}{more}"


def _reach(last: int, total: int, *, is_known: bool) -> str:
    if not is_known:
        return "its hashes are not in this chat"
    return f"up to message {last:,} of {total:,}" if last else "nothing yet"


def _draw(ref: DiscussionRef, coverage: Coverage, last: int, chunks: Sequence[Covered]) -> Iterator[Stretch]:
    """Runs of messages that look alike; neighbours that differ only in their chunk are drawn as one."""
    kinds = _kinds(coverage, last, chunks)
    for kind, run in groupby(range(1, coverage.message_count + 1), key=lambda number: kinds[number - 1]):
        numbers = list(run)
        title = f"{_KIND_WORDS[kind]}: {format_span(numbers[0], numbers[-1])}"
        yield Stretch(
            f"{(numbers[0] - 1) / coverage.message_count * STRIP_WIDTH:.2f}",
            f"{len(numbers) / coverage.message_count * STRIP_WIDTH:.2f}",
            kind,
            title,
            message_address(ref, numbers[0]),
        )


def format_span(first: int, last: int) -> str:
    """`message 5`, or `messages 5 to 9`."""
    return f"message {first:,}" if first == last else f"messages {first:,} to {last:,}"


_KIND_WORDS = {
    "covered": "Remembered",
    "stale": "Remembered, but changed since",
    "gap": "Never remembered",
    "waiting": "Not yet",
    "tail": "Left out for now",
}


def _kinds(coverage: Coverage, last: int, chunks: Sequence[Covered]) -> list[str]:
    kinds = ["covered"] * last + ["waiting"] * (coverage.message_count - last)
    start = max(last, coverage.tail_start - 1)
    kinds[start:] = ["tail"] * (coverage.message_count - start)
    for chunk in chunks:
        for number in chunk.changed:
            kinds[number - 1] = "stale"
        if chunk.gap:
            first, end = chunk.gap
            kinds[first - 1 : end] = ["gap"] * (end - first + 1)
    return kinds


def _findings(ref: DiscussionRef, coverage: Coverage) -> Iterator[tuple[Label, str, str]]:
    for trouble, count in coverage.counts.items():
        if count:
            url = page_address("coverage-detail", ref, parameters=[("only", trouble.value)])
            yield TROUBLES[trouble], f"{format_count(count, 'chunk')}: {TROUBLES[trouble].hint}", url
    if coverage.summary_behind:
        tone: Tone = "stale"
        text = f"The rolling summary is {format_count(coverage.summary_behind, 'chunk')} behind."
        yield Label("summary behind", tone), text, page_address("summary-detail", ref)
    for name, reach in (("File memory", coverage.file), ("Vector memory", coverage.vector)):
        if not reach.is_known:
            text = f"{name} has hashes, but none of them is in this chat: is it the right one, in the right form?"
            yield Label("no match", "error"), text, page_address(TRANSCRIPT_PAGE, ref)
