"""Everything a run that generates memories needs besides its messages."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from memory.engine.memory_settings import MemorySettings
from memory.engine.model_calls import Call, Embedder, Model, ResolveVariables, keep_variables
from memory.services.notes import AttemptLog, InMemoryAttemptLog
from memory.stores.discussion_files import DiscussionFiles
from memory.stores.vector_db import VectorDatabase
from memory.types import DiscussionRef, FileState
from wilmer_site.lib.clock import Clock, utc_now

SAFE_STATES = frozenset({FileState.PRESENT, FileState.EMPTY, FileState.ABSENT})
"""A file in any other state cannot be read, and what is in it must not be written over (W07)."""


class Step(StrEnum):
    """What just happened in a run."""

    STARTED = "started"
    ASKING = "asking"
    ASKED_AGAIN = "asked-again"
    CHUNK_STORED = "chunk-stored"
    CHUNK_FAILED = "chunk-failed"
    CONDENSED = "condensed"
    SUMMARY_SAVED = "summary-saved"
    STATE_DOCUMENT = "state-document"
    EMBEDDED = "embedded"
    EMBEDDING_FAILED = "embedding-failed"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Progress:
    """One report of a run. Never holds conversation text."""

    step: Step
    done: int = 0
    total: int = 0
    detail: str = ""


def report_nothing(progress: Progress) -> None:
    """For runs that nobody watches."""


def never_cancelled() -> bool:
    """For runs that nobody can stop."""
    return False


@dataclass(frozen=True, slots=True)
class Workshop:
    """One discussion opened for writing memories, and who is asked.

    `report` is told of every step; `is_cancelled` is asked between chunks, never in the middle of one.
    """

    files: DiscussionFiles
    settings: MemorySettings
    model: Model
    log: AttemptLog = field(default_factory=InMemoryAttemptLog)
    embedder: Embedder | None = None
    resolve: ResolveVariables = keep_variables
    clock: Clock = utc_now
    report: Callable[[Progress], None] = report_nothing
    is_cancelled: Callable[[], bool] = never_cancelled

    @property
    def ref(self) -> DiscussionRef:
        """Which discussion it is."""
        return self.files.ref

    @property
    def database(self) -> VectorDatabase:
        """Its vector database, which may not exist."""
        return VectorDatabase(self.files.vector_path(), self.ref.discussion_id)

    @contextlib.contextmanager
    def processing(self) -> Iterator[None]:
        """Be the only run that generates for this discussion; raises DiscussionBusyError after the settings' time.

        It is not the lock of the files, so edits by people stay possible while models are asked.
        """
        with self.files.processing(self.settings.lock_timeout_seconds):
            yield

    def ask(self, call: Call) -> str | None:
        """The model's answer; None for a blank one. Errors of the call rise."""
        answer = self.model.ask(call)
        return answer if answer and answer.strip() else None

    def ask_twice(self, call: Call) -> str | None:
        """The answer, asked for once more if the first one is blank (W15, W16)."""
        answer = self.ask(call)
        if answer is None:
            self.report(Progress(Step.ASKED_AGAIN))
            answer = self.ask(call)
        return answer
