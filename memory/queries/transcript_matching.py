"""How well a chat agrees with the hashes that WilmerAI stored, in every form the hashes may have been taken of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from memory.engine.transcripts import DEFAULT_VARIANT, VARIANTS, Said, TextForm, Variant, list_variant_hashes
from memory.results import ApiKeys, DatabaseState
from memory.stores.discussion_files import DiscussionFiles
from memory.stores.readings import recall_list, recall_object
from memory.stores.vector_db import VectorDatabase
from memory.types import Artefact, DiscussionRef, FileState
from memory.wiring import get_user_settings, open_discussion
from wilmer_site.lib.errors import WilmerError

PENDING_KEY = "PLACEHOLDER_TIMESTAMP_HASH_0000"
"""The one timestamp whose message is not known yet (memory.md §4)."""

LOG_LIMIT = 1_000_000


@dataclass(frozen=True, slots=True)
class StoredHashes:
    """The message hashes of a discussion, by where they stand."""

    ledger: frozenset[str] = frozenset()
    """`memories.json`."""
    log: frozenset[str] = frozenset()
    """`vector_memory_hash_log`."""
    timestamps: frozenset[str] = frozenset()
    """`timestamps.json`."""

    @property
    def all(self) -> frozenset[str]:
        """Every hash once."""
        return self.ledger | self.log | self.timestamps


@dataclass(frozen=True, slots=True)
class VariantMatch:
    """How many stored hashes are hashes of messages, if these are hashed in one variant."""

    variant: Variant
    ledger: int
    ledger_total: int
    log: int
    log_total: int
    timestamps: int
    timestamps_total: int

    @property
    def found(self) -> int:
        """Stored hashes that were found, counted once per place."""
        return self.ledger + self.log + self.timestamps

    @property
    def total(self) -> int:
        """Stored hashes, counted once per place."""
        return self.ledger_total + self.log_total + self.timestamps_total

    @property
    def percent(self) -> int | None:
        """The match rate, rounded down so that 100 means all; None when nothing is stored."""
        return self.found * 100 // self.total if self.total else None


def measure_variants(ref: DiscussionRef, messages: Iterable[Said], keys: ApiKeys) -> tuple[VariantMatch, ...]:
    """The match of every variant, the best first. Files that are locked or damaged count as empty.

    Raises DiscussionNotFoundError.
    """
    stored = get_stored_hashes(ref, keys)
    found = _find_hashes(messages, stored.all)
    preferred = get_usual_variant()
    matches = [_measure(variant, stored, found.get(variant, set())) for variant in VARIANTS]
    return tuple(sorted(matches, key=lambda match: (-match.found, match.variant != preferred)))


def choose_variant(matches: Iterable[VariantMatch]) -> Variant:
    """The best of measured variants; what the user's settings say when nothing matches."""
    best = next(iter(matches), None)
    return best.variant if best and best.found else get_usual_variant()


def get_usual_variant() -> Variant:
    """The form that WilmerAI hashes with the settings of the user whose config counts."""
    try:
        adds_labels = get_user_settings().adds_role_labels
    except WilmerError:
        return DEFAULT_VARIANT
    return Variant(TextForm.ROLE_LABEL) if adds_labels else DEFAULT_VARIANT


def get_stored_hashes(ref: DiscussionRef, keys: ApiKeys) -> StoredHashes:
    """Every message hash that WilmerAI stored for a discussion. Raises DiscussionNotFoundError."""
    discussion = open_discussion(ref, keys)
    ledger = (entry.hash for entry in recall_list(discussion, Artefact.MEMORIES).entries)
    times = recall_object(discussion, Artefact.TIMESTAMPS).values
    return StoredHashes(
        ledger=frozenset(value for value in ledger if value),
        log=_log_hashes(discussion, ref),
        timestamps=frozenset(times.keys() - {PENDING_KEY}),
    )


def _find_hashes(messages: Iterable[Said], wanted: frozenset[str]) -> Mapping[Variant, set[str]]:
    """Only what is stored is kept, so that memory stays bounded by the discussion, not by the file."""
    found: dict[Variant, set[str]] = defaultdict(set)
    for said in messages if wanted else ():
        for variant, value in list_variant_hashes(said):
            if value in wanted:
                found[variant].add(value)
    return found


def _measure(variant: Variant, stored: StoredHashes, found: set[str]) -> VariantMatch:
    return VariantMatch(
        variant=variant,
        ledger=len(stored.ledger & found),
        ledger_total=len(stored.ledger),
        log=len(stored.log & found),
        log_total=len(stored.log),
        timestamps=len(stored.timestamps & found),
        timestamps_total=len(stored.timestamps),
    )


def _log_hashes(discussion: DiscussionFiles, ref: DiscussionRef) -> frozenset[str]:
    if discussion.report(Artefact.VECTOR_MEMORY).state is FileState.UNREADABLE:
        return frozenset()
    database = VectorDatabase(discussion.vector_path(), ref.discussion_id)
    if database.describe().state in {DatabaseState.ABSENT, DatabaseState.UNREADABLE}:
        return frozenset()
    return frozenset(row.message_hash for row in database.list_progress(LOG_LIMIT) if row.message_hash)
