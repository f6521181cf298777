"""A draft beside the text it would replace, and what to do when that has changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memory.contexts.addresses import api_address, page_address
from memory.contexts.jobs import DRAFT_STATES, JobRow
from memory.contexts.labels import Label
from memory.engine.fact_diff import FactDiff, compare_facts
from memory.engine.regeneration import Kind
from memory.engine.tokens import estimate_tokens
from memory.engine.word_diff import WordDiff, diff_words
from memory.queries.jobs import DraftDetail, DraftState
from memory.services.drafts import Clash


@dataclass(frozen=True, slots=True)
class DraftContext:
    """One draft, with the box whose content is what would be saved."""

    job: JobRow
    draft: DraftDetail
    state: Label
    box: str
    errors: tuple[str, ...]
    diff: WordDiff
    facts: FactDiff
    old_tokens: int
    new_tokens: int
    is_json: bool
    can_accept: bool
    """Not when it is decided, or belongs to a whole."""
    previous_url: str
    next_url: str
    self_url: str
    api_url: str

    @classmethod
    def build(cls, draft: DraftDetail, *, box: str | None = None, errors: tuple[str, ...] = ()) -> DraftContext:
        """The page; `box` is what somebody typed."""
        text = draft.card.new_text if box is None else box
        position, job_id = draft.card.position, draft.job.id
        return cls(
            job=JobRow.build(draft.job),
            draft=draft,
            state=DRAFT_STATES[draft.card.state],
            box=text,
            errors=errors,
            diff=diff_words(draft.card.old_text, text),
            facts=compare_facts(draft.card.old_text, text),
            old_tokens=estimate_tokens(draft.card.old_text),
            new_tokens=estimate_tokens(text),
            is_json=draft.job.request.kind is Kind.VECTOR_MEMORIES,
            can_accept=draft.is_undecided and not draft.job.request.is_whole,
            previous_url=page_address("draft-detail", job_id, position - 1) if position > 1 else "",
            next_url=page_address("draft-detail", job_id, position + 1) if position < draft.total else "",
            self_url=page_address("draft-detail", job_id, position),
            api_url=api_address("jobs", str(job_id), "drafts", str(position)),
        )

    @property
    def is_made(self) -> bool:
        """Whether there is anything to look at."""
        return self.draft.card.state is not DraftState.WAITING

    @property
    def prompts(self) -> tuple[Mapping[str, Any], ...]:
        """What was sent."""
        return self.draft.prompts


@dataclass(frozen=True, slots=True)
class DraftClashContext:
    """Three texts and a choice."""

    page: DraftContext
    clash: Clash
    against_stored: WordDiff
    meanwhile: WordDiff
    reason: str

    @classmethod
    def build(cls, draft: DraftDetail, clash: Clash, box: str | None = None) -> DraftClashContext:
        """The page; `box` is what somebody wanted to save."""
        page = DraftContext.build(draft, box=box)
        return cls(
            page=page,
            clash=clash,
            against_stored=diff_words(clash.stored_text, page.box),
            meanwhile=diff_words(clash.old_text, clash.stored_text),
            reason=_explain(clash),
        )


def _explain(clash: Clash) -> str:
    if clash.is_gone:
        return "What this draft would replace, or the messages it was made from, are not there any more."
    if clash.is_source_changed and clash.is_target_changed:
        return "Both what it was made from and the stored text have changed since the draft was made."
    if clash.is_source_changed:
        return "What it was made from has changed since; the stored text is the same."
    return "The stored text was changed since the draft was made."
