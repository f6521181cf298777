"""The chat of a discussion: its messages with what is remembered of them, and the form its hashes were taken in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.contexts.addresses import discussion_api_address, page_address, query_string, size_parameter
from memory.contexts.discussions import DiscussionStrip
from memory.contexts.pending_imports import PendingRow
from memory.engine.coverage import Coverage, Reach
from memory.engine.transcripts import TextForm, TranscriptCard, TranscriptLine, Variant
from memory.forms_transcripts import TranscriptRequest
from memory.queries.transcript_matching import VariantMatch
from memory.results import DiscussionHeader
from memory.types import DiscussionRef
from wilmer_site.lib.paging import Page

PREVIEW_CHARACTERS = 4000
"""How much of a long message the list shows before it is opened."""

ROLE_WORDS = {"user": "User", "assistant": "Assistant", "system": "System"}

FORM_WORDS = {
    TextForm.RAW: "as it stands",
    TextForm.STRIPPED: "without blanks at both ends",
    TextForm.ROLE_LABEL: "with “User: ” or “Assistant: ” in front",
    TextForm.NAME_LABEL: "with the speaker's name in front",
}

_LAYERS = (("file", "File memory"), ("vector", "Vector memory"), ("summary", "The rolling summary"))


@dataclass(frozen=True, slots=True)
class MessageRow:
    """One message in the list."""

    number: int
    role: str
    role_word: str
    name: str
    text: str
    rest: str
    """What a long message goes on with."""
    sent_at: datetime | None
    hash: str
    image_count: int
    chunk: int | None
    chunk_url: str
    dividers: tuple[str, ...]
    """What ends with this message."""
    is_target: bool = False

    @classmethod
    def build(cls, ref: DiscussionRef, line: TranscriptLine, coverage: Coverage | None, at: int | None) -> MessageRow:
        """Words for one message."""
        chunk = coverage.chunk_of(line.number) if coverage else None
        return cls(
            number=line.number,
            role=line.role if line.role in ROLE_WORDS else "other",
            role_word=ROLE_WORDS.get(line.role, line.role),
            name=line.name,
            text=line.text[:PREVIEW_CHARACTERS],
            rest=line.text[PREVIEW_CHARACTERS:],
            sent_at=line.sent_at,
            hash=line.hash,
            image_count=len(line.images),
            chunk=chunk,
            chunk_url=page_address("chunk-detail", ref, chunk) if chunk else "",
            dividers=tuple(list_dividers(coverage, line.number)),
            is_target=line.number == at,
        )


@dataclass(frozen=True, slots=True)
class TranscriptContext:
    """One page of messages."""

    discussion: DiscussionStrip
    card: TranscriptCard | None
    rows: tuple[MessageRow, ...]
    pages: Page[TranscriptLine]
    base_query: str
    contains: str
    at: int | None
    reaches: tuple[tuple[str, str, str], ...]
    """Layer, how far it has got in words, and the address of that place."""
    variant_words: str
    list_url: str
    import_url: str
    settings_url: str
    api_url: str
    pending: tuple[PendingRow, ...] = ()
    """Files on their way into it."""

    @classmethod
    def build(
        cls,
        header: DiscussionHeader,
        card: TranscriptCard | None,
        page: Page[TranscriptLine],
        coverage: Coverage | None,
        asked: TranscriptRequest,
    ) -> TranscriptContext:
        """The page a URL asks for."""
        ref = header.card.ref
        return cls(
            discussion=DiscussionStrip.build(header, "transcript-detail"),
            card=card,
            rows=tuple(MessageRow.build(ref, line, coverage, asked.at) for line in page.items),
            pages=page,
            base_query=query_string([("contains", asked.contains), size_parameter(page)]),
            contains=asked.contains,
            at=asked.at,
            reaches=tuple(_list_reaches(ref, coverage)) if coverage else (),
            variant_words=format_variant(card.variant) if card else "",
            list_url=page_address("transcript-detail", ref),
            import_url=page_address("transcript-import", ref),
            settings_url=page_address("transcript-settings", ref),
            api_url=discussion_api_address(ref, "transcript", "messages"),
        )


@dataclass(frozen=True, slots=True)
class TranscriptSettingsContext:
    """How a transcript is hashed, and the way to detach it."""

    discussion: DiscussionStrip
    card: TranscriptCard | None
    matches: tuple[MatchRow, ...]
    has_stored_hashes: bool
    transcript_url: str
    import_url: str
    delete_url: str
    api_url: str

    @classmethod
    def build(
        cls, header: DiscussionHeader, card: TranscriptCard | None, matches: Sequence[VariantMatch]
    ) -> TranscriptSettingsContext:
        """The page; `matches` are in the order in which they are shown."""
        ref = header.card.ref
        chosen = card.variant.code if card else ""
        return cls(
            discussion=DiscussionStrip.build(header, "transcript-detail"),
            card=card,
            matches=tuple(build_match_row(match, is_chosen=match.variant.code == chosen) for match in matches),
            has_stored_hashes=bool(matches and matches[0].total),
            transcript_url=page_address("transcript-detail", ref),
            import_url=page_address("transcript-import", ref),
            delete_url=page_address("transcript-delete", ref),
            api_url=discussion_api_address(ref, "transcript"),
        )


@dataclass(frozen=True, slots=True)
class MatchRow:
    """One hash form and how well it agrees with what is stored."""

    code: str
    words: str
    ledger: str
    log: str
    timestamps: str
    percent: int | None
    is_chosen: bool


def build_match_row(match: VariantMatch, *, is_chosen: bool) -> MatchRow:
    """Words for one hash form."""
    return MatchRow(
        code=match.variant.code,
        words=format_variant(match.variant),
        ledger=_of(match.ledger, match.ledger_total),
        log=_of(match.log, match.log_total),
        timestamps=_of(match.timestamps, match.timestamps_total),
        percent=match.percent,
        is_chosen=is_chosen,
    )


def _of(found: int, total: int) -> str:
    return f"{found:,} of {total:,}" if total else "none stored"


def message_address(ref: DiscussionRef, number: int) -> str:
    """The place of a message in the list."""
    return page_address("transcript-detail", ref, parameters=[("at", number)]) + f"#message-{number}"


def format_variant(variant: Variant) -> str:
    """The form in which messages are hashed, in words."""
    braces = "braces kept" if variant.braces.value == "braces" else "braces as words"
    return f"{FORM_WORDS[variant.text]}, {braces}"


def list_dividers(coverage: Coverage | None, number: int) -> list[str]:
    """What ends with a message."""
    if coverage is None:
        return []
    return [f"{word}: remembered up to here" for name, word in _LAYERS if _reach(coverage, name).last == number]


def _list_reaches(ref: DiscussionRef, coverage: Coverage) -> list[tuple[str, str, str]]:
    return [(word, _reach_words(_reach(coverage, name), coverage), _reach_url(ref, _reach(coverage, name)))
            for name, word in _LAYERS]  # fmt: skip


def _reach(coverage: Coverage, name: str) -> Reach:
    reach: Reach = getattr(coverage, name)
    return reach


def _reach_words(reach: Reach, coverage: Coverage) -> str:
    if not reach.is_known:
        return "has hashes, none of them in this chat"
    return f"reaches message {reach.last:,} of {coverage.message_count:,}" if reach.last else "has not begun"


def _reach_url(ref: DiscussionRef, reach: Reach) -> str:
    return message_address(ref, reach.last) if reach.last else ""
