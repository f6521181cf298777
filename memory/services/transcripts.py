"""Attaching a chat to a discussion, making it longer, replacing it, detaching it. WilmerAI's files stay as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from django.db import transaction

from memory.engine.transcript_changes import ImportOutcome, TranscriptChange
from memory.engine.transcripts import Said, Variant, find_variant, hash_said
from memory.models import Transcript, TranscriptMessage
from memory.queries.transcript_matching import choose_variant, measure_variants
from memory.queries.transcript_reviews import plan_import
from memory.queries.transcripts import BATCH, build_said, find_row, folder_key, storable
from memory.results import ApiKeys
from memory.services.coverage_notes import note_coverage
from memory.services.permission import require_changes_allowed
from memory.types import DiscussionRef
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.errors import ConflictError, InvalidError, NotFoundError

BATCH_CHARACTERS = 2_000_000
"""How much text is written at once."""

Report = Callable[[int], None]
"""Told how many messages are done."""


@dataclass(frozen=True, slots=True)
class ImportFacts:
    """Where messages come from."""

    format: str
    source_name: str = ""
    source_digest: str = ""
    """SHA-256 of the file."""
    title: str = ""
    imported_by: str = ""


@dataclass(frozen=True, slots=True)
class ImportChoices:
    """What a person decided."""

    variant: Variant | None = None
    """None: the one that matches best, or the one the transcript has."""
    replaces: bool = False
    """Whether stored messages that the file does not have are given up."""
    keys: ApiKeys = field(default_factory=dict)
    """Open encrypted files, so that their hashes count for the match."""


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What an import did."""

    outcome: ImportOutcome
    added: int
    removed: int
    total: int
    variant: Variant


def import_transcript(
    ref: DiscussionRef,
    messages: Iterable[Said],
    facts: ImportFacts,
    choices: ImportChoices = ImportChoices(),
    *,
    report: Report = lambda _: None,
) -> ImportResult:
    """Attach a chat: a first one whole, of a longer one what is new, the same one changes nothing.

    `messages` are iterated several times. Raises DiscussionNotFoundError, InvalidError without messages, ConflictError
    when stored messages would be lost and that was not asked for, and RefusedError in read-only mode.
    """
    require_changes_allowed()
    change = plan_import(ref, messages)
    if not change.count_new:
        raise InvalidError("There are no messages to attach.", field="messages")
    if change.needs_consent and not choices.replaces:
        raise ConflictError(_clash(ref, change), outcome=change.outcome.value, kept=change.count_kept)
    with transaction.atomic():
        # Before a message changes, and again after: what chunks were made from is told by the oldest chat that fits.
        note_coverage(ref, choices.keys)
        row = find_row(ref) or _build_row(ref)
        writer = _Writer(row, _choose_variant(ref, row, messages, choices), report)
        result = writer.write(messages, facts, change)
        note_coverage(ref, choices.keys)
    return result


def delete_transcript(ref: DiscussionRef) -> int:
    """Detach a transcript; returns how many messages it had. Raises NotFoundError, and RefusedError when read-only."""
    require_changes_allowed()
    row = _get_row(ref)
    count = row.message_count
    with transaction.atomic():
        TranscriptMessage.objects.filter(transcript=row).delete()
        row.delete()
    return count


def change_variant(ref: DiscussionRef, code: str) -> int:
    """Hash every message in another form; returns how many there are.

    Raises NotFoundError, InvalidError for an unknown form, and RefusedError when read-only.
    """
    require_changes_allowed()
    row, variant = _get_row(ref), parse_variant(code)
    with transaction.atomic():
        _hash_again(row, variant)
        Transcript.objects.filter(pk=row.pk).update(variant=variant.code, updated_at=utc_now())
        note_coverage(ref, {})
    return row.message_count


def parse_variant(code: str) -> Variant:
    """The variant of that name; raises InvalidError."""
    variant = find_variant(code)
    if variant is None:
        raise InvalidError(f"There is no hash form {code[:60]!r}.", field="variant")
    return variant


def _get_row(ref: DiscussionRef) -> Transcript:
    row = find_row(ref)
    if row is None:
        raise NotFoundError(f"{ref.discussion_id!r} has no transcript.", discussion=ref.text)
    return row


def _build_row(ref: DiscussionRef) -> Transcript:
    now = utc_now()
    return Transcript(folder=folder_key(), discussion=storable(ref.text), created_at=now, updated_at=now)


def _choose_variant(ref: DiscussionRef, row: Transcript, messages: Iterable[Said], choices: ImportChoices) -> Variant:
    """Named, else as stored, else the best match."""
    stored = find_variant(row.variant) if row.pk else None
    return choices.variant or stored or choose_variant(measure_variants(ref, messages, choices.keys))


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes one transcript inside a transaction."""

    row: Transcript
    variant: Variant
    report: Report

    def write(self, messages: Iterable[Said], facts: ImportFacts, change: TranscriptChange) -> ImportResult:
        """Keep what is equal, drop the rest, add what is new."""
        if change.outcome is not ImportOutcome.SAME:
            self._describe(facts, change.count_after)
        self._save()
        if change.count_going:
            TranscriptMessage.objects.filter(transcript=self.row, number__gt=change.count_kept).delete()
        self._append(islice(messages, change.count_known, None), change.count_kept)
        return ImportResult(change.outcome, change.count_coming, change.count_going, change.count_after, self.variant)

    def _describe(self, facts: ImportFacts, count: int) -> None:
        row = self.row
        row.format, row.source_name = facts.format, storable(facts.source_name)[:500]
        row.source_digest, row.imported_by = facts.source_digest, facts.imported_by
        row.title = storable(facts.title)[:500] or row.title
        row.message_count, row.updated_at = count, utc_now()

    def _save(self) -> None:
        if self.row.pk and self.row.variant != self.variant.code:
            _hash_again(self.row, self.variant)
        self.row.variant = self.variant.code
        self.row.save()

    def _append(self, messages: Iterator[Said], number: int) -> None:
        for batch in _list_batches(messages):
            rows = [self._build(number + at, said) for at, said in enumerate(batch, 1)]
            TranscriptMessage.objects.bulk_create(rows)
            number += len(batch)
            self.report(number)

    def _build(self, number: int, said: Said) -> TranscriptMessage:
        return TranscriptMessage(
            transcript=self.row,
            number=number,
            role=said.role,
            name=said.name,
            content=said.content,
            images=list(said.images),
            sent_at=said.sent_at,
            hash=hash_said(said, self.variant),
        )


def _list_batches(messages: Iterator[Said]) -> Iterator[list[Said]]:
    """Messages in lots that are neither long nor large."""
    batch: list[Said] = []
    size = 0
    for said in messages:
        batch.append(said)
        size += len(said.content) + sum(map(len, said.images))
        if len(batch) >= BATCH or size >= BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _hash_again(row: Transcript, variant: Variant) -> None:
    last = 0
    while batch := list(TranscriptMessage.objects.filter(transcript=row, number__gt=last).order_by("number")[:BATCH]):
        for message in batch:
            message.hash = hash_said(build_said(message), variant)
        TranscriptMessage.objects.bulk_update(batch, ["hash"])
        last = batch[-1].number


def _clash(ref: DiscussionRef, change: TranscriptChange) -> str:
    if change.outcome is ImportOutcome.SHORTER:
        lost = change.count_going
        what = f"The file ends after message {change.count_kept}; the last {lost:,} stored messages are not in it"
    else:
        what = f"The file differs from message {change.count_kept + 1} on"
    return f"{what} ({ref.discussion_id!r} has {change.count_stored:,}). Nothing was changed; ask to replace them."
