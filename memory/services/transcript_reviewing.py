"""Everything that the page about a file needs, wherever the file stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memory.engine.transcript_files import FileContents, FoundConversation
from memory.queries.transcript_reviews import ImportReview, count_matches, review_import
from memory.results import ApiKeys
from memory.services.transcripts_importing import (
    ImportedConversation,
    Phase,
    Progress,
    find_conversation,
    get_progress,
    list_results,
)
from memory.services.transcripts_reading import find_contents
from memory.stores.uploads import Upload
from memory.types import DiscussionRef

MAX_MATCHED_MESSAGES = 60_000
"""In a larger file conversations are listed without saying how well each agrees with the discussion."""


@dataclass(frozen=True, slots=True)
class ReviewState:
    """A file as it stands."""

    upload_id: str
    file_name: str
    progress: Progress
    contents: FileContents | None = None
    found: FoundConversation | None = None
    """The conversation that is looked at."""
    target: DiscussionRef | None = None
    review: ImportReview | None = None
    matches: Mapping[int, int] = field(default_factory=dict)
    """Stored hashes found in each conversation."""
    results: tuple[ImportedConversation, ...] = ()


def open_review(ref: DiscussionRef, upload: Upload, number: int | None, discussion: str, keys: ApiKeys) -> ReviewState:
    """What can be said of a file now. A file with one conversation is looked at closely at once.

    Raises InvalidError for a conversation that is not there, DiscussionNotFoundError for a discussion.
    """
    progress, contents = get_progress(upload), find_contents(upload)
    name = str(upload.read_notes("file").get("name", ""))
    if progress.phase is Phase.IMPORTED:
        return ReviewState(upload.id, name, progress, contents, results=list_results(upload))
    if progress.phase is not Phase.READ or contents is None or not contents.conversations:
        return ReviewState(upload.id, name, progress, contents)
    if number is None and len(contents.conversations) > 1:
        return ReviewState(upload.id, name, progress, contents, matches=_match(ref, upload, contents, keys))
    found = find_conversation(contents, number or 1)
    target = DiscussionRef.parse(discussion) if discussion else ref
    review = review_import(target, upload.conversation(found.number), keys)
    return ReviewState(upload.id, name, progress, contents, found, target, review)


def _match(ref: DiscussionRef, upload: Upload, contents: FileContents, keys: ApiKeys) -> Mapping[int, int]:
    if contents.message_count > MAX_MATCHED_MESSAGES:
        return {}
    conversations = {found.number: upload.conversation(found.number) for found in contents.conversations}
    return count_matches(ref, conversations, keys)
