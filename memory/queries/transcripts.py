"""The chat messages that were imported for a discussion; WilmerAI itself keeps only their hashes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from django.db.models import QuerySet

from memory.engine.transcripts import (
    DEFAULT_VARIANT,
    Said,
    TranscriptCard,
    TranscriptLine,
    find_variant,
    prepare_message,
)
from memory.models import Transcript, TranscriptMessage
from memory.types import DiscussionRef, Message
from memory.wiring import get_public_folder
from wilmer_site.lib.errors import NotFoundError
from wilmer_site.lib.paging import Page, PageRequest

BATCH = 500
"""Rows that are fetched or asked for at once."""


def find_transcript(ref: DiscussionRef) -> TranscriptCard | None:
    """What is known of a discussion's transcript; None when there is none."""
    row = find_row(ref)
    return build_card(ref, row) if row else None


def get_transcript(ref: DiscussionRef) -> TranscriptCard:
    """The same; raises NotFoundError when there is none."""
    card = find_transcript(ref)
    if card is None:
        raise no_transcript(ref)
    return card


def no_transcript(ref: DiscussionRef) -> NotFoundError:
    """What to raise where the messages are needed and not known."""
    return NotFoundError(
        f"{ref.discussion_id!r} has no transcript. Import the chat on its page Transcript.", discussion=ref.text
    )


def list_messages(ref: DiscussionRef, start: int, stop: int) -> tuple[TranscriptLine, ...]:
    """Messages number `start` (from 1) up to but without `stop`; fewer where the transcript ends, none without one."""
    rows = _messages(ref).filter(number__gte=start, number__lt=stop)
    return tuple(build_line(row) for row in rows)


def page_messages(ref: DiscussionRef, page: PageRequest, *, contains: str = "") -> Page[TranscriptLine]:
    """One page of messages, oldest first; only those whose text holds these words, if there are any."""
    rows = _messages(ref)
    if contains:
        rows = rows.filter(content__icontains=contains)
    items = [build_line(row) for row in rows[page.offset : page.offset + page.size]]
    return Page(items, rows.count(), page.number, page.size)


def list_matching_numbers(ref: DiscussionRef, text: str, *, limit: int) -> tuple[int, ...]:
    """The numbers of the first messages whose text holds these words, letter case ignored."""
    rows = _messages(ref).filter(content__icontains=text).values_list("number", flat=True)
    return tuple(rows[:limit])


def load_conversation(ref: DiscussionRef) -> tuple[Message, ...]:
    """All messages as the memory layer receives them (memory.md §1), system messages included, blank ones dropped.

    Empty without a transcript.
    """
    return _prepared(ref)[1]


def load_numbers(ref: DiscussionRef) -> tuple[int, ...]:
    """The number of each message of `load_conversation`, in the same order."""
    return _prepared(ref)[0]


def load_raw_messages(ref: DiscussionRef) -> list[dict[str, Any]] | None:
    """The messages as a chat client would send them; None without a transcript."""
    if find_row(ref) is None:
        return None
    return [_raw(row) for row in _messages(ref).iterator(chunk_size=BATCH)]


def find_numbers(ref: DiscussionRef, hashes: Iterable[str]) -> Mapping[str, tuple[int, ...]]:
    """Which messages have which of these hashes; a hash that none has is left out."""
    wanted = list(dict.fromkeys(value for value in hashes if value))
    found: dict[str, list[int]] = defaultdict(list)
    for start in range(0, len(wanted), BATCH):
        rows = _messages(ref).filter(hash__in=wanted[start : start + BATCH])
        for value, number in rows.values_list("hash", "number"):
            found[value].append(number)
    return {value: tuple(numbers) for value, numbers in found.items()}


def find_message_hash(ref: DiscussionRef, number: int) -> str:
    """The identity of one message of the transcript; empty when there is none, or memory never sees it."""
    line = next(iter(list_messages(ref, number, number + 1)), None)
    return line.hash if line else ""


def has_transcript(ref: DiscussionRef) -> bool:
    """Whether the messages of a discussion are known."""
    return find_row(ref) is not None


def list_refs() -> list[DiscussionRef]:
    """The discussions of the folder that is open whose messages are known, by name."""
    rows = Transcript.objects.filter(folder=folder_key()).order_by("discussion")
    return [DiscussionRef.parse(text) for text in rows.values_list("discussion", flat=True)]


def iterate_said(ref: DiscussionRef) -> Iterator[tuple[int, Said]]:
    """Every message as it was imported, with its number, a batch at a time."""
    rows = _messages(ref).values_list("number", "role", "content", "name", "images", "sent_at")
    for number, role, content, name, images, sent_at in rows.iterator(chunk_size=BATCH):
        yield number, Said(role, content, name, tuple(images), sent_at)


def folder_key() -> str:
    """How the folder that is open is named in rows."""
    return storable(str(get_public_folder().discussions_root))


def storable(text: str) -> str:
    """The text without what a database refuses: halves of surrogate pairs and NUL, both shown as escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\x00", "\\x00")


def find_row(ref: DiscussionRef) -> Transcript | None:
    """The row of a transcript."""
    return Transcript.objects.filter(folder=folder_key(), discussion=storable(ref.text)).first()


def build_card(ref: DiscussionRef, row: Transcript) -> TranscriptCard:
    """A row as a value."""
    return TranscriptCard(
        ref=ref,
        id=row.pk,
        title=row.title,
        format=row.format,
        source_name=row.source_name,
        source_digest=row.source_digest,
        variant=find_variant(row.variant) or DEFAULT_VARIANT,
        message_count=row.message_count,
        created_at=row.created_at,
        updated_at=row.updated_at,
        imported_by=row.imported_by,
    )


def build_line(row: TranscriptMessage) -> TranscriptLine:
    """A row as a value."""
    return TranscriptLine(row.number, row.role, row.name, row.content, row.sent_at, row.hash, tuple(row.images))


def build_said(row: TranscriptMessage) -> Said:
    """What was said, without its place."""
    return Said(row.role, row.content, row.name, tuple(row.images), row.sent_at)


def _messages(ref: DiscussionRef) -> QuerySet[TranscriptMessage]:
    owner = {"transcript__folder": folder_key(), "transcript__discussion": storable(ref.text)}
    return TranscriptMessage.objects.filter(**owner).order_by("number")


def _prepared(ref: DiscussionRef) -> tuple[tuple[int, ...], tuple[Message, ...]]:
    card = find_transcript(ref)
    return _prepare(ref, card) if card else ((), ())


@lru_cache(maxsize=2)
def _prepare(ref: DiscussionRef, card: TranscriptCard) -> tuple[tuple[int, ...], tuple[Message, ...]]:
    """Numbers and messages; kept for as long as the card stays the same, which any change of the chat changes."""
    found = [
        (number, message) for number, said in iterate_said(ref) if (message := prepare_message(said, card.variant))
    ]
    return tuple(number for number, _ in found), tuple(message for _, message in found)


def _raw(row: TranscriptMessage) -> dict[str, Any]:
    message: dict[str, Any] = {"role": row.role, "content": row.content}
    return {**message, "images": row.images} if row.images else message
