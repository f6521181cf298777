"""Where a chunk can be split: the messages it covers, as far as a transcript or the timestamps tell."""

from __future__ import annotations

from collections.abc import Sequence

from memory.engine.covered_messages import spans_of
from memory.engine.split_places import SplitPlace, build_places, find_timed_places
from memory.queries.coverage import list_message_hashes
from memory.queries.transcripts import find_transcript, list_messages
from memory.results import ApiKeys
from memory.stores.readings import recall_list, recall_object
from memory.types import Artefact, DiscussionRef, Entry
from memory.wiring import open_discussion


def list_split_places(ref: DiscussionRef, number: int, keys: ApiKeys) -> tuple[SplitPlace, ...]:
    """The messages that the first part of a chunk may end with, oldest first; none when nothing is known of them.

    Raises DiscussionNotFoundError.
    """
    discussion = open_discussion(ref, keys)
    ledger = recall_list(discussion, Artefact.MEMORIES).entries
    if not 1 <= number <= len(ledger):
        return ()
    return _from_transcript(ref, ledger, number) or find_timed_places(
        ledger, number, recall_object(discussion, Artefact.TIMESTAMPS).values
    )


def _from_transcript(ref: DiscussionRef, ledger: Sequence[Entry], number: int) -> tuple[SplitPlace, ...]:
    card = find_transcript(ref)
    span = spans_of(ledger, list_message_hashes(card.id))[number - 1].span if card else None
    if span is None:
        return ()
    lines = list_messages(ref, span.start + 1, span.end + 1)
    return build_places([(line.number, line.hash, line.text) for line in lines])
