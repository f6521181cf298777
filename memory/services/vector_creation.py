"""The vector path of the writer: each chunk becomes rows of the database in one transaction (memory.md §12, W36)."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from memory.engine.chunking import PackedChunk, pack_messages
from memory.engine.hashing import list_hashes
from memory.engine.llm_json import LlmReply, parse_reply
from memory.engine.messages import drop_system
from memory.engine.new_messages import build_trail
from memory.engine.retries import FailedChunk, Retries, list_gaps, sort_failed
from memory.engine.triggers import Decision, Outcome, WriterPath, decide, is_fresh_triggered, is_history_lost
from memory.engine.triggers import Progress as StoredProgress
from memory.errors import MemoryNotFoundError
from memory.services.embeddings import embed_memories
from memory.services.file_creation import HISTORY_LOST
from memory.services.memory_calls import build_vector_call
from memory.services.results import ChunkOutcome, CreationResult, CreationStatus
from memory.services.state_documents import update_state_document
from memory.services.workshop import Progress, Step, Workshop
from memory.stores.journaling import RowState
from memory.stores.vector_writes import (
    MemoryBatch,
    NewMemory,
    add_memories,
    get_stored_memory,
    undo_interrupted_write,
)
from memory.types import Message
from wilmer_site.lib.errors import WilmerError
from wilmer_site.lib.files import DiscussionBusyError


def create_vector_memories(workshop: Workshop, messages: Sequence[Message]) -> CreationResult:
    """Run the vector path once (see `creation.create_memories`)."""
    with contextlib.suppress(WilmerError):  # what stands in the way is said by the decision
        undo_interrupted_write(workshop.database.path)
    decision, problem = _decide(workshop, messages)
    if problem:
        return CreationResult(CreationStatus.UNREADABLE, decision, problem=problem)
    if not _find_work(workshop, messages, decision).has_any:
        return CreationResult(CreationStatus.NOTHING_TO_DO, decision)
    try:
        with workshop.processing():
            return _run(workshop, messages)
    except DiscussionBusyError as error:
        return CreationResult(CreationStatus.BUSY, decision, problem=error.message)


def decide_vector_creation(workshop: Workshop, messages: Sequence[Message]) -> Decision:
    """What the vector path would decide now; reads only."""
    return _decide(workshop, messages)[0]


def list_retries(workshop: Workshop, messages: Sequence[Message]) -> Retries:
    """The chunks that yielded nothing so far, and what the next run does with them."""
    return sort_failed(drop_system(messages), workshop.log.list_failed(workshop.ref))


@dataclass(frozen=True, slots=True)
class _Work:
    """What one run is going to do: failed chunks that are due, then new ones."""

    retries: Retries
    fresh: tuple[PackedChunk, ...]

    @property
    def has_any(self) -> bool:
        return bool(self.retries.due or self.fresh)

    @property
    def count(self) -> int:
        return len(self.retries.due) + len(self.fresh)


@dataclass(slots=True)
class _Run:
    workshop: Workshop
    spoken: Sequence[Message]
    """All messages without system messages."""
    total: int
    outcomes: list[ChunkOutcome] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def try_chunk(self, chunk: PackedChunk, before: FailedChunk | None = None) -> None:
        """Ask for one chunk's memories and store them, or record that it yielded nothing (W04)."""
        self.workshop.report(Progress(Step.ASKING, len(self.outcomes), self.total))
        outcome = self._ask(chunk)
        if not outcome.is_stored and before is None:
            self.workshop.report(Progress(Step.ASKED_AGAIN, len(self.outcomes), self.total))
            outcome = self._ask(chunk)
        self.outcomes.append(replace(outcome, is_retry=before is not None))
        if outcome.is_stored:
            self._finish(chunk, outcome, before)
        else:
            self._record(chunk, outcome, before)

    def _ask(self, chunk: PackedChunk) -> ChunkOutcome:
        raw = self.workshop.model.ask(build_vector_call(self.workshop, chunk.text)) or ""
        reply = parse_reply(raw)
        if not reply.memories:
            return ChunkOutcome(chunk.span, chunk.hash, is_stored=False, reply=reply, raw_reply=raw)
        return self._store(chunk, reply, raw)

    def _store(self, chunk: PackedChunk, reply: LlmReply, raw: str) -> ChunkOutcome:
        workshop = self.workshop
        batch = MemoryBatch(
            tuple(NewMemory(memory["summary"], memory) for memory in reply.memories),
            message_hash=chunk.hash,
            index_topics=workshop.settings.indexes_topics,
        )
        path = workshop.database.path
        with workshop.files.recording_rows(RowState()) as record:
            added = add_memories(path, workshop.ref.discussion_id, batch, now=workshop.clock())
            with contextlib.suppress(WilmerError):  # they are stored, whether or not they can be read back now
                record.after = RowState(tuple(get_stored_memory(path, memory_id) for memory_id in added.ids))
        refused = tuple(why for _, why in added.refused)
        return ChunkOutcome(chunk.span, chunk.hash, bool(added.ids), added.ids, refused, reply, raw)

    def _finish(self, chunk: PackedChunk, outcome: ChunkOutcome, before: FailedChunk | None) -> None:
        workshop = self.workshop
        if before is None:
            trail = build_trail(self.spoken, chunk.span.end)
            workshop.log.save_trail(workshop.ref, WriterPath.VECTOR, trail)
            workshop.log.save_covered(workshop.ref, WriterPath.VECTOR, chunk.hash, list_hashes(chunk.messages))
        else:
            workshop.log.delete_failed(workshop.ref, before)
        workshop.report(Progress(Step.CHUNK_STORED, len(self.outcomes), self.total))
        if workshop.settings.uses_state_document:
            workshop.log.save_unmerged(workshop.ref, outcome.memory_ids)
        texts = _read_texts(workshop, outcome.memory_ids)
        embed_memories(workshop, texts)
        self._merge(texts)

    def merge_left_over(self) -> None:
        """Take up what a run was merging into the state document when it was killed or cancelled."""
        workshop = self.workshop
        left = workshop.log.list_unmerged(workshop.ref) if workshop.settings.uses_state_document else ()
        if left:
            self._merge(_read_texts(workshop, left))

    def _merge(self, texts: Mapping[int, str]) -> None:
        """Bring memories into the state document; a failure is told, and not tried again (memory.md §17 step 8)."""
        workshop = self.workshop
        verdict = update_state_document(workshop, list(texts.values()))
        if verdict.problem:
            numbers = ", ".join(map(str, texts))
            self.notes.append(f"The state document does not know of vector memories {numbers}: {verdict.problem}")
        if workshop.settings.uses_state_document and not workshop.is_cancelled():
            workshop.log.save_unmerged(workshop.ref, ())

    def _record(self, chunk: PackedChunk, outcome: ChunkOutcome, before: FailedChunk | None) -> None:
        failed = FailedChunk(
            chunk.first_hash,
            chunk.hash,
            len(chunk.messages),
            attempts=before.attempts + 1 if before else 1,
            messages_seen=len(self.spoken),
            raw_reply=outcome.raw_reply,
        )
        self.workshop.log.save_failed(self.workshop.ref, failed)
        self.workshop.report(Progress(Step.CHUNK_FAILED, len(self.outcomes), self.total))


def _decide(workshop: Workshop, messages: Sequence[Message]) -> tuple[Decision, str | None]:
    problem: str | None = None
    known: list[str] = []
    try:
        known = [progress.message_hash for progress in workshop.database.list_progress()]
    except WilmerError as error:
        problem = error.message
    progress = StoredProgress(known, workshop.log.list_trail(workshop.ref, WriterPath.VECTOR))
    decision = decide(WriterPath.VECTOR, messages, thresholds=workshop.settings.vector_thresholds, progress=progress)
    if problem and decision.new is not None:
        return replace(decision, outcome=Outcome.ERROR), problem
    return decision, None


def _find_work(workshop: Workshop, messages: Sequence[Message], decision: Decision) -> _Work:
    """Failed chunks come first, whatever the log says; their messages are not packed once more (W04, W05)."""
    failed = workshop.log.list_failed(workshop.ref) if decision.new else ()
    span = decision.new.span if decision.new and decision.is_triggered else None
    if not (failed or span):
        return _Work(Retries(), ())
    spoken = drop_system(messages)
    retries = sort_failed(spoken, failed)
    if span is None:
        return _Work(retries, ())
    gaps = list_gaps(span, retries.spans)
    fresh = [message for gap in gaps for message in spoken[gap.start : gap.end]]
    if not is_fresh_triggered(fresh, decision.thresholds):
        return _Work(retries, ())
    size = decision.thresholds.chunk_size
    chunks = [chunk for gap in gaps for chunk in pack_messages(spoken[gap.start : gap.end], size, offset=gap.start)]
    # A blank chunk is neither asked about nor logged (§12.1 step 1).
    return _Work(retries, tuple(chunk for chunk in chunks if chunk.text.strip()))


def _run(workshop: Workshop, messages: Sequence[Message]) -> CreationResult:
    decision, problem = _decide(workshop, messages)
    if problem:
        return CreationResult(CreationStatus.UNREADABLE, decision, problem=problem)
    work = _find_work(workshop, messages, decision)
    run = _Run(workshop, drop_system(messages), work.count)
    workshop.report(Progress(Step.STARTED, 0, work.count))
    run.merge_left_over()
    status = _go_through(run, work)
    workshop.report(Progress(Step.FINISHED, len(run.outcomes), work.count))
    lost = (HISTORY_LOST,) if work.fresh and is_history_lost(decision) else ()
    return CreationResult(status, decision, tuple(run.outcomes), work.count, notes=(*lost, *run.notes))


def _go_through(run: _Run, work: _Work) -> CreationStatus:
    for failed, chunk in [*work.retries.due, *((None, chunk) for chunk in work.fresh)]:
        if run.workshop.is_cancelled():
            return CreationStatus.CANCELLED
        run.try_chunk(chunk, failed)
    return CreationStatus.DONE


def _read_texts(workshop: Workshop, ids: Sequence[int]) -> Mapping[int, str]:
    """The texts as they are stored; a memory that somebody deleted meanwhile has none."""
    texts = {}
    for memory_id in ids:
        with contextlib.suppress(MemoryNotFoundError):
            texts[memory_id] = workshop.database.get_memory(memory_id).text
    return texts
