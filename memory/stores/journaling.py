"""What stores tell before they write: the journal keeps what is about to be replaced."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from memory.stores.vector_rows import StoredMemory
from memory.types import Artefact, DiscussionRef


@dataclass(frozen=True, slots=True)
class RowState:
    """Rows of one vector database at one moment."""

    memories: tuple[StoredMemory, ...] = ()
    absent: tuple[int, ...] = ()
    """Ids that had no row."""
    progress: tuple[Mapping[str, Any], ...] = field(default=())
    """Hash log rows, where they were changed: `{"id", "message_hash", "timestamp"}` each."""


@dataclass(slots=True)
class RowRecord:
    """A change to rows that is under way; the writer says afterwards what came of it."""

    after: RowState | None = None


class FileJournal(Protocol):
    """The journal of one discussion's files."""

    def recording(
        self, artefact: Artefact, before: bytes | None, after: bytes | None, /
    ) -> AbstractContextManager[None]:
        """Keep both contents, then let the write happen inside; None stands for no file.

        What it raises on entry forbids the write. A write that raises is not remembered.
        """
        ...

    def recording_rows(self, before: RowState, /) -> AbstractContextManager[RowRecord]:
        """The same for rows of the vector database; the block says in `after` what came of it."""
        ...


class Journal(Protocol):
    """Journals by discussion."""

    def open(self, ref: DiscussionRef, /) -> FileJournal:
        """The journal of one discussion."""
        ...


class NoJournal:
    """Remembers nothing: for copies that are thrown away."""

    def open(self, *_: DiscussionRef) -> FileJournal:
        """Itself, whatever the discussion."""
        return self

    def recording(self, *_: object) -> AbstractContextManager[None]:
        """Let the write happen."""
        return contextlib.nullcontext()

    def recording_rows(self, *_: object) -> AbstractContextManager[RowRecord]:
        """Let the write happen."""
        return contextlib.nullcontext(RowRecord())


NO_JOURNAL = NoJournal()
