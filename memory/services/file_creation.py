"""The file path of the writer: one ledger entry per chunk, written as soon as it is there (memory.md §10, §11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from memory.engine.chunking import PackedChunk, pack_messages
from memory.engine.hashing import hash_message, list_hashes
from memory.engine.messages import drop_system
from memory.engine.new_messages import NewestHashes, build_trail
from memory.engine.triggers import Decision, Outcome, WriterPath, decide, is_history_lost
from memory.engine.triggers import Progress as StoredProgress
from memory.services.condensing import condense_under_lock, settle_beginning
from memory.services.memory_calls import build_file_call
from memory.services.results import ChunkOutcome, CreationResult, CreationStatus
from memory.services.workshop import SAFE_STATES, Progress, Step, Workshop
from memory.stores.readings import recall_list
from memory.types import Artefact, Entry, FileState, ListFile, Message
from wilmer_site.lib.files import DiscussionBusyError

HISTORY_LOST = "No stored hash occurs in this conversation any more, so all of it was processed again."


def create_file_memories(workshop: Workshop, messages: Sequence[Message]) -> CreationResult:
    """Run the file path once (see `creation.create_memories`)."""
    ledger = recall_list(workshop.files, Artefact.MEMORIES)
    decision = _decide(workshop, messages, ledger)
    if decision.outcome is Outcome.ERROR:
        return CreationResult(CreationStatus.UNREADABLE, decision, problem=ledger.report.problem)
    if decision.new is not None and ledger.report.state is FileState.ABSENT:
        if decision.is_triggered and workshop.settings.condenses:
            workshop.log.save_beginning(workshop.ref, hash_message(decision.messages[-1]))
        _create_ledger(workshop)
    if not decision.is_triggered:
        return CreationResult(CreationStatus.NOTHING_TO_DO, decision)
    try:
        with workshop.processing():
            return _run(workshop, messages, decision, ledger)
    except DiscussionBusyError as error:
        return CreationResult(CreationStatus.BUSY, decision, problem=error.message)


def decide_file_creation(workshop: Workshop, messages: Sequence[Message]) -> Decision:
    """What the file path would decide now; reads only."""
    return _decide(workshop, messages, recall_list(workshop.files, Artefact.MEMORIES))


@dataclass(slots=True)
class _Run:
    """What one run holds while it goes through its chunks."""

    workshop: Workshop
    spoken: Sequence[Message]
    """All messages without system messages."""
    total: int
    summary: str
    starts_condensation: bool
    """The ledger is being made anew, so condensation counts from its newest entry (§10.4 step 4)."""
    texts: list[str] = field(default_factory=list)
    outcomes: list[ChunkOutcome] = field(default_factory=list)

    def store(self, chunk: PackedChunk, text: str) -> None:
        """Append one entry to what the ledger holds by now (W01, W14)."""
        files = self.workshop.files
        with files.lock():
            entries = [*files.read_memories().entries, Entry(text, chunk.hash)]
            files.write_memories(entries)
            if self.starts_condensation:
                files.write_condensation_tracker(chunk.hash)
        trail = build_trail(self.spoken, chunk.span.end)
        log, ref = self.workshop.log, self.workshop.ref
        log.save_trail(ref, WriterPath.FILE, trail)
        log.save_covered(ref, WriterPath.FILE, chunk.hash, list_hashes(chunk.messages))
        self.texts = [entry.text for entry in entries]
        self.outcomes.append(ChunkOutcome(chunk.span, chunk.hash, is_stored=True))
        self.workshop.report(Progress(Step.CHUNK_STORED, len(self.outcomes), self.total))


def _decide(
    workshop: Workshop, messages: Sequence[Message], ledger: ListFile, *, existed: bool | None = None
) -> Decision:
    progress = StoredProgress(
        known=NewestHashes(ledger.entries),
        trail=workshop.log.list_trail(workshop.ref, WriterPath.FILE),
        file_existed=ledger.report.state is not FileState.ABSENT if existed is None else existed,
    )
    decision = decide(WriterPath.FILE, messages, thresholds=workshop.settings.file_thresholds, progress=progress)
    if ledger.report.state not in SAFE_STATES and decision.new is not None:
        return replace(decision, outcome=Outcome.ERROR)
    return decision


def _create_ledger(workshop: Workshop) -> None:
    """From the next run on both thresholds count (§10.3)."""
    files = workshop.files
    with files.lock():
        if files.read_memories().report.state is FileState.ABSENT:
            files.write_memories([])


def _run(workshop: Workshop, messages: Sequence[Message], decision: Decision, before: ListFile) -> CreationResult:
    existed = before.report.state is not FileState.ABSENT
    ledger = workshop.files.read_memories()
    if ledger.entries != before.entries:
        # Another run was faster while this one waited for its turn.
        decision = _decide(workshop, messages, ledger, existed=existed)
        if decision.outcome is Outcome.ERROR:
            return CreationResult(CreationStatus.UNREADABLE, decision, problem=ledger.report.problem)
        if not decision.is_triggered:
            return CreationResult(CreationStatus.NOTHING_TO_DO, decision)
    assert decision.new is not None
    assert decision.new.span is not None
    chunks = pack_messages(decision.messages, decision.thresholds.chunk_size, offset=decision.new.span.start)
    run = _Run(
        workshop,
        drop_system(messages),
        len(chunks),
        _read_summary(workshop),
        starts_condensation=workshop.settings.condenses and (settle_beginning(workshop) or not existed),
        texts=[entry.text for entry in ledger.entries],
    )
    workshop.report(Progress(Step.STARTED, 0, len(chunks)))
    status = _go_through(run, chunks)
    condensed = status is CreationStatus.DONE and condense_under_lock(workshop).is_condensed
    notes = (HISTORY_LOST,) if is_history_lost(decision) else ()
    workshop.report(Progress(Step.FINISHED, len(run.outcomes), len(chunks)))
    return CreationResult(status, decision, tuple(run.outcomes), len(chunks), condensed, notes=notes)


def _go_through(run: _Run, chunks: Sequence[PackedChunk]) -> CreationStatus:
    for chunk in chunks:
        if run.workshop.is_cancelled():
            return CreationStatus.CANCELLED
        run.workshop.report(Progress(Step.ASKING, len(run.outcomes), run.total))
        text = run.workshop.ask_twice(build_file_call(run.workshop, chunk.text, run.texts, run.summary))
        if text is None:
            return CreationStatus.STOPPED
        run.store(chunk, text)
    return CreationStatus.DONE


def _read_summary(workshop: Workshop) -> str:
    """The text of the first summary entry; an absent file is made, as WilmerAI does (§11)."""
    files = workshop.files
    summary = files.read_summary()
    if summary.report.state is FileState.ABSENT:
        with files.lock():
            if files.read_summary().report.state is FileState.ABSENT:
                files.write_summary([])
    return summary.entries[0].text if summary.entries else ""
