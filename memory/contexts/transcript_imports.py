"""Bringing in a chat: the form, what was found in a file, and what an import would change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.contexts.addresses import page_address, with_parameters
from memory.contexts.discussions import DiscussionStrip
from memory.contexts.pending_imports import PendingRow
from memory.contexts.transcripts import MatchRow, build_match_row
from memory.engine.transcript_changes import ImportOutcome
from memory.engine.transcript_files import FileContents, FoundConversation
from memory.engine.transcripts import Said, TranscriptCard
from memory.forms_transcripts import UploadForm
from memory.queries.transcript_reviews import ChangedLine, ImportReview
from memory.results import DiscussionHeader
from memory.services.transcript_reviewing import ReviewState
from memory.services.transcripts_importing import RUNNING, ImportedConversation, Progress
from memory.types import DiscussionRef

CHANGE_CHARACTERS = 400
MAX_CHOICES = 300
"""How many conversations of one file are offered at once."""


@dataclass(frozen=True, slots=True)
class TranscriptImportContext:
    """The page where a file is dropped."""

    discussion: DiscussionStrip
    form: UploadForm
    card: TranscriptCard | None
    formats: tuple[str, ...]
    is_read_only: bool
    transcript_url: str
    api_url: str = ""
    pending: tuple[PendingRow, ...] = ()
    """Files that were brought in before."""

    @classmethod
    def build(
        cls,
        header: DiscussionHeader,
        form: UploadForm,
        card: TranscriptCard | None,
        formats: Sequence[str],
        *,
        is_read_only: bool,
    ) -> TranscriptImportContext:
        """The form as it was filled in."""
        ref = header.card.ref
        return cls(
            discussion=DiscussionStrip.build(header, "transcript-detail"),
            form=form,
            card=card,
            formats=tuple(formats),
            is_read_only=is_read_only,
            transcript_url=page_address("transcript-detail", ref),
        )


@dataclass(frozen=True, slots=True)
class ConversationRow:
    """One conversation of a file with several."""

    number: int
    title: str
    opening: str
    count: int
    first_at: datetime | None
    last_at: datetime | None
    tag: str
    matches: int
    discussion: str
    """What is proposed; empty for nothing."""
    look_url: str


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """A message that goes or comes."""

    is_added: bool
    number: int
    role: str
    text: str
    image_count: int = 0


@dataclass(frozen=True, slots=True)
class ReviewedConversation:
    """One conversation looked at closely."""

    number: int
    title: str
    count: int
    first_at: datetime | None
    last_at: datetime | None
    target: str
    is_elsewhere: bool
    tag: str
    tag_url: str
    outcome: str
    headline: str
    advice: str
    button: str
    is_dangerous: bool
    is_done: bool
    changes: tuple[ChangeRow, ...]
    matches: tuple[MatchRow, ...]
    has_stored_hashes: bool
    opening: tuple[ChangeRow, ...]

    @classmethod
    def build(cls, here: DiscussionRef, state: ReviewState, review_url: str) -> ReviewedConversation | None:
        """Everything that is decided upon; None while no conversation is looked at."""
        found, target, review = state.found, state.target, state.review
        if found is None or target is None or review is None:
            return None
        tag = found.discussion_id
        headline, advice, button = _OUTCOMES[review.change.outcome](review)
        return cls(
            number=found.number,
            title=found.title,
            count=found.count,
            first_at=_moment(found.first_at),
            last_at=_moment(found.last_at),
            target=target.text,
            is_elsewhere=target != here,
            tag=tag,
            tag_url=_look_address(review_url, found.number, tag) if tag not in ("", target.discussion_id) else "",
            outcome=review.change.outcome.value,
            headline=headline,
            advice=advice,
            button=button,
            is_dangerous=review.change.needs_consent,
            is_done=review.change.outcome is ImportOutcome.SAME,
            changes=tuple(_change_row(line) for line in review.lines),
            matches=tuple(build_match_row(match, is_chosen=at == 0) for at, match in enumerate(review.matches)),
            has_stored_hashes=bool(review.matches and review.matches[0].total),
            opening=tuple(
                _opening_row(at, said) for at, said in enumerate(review.opening, review.change.count_kept + 1)
            ),
        )


@dataclass(frozen=True, slots=True)
class TranscriptReviewContext:
    """What was found in a file."""

    discussion: DiscussionStrip
    file_name: str
    progress: Progress
    contents: FileContents | None
    rows: tuple[ConversationRow, ...]
    hidden_rows: int
    reviewed: ReviewedConversation | None
    results: tuple[tuple[ImportedConversation, str, str, str], ...]
    """What became of each conversation, and the addresses of its transcript, X-ray and Why."""
    is_running: bool
    review_url: str
    transcript_url: str
    import_url: str
    api_url: str = ""

    @classmethod
    def build(cls, header: DiscussionHeader, state: ReviewState) -> TranscriptReviewContext:
        """The page, wherever the file stands."""
        ref, contents = header.card.ref, state.contents
        url = page_address("transcript-review", ref, state.upload_id)
        is_list = state.found is None and contents is not None and not state.results
        return cls(
            discussion=DiscussionStrip.build(header, "transcript-detail"),
            file_name=state.file_name,
            progress=state.progress,
            contents=contents,
            rows=build_rows(ref, contents, state.matches, url) if is_list and contents else (),
            hidden_rows=max(0, len(contents.conversations) - MAX_CHOICES) if contents else 0,
            reviewed=ReviewedConversation.build(ref, state, url),
            results=tuple((result, *_next_addresses(result.discussion)) for result in state.results),
            is_running=state.progress.phase in RUNNING,
            review_url=url,
            transcript_url=page_address("transcript-detail", ref),
            import_url=page_address("transcript-import", ref),
        )


def build_rows(
    ref: DiscussionRef, contents: FileContents, matches: Mapping[int, int], review_url: str
) -> tuple[ConversationRow, ...]:
    """The conversations to choose from: those that agree with the discussion first."""
    best = max(matches, key=lambda number: matches[number], default=None)
    rows = [_conversation_row(ref, found, matches, review_url, is_best=found.number == best)
            for found in contents.conversations]  # fmt: skip
    return tuple(sorted(rows, key=lambda row: (-row.matches, row.number))[:MAX_CHOICES])


def _conversation_row(
    ref: DiscussionRef, found: FoundConversation, matches: Mapping[int, int], review_url: str, *, is_best: bool
) -> ConversationRow:
    proposed = found.discussion_id or (ref.text if is_best else "")
    return ConversationRow(
        number=found.number,
        title=found.title or "Without a title",
        opening=found.opening,
        count=found.count,
        first_at=_moment(found.first_at),
        last_at=_moment(found.last_at),
        tag=found.discussion_id,
        matches=matches.get(found.number, 0),
        discussion=proposed,
        look_url=f"{review_url}?conversation={found.number}",
    )


def _new_words(review: ImportReview) -> tuple[str, str, str]:
    count = _messages(review.change.count_new)
    return f"A first transcript of {count}", "WilmerAI's own files stay as they are.", f"Attach {count}"


def _same_words(review: ImportReview) -> tuple[str, str, str]:
    return (
        "Nothing new",
        f"All {_messages(review.change.count_known)} are attached already.",
        "Keep the transcript, take this hash form",
    )


def _longer_words(review: ImportReview) -> tuple[str, str, str]:
    change = review.change
    count = _messages(change.count_added)
    if change.begins_at:
        where = (
            f"The file begins with message {change.begins_at + 1:,} of the transcript and goes on behind its end. The "
            "older messages stay."
        )
        return f"{count} more", where, f"Add {count}"
    return f"{count} more", f"The first {change.count_kept:,} are the same as those attached.", f"Add {count}"


def _shorter_words(review: ImportReview) -> tuple[str, str, str]:
    change = review.change
    lost = _messages(change.count_going)
    return (
        f"The file ends {lost} earlier",
        (
            f"It says what the transcript says and stops after message {change.count_kept:,}. Importing it adds "
            f"nothing; replacing takes the last {lost} away."
        ),
        f"Replace: take away the last {lost}",
    )


def _edited_words(review: ImportReview) -> tuple[str, str, str]:
    change = review.change
    old = sum(len(block.old) for block in change.blocks)
    new = sum(len(block.new) for block in change.blocks)
    return (
        f"The chat was edited from message {change.count_kept + 1:,} on",
        (
            f"{_messages(old)} of the transcript would go, {_messages(new)} of the file would come. Memories made from "
            "edited messages show as stale afterwards."
        ),
        f"Replace {_messages(old)} by {_messages(new)}",
    )


_OUTCOMES = {
    ImportOutcome.NEW: _new_words,
    ImportOutcome.SAME: _same_words,
    ImportOutcome.LONGER: _longer_words,
    ImportOutcome.SHORTER: _shorter_words,
    ImportOutcome.EDITED: _edited_words,
}


def _change_row(line: ChangedLine) -> ChangeRow:
    return ChangeRow(line.is_added, line.number, line.role, _cut(line.text), line.image_count)


def _first_shown(review: ImportReview) -> int:
    return review.change.count_kept + 1 if review.change.outcome is ImportOutcome.LONGER else 1


def _opening_row(number: int, said: Said) -> ChangeRow:
    return ChangeRow(True, number, said.role, _cut(said.content))


def _next_addresses(discussion: str) -> tuple[str, str, str]:
    ref = DiscussionRef.parse(discussion)
    return page_address("transcript-detail", ref), page_address("coverage-detail", ref), page_address("why-detail", ref)


def _look_address(review_url: str, number: int, discussion: str) -> str:
    return with_parameters(review_url, [("conversation", number), ("to", discussion)])


def _cut(text: str) -> str:
    return text if len(text) <= CHANGE_CHARACTERS else text[:CHANGE_CHARACTERS].rstrip() + " …"


def _messages(count: int) -> str:
    return f"{count:,} message{'' if count == 1 else 's'}"


def _moment(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
