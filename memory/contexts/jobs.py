"""Jobs as a list, and one job with its drafts and its log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory.contexts.addresses import api_address, page_address, query_string, size_parameter
from memory.contexts.discussions import Chip
from memory.contexts.labels import Label, format_id
from memory.engine.fact_diff import compare_facts
from memory.engine.regeneration import Kind, RegenerationRequest
from memory.engine.tokens import estimate_tokens
from memory.queries.jobs import DraftCard, DraftState, JobCard, JobDetail, JobFilter, JobState, LogLine
from wilmer_site.lib.paging import Page

JOB_STATES = {
    JobState.QUEUED: Label("queued", "", "A worker takes it up in a moment."),
    JobState.RUNNING: Label("running", "", "A worker is at it."),
    JobState.REVIEW: Label("needs review", "stale", "Drafts wait for somebody to accept or reject them."),
    JobState.APPLIED: Label("applied", "ok", "What it made is stored."),
    JobState.FAILED: Label("failed", "error"),
    JobState.CANCELLED: Label("cancelled", "locked"),
    JobState.STALE: Label("out of date", "stale", "What its drafts would replace has changed since."),
}

DRAFT_STATES = {
    DraftState.WAITING: Label("not made yet"),
    DraftState.READY: Label("ready", "stale", "Waits for somebody to accept or reject it."),
    DraftState.FAILED: Label("failed", "error", "The model gave nothing that can be used as it is."),
    DraftState.ACCEPTED: Label("accepted", "ok"),
    DraftState.REJECTED: Label("rejected", "locked"),
    DraftState.STALE: Label("out of date", "stale", "What it would replace has changed since."),
}

SHOWN_PICKED = 8
"""So many hand-picked chunks are named in a headline."""

_CHIPS = {"": "All", JobState.CANCELLED: "Cancelled or rejected"}

LAYERS = {
    "memories": "chunks",
    "summary": "summary",
    "state-document": "state document",
    "vector": "vector memories",
}


@dataclass(frozen=True, slots=True)
class JobRow:
    """One job with its words."""

    card: JobCard
    title: str
    name: str
    """Of the discussion."""
    state: Label
    is_working: bool
    """Waits for a worker or is with one, so its page looks again."""
    url: str
    discussion_url: str

    @classmethod
    def build(cls, card: JobCard) -> JobRow:
        """Words and addresses."""
        return cls(
            card=card,
            title=describe_request(card.request),
            name=format_id(card.ref.discussion_id),
            state=_name_state(card),
            is_working=card.state in (JobState.QUEUED, JobState.RUNNING),
            url=page_address("job-detail", card.id),
            discussion_url=page_address("discussion-detail", card.ref),
        )


@dataclass(frozen=True, slots=True)
class JobListContext:
    """One page of jobs."""

    rows: tuple[JobRow, ...]
    pages: Page[JobCard]
    base_query: str
    chips: tuple[Chip, ...]
    is_filtered: bool
    is_live: bool
    self_url: str
    list_url: str
    discussions_url: str
    api_url: str

    @classmethod
    def build(cls, wanted: JobFilter, page: Page[JobCard], counts: Mapping[str, int]) -> JobListContext:
        """The page for one filter."""
        rows = tuple(JobRow.build(card) for card in page.items)
        parameters = [*_parameters(wanted), size_parameter(page)]
        return cls(
            rows=rows,
            pages=page,
            base_query=query_string(parameters),
            chips=tuple(_chip(wanted, state, counts) for state in ("", *JobState)),
            is_filtered=bool(wanted.state or wanted.discussion),
            is_live=any(row.is_working for row in rows),
            self_url=page_address(
                "job-list", parameters=[*parameters, ("page", page.number if page.number > 1 else "")]
            ),
            list_url=page_address("job-list"),
            discussions_url=page_address("discussion-list"),
            api_url=api_address("jobs", parameters=_parameters(wanted)),
        )


@dataclass(frozen=True, slots=True)
class DraftRow:
    """One draft in the table of its job."""

    card: DraftCard
    state: Label
    url: str
    old_tokens: int
    new_tokens: int | None
    lost: int
    gained: int
    is_undecided: bool

    @classmethod
    def build(cls, job_id: int, card: DraftCard) -> DraftRow:
        """Words, counts and addresses."""
        facts = compare_facts(card.old_text, card.new_text) if card.new_text else None
        return cls(
            card=card,
            state=DRAFT_STATES[card.state],
            url=page_address("draft-detail", job_id, card.position),
            old_tokens=estimate_tokens(card.old_text),
            new_tokens=estimate_tokens(card.new_text) if card.new_text else None,
            lost=len(facts.lost) if facts else 0,
            gained=len(facts.gained) if facts else 0,
            is_undecided=card.state in (DraftState.READY, DraftState.FAILED, DraftState.STALE),
        )


@dataclass(frozen=True, slots=True)
class Stored:
    """What accepting wrote once."""

    url: str
    is_taken_back: bool


@dataclass(frozen=True, slots=True)
class JobDetailContext:
    """One job."""

    job: JobRow
    drafts: tuple[DraftRow, ...]
    pages: Page[DraftCard]
    log: tuple[LogLine, ...]
    """The newest first."""
    stored: tuple[Stored, ...]
    """The newest first."""
    first_url: str
    """The draft to look at first."""
    ready: int
    self_url: str
    api_url: str

    @classmethod
    def build(cls, job: JobDetail, drafts: Page[DraftCard], next_draft: int | None) -> JobDetailContext:
        """The page of one job."""
        card = job.card
        return cls(
            job=JobRow.build(card),
            drafts=tuple(DraftRow.build(card.id, draft) for draft in drafts.items),
            pages=drafts,
            log=tuple(reversed(job.log)),
            stored=tuple(
                Stored(page_address("batch-detail", card.ref, batch), batch in job.taken_back)
                for batch in reversed(job.batches)
            ),
            first_url=page_address("draft-detail", card.id, next_draft) if next_draft else "",
            ready=card.draft_counts.get(DraftState.READY, 0),
            self_url=page_address(
                "job-detail", card.id, parameters=[("page", drafts.number if drafts.number > 1 else "")]
            ),
            api_url=api_address("jobs", str(card.id)),
        )


def describe_request(request: RegenerationRequest) -> str:
    """What a regeneration does, as a headline."""
    if request.picked:
        return (
            f"Regenerate chunks {_name_picked(request.picked)}"
            if len(request.picked) > 1
            else (f"Regenerate chunk {request.picked[0]:,}")
        )
    first, last = request.first, request.last or request.first
    span = f"{first:,}" if first == last and first else f"{first or 0:,} to {last or 0:,}"
    return {
        Kind.CHUNKS: f"Regenerate chunk{'' if first == last else 's'} {span}",
        Kind.FROM_MESSAGE: f"Regenerate the ledger from message {first or 0:,}",
        Kind.EVERYTHING: "Regenerate the whole ledger",
        Kind.CONDENSE: f"Condense chunks {span}" if first else "Condense the oldest chunks",
        Kind.SUMMARY: f"Regenerate the summary from chunk {first:,}" if first else "Regenerate the summary",
        Kind.STATE_DOCUMENT: (
            f"Update the state document from memory {first:,}" if first else "Regenerate the state document"
        ),
        Kind.VECTOR_MEMORIES: f"Regenerate the vector memories of messages {span}",
        Kind.EMBED: "Embed all memories again" if request.replaces else "Embed memories without a vector",
        Kind.INDEX: "Rebuild the search index",
    }[request.kind]


def _name_picked(picked: Sequence[int]) -> str:
    shown = ", ".join(f"{number:,}" for number in picked[:SHOWN_PICKED])
    return f"{shown} and {len(picked) - SHOWN_PICKED:,} more" if len(picked) > SHOWN_PICKED else shown


def _name_state(card: JobCard) -> Label:
    """A job that ended because its drafts were rejected was not cancelled in the words of whoever did that."""
    is_rejected = card.state is JobState.CANCELLED and DraftState.REJECTED in card.draft_counts and not card.can_resume
    return Label("rejected", "locked", "Its drafts were rejected.") if is_rejected else JOB_STATES[card.state]


def _chip(wanted: JobFilter, state: str, counts: Mapping[str, int]) -> Chip:
    label = _CHIPS.get(state) or JOB_STATES[JobState(state)].text.capitalize()
    url = page_address("job-list", parameters=_parameters(JobFilter(state, wanted.discussion)))
    return Chip(label, url, counts.get(state, 0), wanted.state == state)


def _parameters(wanted: JobFilter) -> list[tuple[str, object]]:
    return [("state", str(wanted.state)), ("discussion", wanted.discussion)]
