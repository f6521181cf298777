"""What an import would do, before it does it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from memory.engine.messages import SYSTEM_ROLE
from memory.engine.transcript_changes import ImportOutcome, TranscriptChange, compare, digest_said
from memory.engine.transcripts import Said, list_variant_hashes
from memory.queries.transcript_matching import VariantMatch, get_stored_hashes, measure_variants
from memory.queries.transcripts import find_row, iterate_said, list_messages
from memory.results import ApiKeys
from memory.types import DiscussionRef
from memory.wiring import open_discussion

MAX_CHANGED_LINES = 200
"""How many changed messages are shown; all are counted."""

PREVIEW_MESSAGES = 5


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """One message that an import would take away or bring."""

    is_added: bool
    number: int
    """Among the stored messages, or in the file."""
    role: str
    text: str
    image_count: int = 0


@dataclass(frozen=True, slots=True)
class ImportReview:
    """Everything that a person decides upon."""

    change: TranscriptChange
    lines: tuple[ChangedLine, ...]
    matches: tuple[VariantMatch, ...]
    """The best first."""
    opening: tuple[Said, ...]
    """The first messages, or the first that would be added."""


def plan_import(ref: DiscussionRef, messages: Iterable[Said]) -> TranscriptChange:
    """How a chat stands to the transcript of a discussion. Raises DiscussionNotFoundError."""
    open_discussion(ref)
    exists = find_row(ref) is not None
    stored, stored_instructions = _digest_all(said for _, said in iterate_said(ref))
    incoming, instructions = _digest_all(messages)
    return compare(stored, incoming, exists=exists, instructions=(stored_instructions, instructions))


def review_import(ref: DiscussionRef, messages: Iterable[Said], keys: ApiKeys) -> ImportReview:
    """What an import would change, and how each hash form agrees with what WilmerAI stored.

    `messages` are iterated several times. Raises DiscussionNotFoundError.
    """
    change = plan_import(ref, messages)
    first = change.count_known if change.outcome is ImportOutcome.LONGER else 0
    return ImportReview(
        change=change,
        lines=tuple(islice(_list_lines(ref, messages, change), MAX_CHANGED_LINES)),
        matches=measure_variants(ref, messages, keys),
        opening=tuple(islice(messages, first, first + PREVIEW_MESSAGES)),
    )


def count_matches(ref: DiscussionRef, conversations: Mapping[int, Iterable[Said]], keys: ApiKeys) -> Mapping[int, int]:
    """How many of a discussion's stored hashes occur in each conversation, in any form; 0 is left out."""
    wanted = get_stored_hashes(ref, keys).all
    if not wanted:
        return {}
    counts = {number: len(wanted & _hashes(messages)) for number, messages in conversations.items()}
    return {number: count for number, count in counts.items() if count}


def _digest_all(messages: Iterable[Said]) -> tuple[list[bytes], int]:
    """The digest of each message, and how many system messages stand before the first other one."""
    digests: list[bytes] = []
    instructions = 0
    for said in messages:
        instructions += said.role == SYSTEM_ROLE and instructions == len(digests)
        digests.append(digest_said(said))
    return digests, instructions


def _hashes(messages: Iterable[Said]) -> set[str]:
    return {value for said in messages for _, value in list_variant_hashes(said)}


def _list_lines(ref: DiscussionRef, messages: Iterable[Said], change: TranscriptChange) -> Iterator[ChangedLine]:
    """Block by block: what goes, then what comes."""
    if change.outcome is ImportOutcome.SHORTER:
        yield from _removed(ref, change.count_kept, change.count_stored)
    for block in change.blocks:
        yield from _removed(ref, block.old.start, block.old.end)
        added = islice(messages, block.new.start, min(block.new.end, block.new.start + MAX_CHANGED_LINES))
        for number, said in enumerate(added, block.new.start + 1):
            yield ChangedLine(True, number, said.role, said.content, len(said.images))


def _removed(ref: DiscussionRef, start: int, end: int) -> Iterator[ChangedLine]:
    for line in list_messages(ref, start + 1, min(end, start + MAX_CHANGED_LINES) + 1):
        yield ChangedLine(False, line.number, line.role, line.text, len(line.images))
