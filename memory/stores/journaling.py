"""What stores tell before they write: the journal keeps what is about to be replaced."""

from __future__ import annotations

import contextlib
from contextlib import AbstractContextManager
from typing import Protocol

from memory.types import Artefact, DiscussionRef


class FileJournal(Protocol):
    """The journal of one discussion's files."""

    def recording(
        self, artefact: Artefact, before: bytes | None, after: bytes | None, /
    ) -> AbstractContextManager[None]:
        """Keep both contents, then let the write happen inside; None stands for no file.

        What it raises on entry forbids the write. A write that raises is not remembered.
        """
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


NO_JOURNAL = NoJournal()
