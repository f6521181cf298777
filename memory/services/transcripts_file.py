"""A file imported in one step, for programs and the command line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from memory.engine.transcript_changes import TranscriptChange
from memory.engine.transcript_files import FileContents, FoundConversation
from memory.engine.transcripts import Variant
from memory.queries.transcript_matching import VariantMatch, choose_variant
from memory.queries.transcript_reviews import review_import
from memory.queries.transcripts import find_transcript
from memory.results import ApiKeys
from memory.services.transcripts import ImportChoices, ImportResult, import_transcript, parse_variant
from memory.services.transcripts_importing import (
    Upload,
    find_conversation,
    get_facts,
    read_file,
    receive_upload,
)
from memory.types import DiscussionRef
from wilmer_site.lib.errors import InvalidError

MAX_NAMED = 50
"""How many conversations an error names."""


@dataclass(frozen=True, slots=True)
class FileRequest:
    """Which file goes where, and what is decided already."""

    ref: DiscussionRef
    name: str
    conversation: int | None = None
    """Needed for a file with several."""
    variant: str = ""
    replaces: bool = False
    is_dry_run: bool = False
    actor: str = ""
    keys: ApiKeys = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FileImport:
    """What was found in a file, what it changes, and what was done."""

    contents: FileContents
    conversation: FoundConversation
    change: TranscriptChange
    matches: tuple[VariantMatch, ...]
    variant: Variant
    result: ImportResult | None
    """None for a dry run."""


def import_file(request: FileRequest, parts: Iterable[bytes]) -> FileImport:
    """Read a file and import one conversation of it; a dry run only says what would happen.

    Raises DiscussionNotFoundError, InvalidError for a file without a chat or with several and none named,
    ConflictError when stored messages would be lost, RefusedError when read-only, TooLargeError.
    """
    if request.variant:
        parse_variant(request.variant)
    upload = receive_upload(request.ref, request.name, parts, actor=request.actor, is_dry_run=request.is_dry_run)
    try:
        return _import(request, upload)
    finally:
        upload.delete()


def _import(request: FileRequest, upload: Upload) -> FileImport:
    contents = read_file(upload)
    found = _choose(contents, request.conversation)
    messages = upload.conversation(found.number)
    review = review_import(request.ref, messages, request.keys)
    named = parse_variant(request.variant) if request.variant else None
    card = find_transcript(request.ref)
    variant = named or (card.variant if card else choose_variant(review.matches))
    result = None
    if not request.is_dry_run:
        facts = get_facts(upload, contents, found.number)
        choices = ImportChoices(variant, request.replaces, request.keys)
        result = import_transcript(request.ref, messages, facts, choices)
    return FileImport(contents, found, review.change, review.matches, variant, result)


def _choose(contents: FileContents, number: int | None) -> FoundConversation:
    if not contents.conversations:
        told = contents.problems[0].text if contents.problems else "There is no chat in this file."
        raise InvalidError(told, field="file", problems=[problem.text for problem in contents.problems[:MAX_NAMED]])
    if number is None and len(contents.conversations) > 1:
        named = [{"number": one.number, "title": one.title, "messages": one.count} for one in contents.conversations]
        raise InvalidError(
            f"The file holds {len(named):,} conversations; say which one is meant.",
            field="conversation",
            conversations=named[:MAX_NAMED],
        )
    return find_conversation(contents, number or 1)
