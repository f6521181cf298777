"""The rolling summary: brought up to date batch by batch, or set by hand (memory.md §18)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from memory.engine.model_calls import Model, ResolveVariables, keep_variables
from memory.engine.prompts import NO_SUMMARY_YET
from memory.engine.summary_plan import (
    SummaryNode,
    list_batches,
    list_unsummarised,
    needs_summary_workflow,
    summary_text,
)
from memory.errors import DamagedFileError
from memory.services.memory_calls import build_summary_call
from memory.services.workshop import SAFE_STATES, Progress, Step, never_cancelled, report_nothing
from memory.stores.discussion_files import DiscussionFiles
from memory.types import Entry, ListFile
from wilmer_site.lib.errors import InvalidError


class SummaryStatus(StrEnum):
    """How a summary run ended."""

    NOTHING_TO_DO = "nothing-to-do"
    DONE = "done"
    BLANK_ANSWER = "blank-answer"
    """The old summary and its link were kept (W23)."""
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class SummaryResult:
    """One run of a summary node. `text` is what the node gives."""

    status: SummaryStatus
    text: str
    batches_done: int = 0
    batches_total: int = 0


@dataclass(frozen=True, slots=True)
class SummaryRun:
    """Who is asked for a summary, and who is told."""

    files: DiscussionFiles
    node: SummaryNode
    model: Model
    resolve: ResolveVariables = keep_variables
    report: Callable[[Progress], None] = report_nothing
    is_cancelled: Callable[[], bool] = never_cancelled


def update_summary(run: SummaryRun) -> SummaryResult:
    """Feed the memories that the summary does not contain yet into it, batch by batch (§18.2).

    Each batch is saved before the next one starts, so a run that fails or is cancelled goes on from there.
    """
    memories = _read(run.files.read_memories())
    summary = _read(run.files.read_summary())
    unsummarised = list_unsummarised(summary, memories)
    if not unsummarised:
        return SummaryResult(SummaryStatus.NOTHING_TO_DO, _text_of(summary))
    if not run.node.uses_memories:
        return _go_through(run, [(memories[-1],)], _text_of(summary))
    return _go_through(run, list_batches(unsummarised, run.node), _text_of(summary))


def save_summary(files: DiscussionFiles | None, text: str | None) -> str:
    """Store a given summary, linked to the newest memory, and return it (§18.4).

    Without a discussion nothing is stored; a blank text never replaces a summary (W23). Raises InvalidError without a
    text, or when there is no memory to link it to.
    """
    if text is None:
        raise InvalidError("There is no summary to save; give the node an 'input'.")
    if files is None:
        return text
    memories = _read(files.read_memories())
    if not memories:
        raise InvalidError("A summary needs at least one memory to be linked to, and there is none yet.")
    if text.strip():
        files.write_summary([Entry(text, memories[-1].hash)])
    return text


def needs_update(files: DiscussionFiles) -> bool:
    """Whether `FullChatSummary` starts its follow-up workflow (§18.3)."""
    return needs_summary_workflow(_read(files.read_summary()), _read(files.read_memories()))


def get_summary_text(files: DiscussionFiles) -> str:
    """What `FullChatSummary` gives without that workflow: the summary, or that there is none (W22)."""
    return summary_text(_read(files.read_summary()))


def _go_through(run: SummaryRun, batches: Sequence[tuple[Entry, ...]], current: str) -> SummaryResult:
    for done, batch in enumerate(batches):
        if run.is_cancelled():
            return SummaryResult(SummaryStatus.CANCELLED, current, done, len(batches))
        answer = run.model.ask(build_summary_call(run.node, current, batch, run.resolve))
        if answer is None or not answer.strip():
            return SummaryResult(SummaryStatus.BLANK_ANSWER, current, done, len(batches))
        run.files.write_summary([Entry(answer, batch[-1].hash)])
        current = answer
        run.report(Progress(Step.SUMMARY_SAVED, done + 1, len(batches)))
    status = SummaryStatus.DONE if batches else SummaryStatus.NOTHING_TO_DO
    return SummaryResult(status, current, len(batches), len(batches))


def _text_of(summary: Sequence[Entry]) -> str:
    return summary[0].text if summary else NO_SUMMARY_YET


def _read(file: ListFile) -> tuple[Entry, ...]:
    """The entries; a file that cannot be read stops the run, since writing would lose it (W07)."""
    if file.report.state not in SAFE_STATES:
        raise DamagedFileError(
            file.report.problem or f"{file.report.path.name} cannot be read.", file=file.report.path.name
        )
    return file.entries
