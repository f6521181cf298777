"""What the console itself keeps about generating memories, since WilmerAI's files have no room for it (traps F8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from memory.engine.retries import FailedChunk
from memory.engine.triggers import WriterPath
from memory.types import DiscussionRef


@dataclass(frozen=True, slots=True)
class CondensedEntry:
    """An entry that condensation is about to write or has written (W35)."""

    hash: str
    text_hash: str


class AttemptLog(Protocol):
    """Remembers per discussion what did not work and where memory left off.

    Losing it costs nothing but repeated calls and the choice between repeated texts.
    """

    def list_failed(self, ref: DiscussionRef) -> Sequence[FailedChunk]:
        """Failed chunks of the vector path, oldest first (W04)."""
        ...

    def save_failed(self, ref: DiscussionRef, chunk: FailedChunk) -> None:
        """Remember a failed chunk, or replace what is remembered of it (same first and last hash)."""
        ...

    def delete_failed(self, ref: DiscussionRef, chunk: FailedChunk) -> None:
        """Forget a failed chunk."""
        ...

    def list_trail(self, ref: DiscussionRef, path: WriterPath) -> Sequence[str]:
        """Hashes of the last processed messages, in order (W03)."""
        ...

    def save_trail(self, ref: DiscussionRef, path: WriterPath, hashes: Sequence[str]) -> None:
        """Replace the trail."""
        ...

    def save_covered(self, ref: DiscussionRef, path: WriterPath, chunk_hash: str, hashes: Sequence[str]) -> None:
        """Remember which messages a chunk was made from."""
        ...

    def find_condensed(self, ref: DiscussionRef) -> CondensedEntry | None:
        """The last entry that condensation made."""
        ...

    def save_condensed(self, ref: DiscussionRef, entry: CondensedEntry) -> None:
        """Remember the entry that condensation is about to write."""
        ...

    def find_beginning(self, ref: DiscussionRef) -> str:
        """The hash that a ledger ends with when it has been made anew; empty unless that is still going on."""
        ...

    def save_beginning(self, ref: DiscussionRef, chunk_hash: str) -> None:
        """Remember that a ledger is being made anew up to that chunk; empty: it is done."""
        ...

    def list_unmerged(self, ref: DiscussionRef) -> Sequence[int]:
        """Ids of vector memories that are on their way into the state document."""
        ...

    def save_unmerged(self, ref: DiscussionRef, memory_ids: Sequence[int]) -> None:
        """Replace them, so that a run that is killed before the document is written leaves them for the next one."""
        ...


@dataclass(slots=True)
class InMemoryAttemptLog:
    """An attempt log that lives as long as the process."""

    failed: dict[DiscussionRef, list[FailedChunk]] = field(default_factory=dict)
    trails: dict[tuple[DiscussionRef, WriterPath], tuple[str, ...]] = field(default_factory=dict)
    condensed: dict[DiscussionRef, CondensedEntry] = field(default_factory=dict)
    covered: dict[tuple[DiscussionRef, WriterPath, str], tuple[str, ...]] = field(default_factory=dict)
    beginnings: dict[DiscussionRef, str] = field(default_factory=dict)
    unmerged: dict[DiscussionRef, tuple[int, ...]] = field(default_factory=dict)

    def list_failed(self, ref: DiscussionRef) -> Sequence[FailedChunk]:
        """Failed chunks, oldest first."""
        return tuple(self.failed.get(ref, ()))

    def save_failed(self, ref: DiscussionRef, chunk: FailedChunk) -> None:
        """Remember or replace."""
        chunks = self.failed.setdefault(ref, [])
        for at, known in enumerate(chunks):
            if _is_same(known, chunk):
                chunks[at] = chunk
                return
        chunks.append(chunk)

    def delete_failed(self, ref: DiscussionRef, chunk: FailedChunk) -> None:
        """Forget."""
        self.failed[ref] = [known for known in self.failed.get(ref, ()) if not _is_same(known, chunk)]

    def list_trail(self, ref: DiscussionRef, path: WriterPath) -> Sequence[str]:
        """The trail, empty if there is none."""
        return self.trails.get((ref, path), ())

    def save_trail(self, ref: DiscussionRef, path: WriterPath, hashes: Sequence[str]) -> None:
        """Replace the trail."""
        self.trails[ref, path] = tuple(hashes)

    def save_covered(self, ref: DiscussionRef, path: WriterPath, chunk_hash: str, hashes: Sequence[str]) -> None:
        """Remember them."""
        self.covered[ref, path, chunk_hash] = tuple(hashes)

    def find_condensed(self, ref: DiscussionRef) -> CondensedEntry | None:
        """The last condensed entry."""
        return self.condensed.get(ref)

    def save_condensed(self, ref: DiscussionRef, entry: CondensedEntry) -> None:
        """Remember it."""
        self.condensed[ref] = entry

    def find_beginning(self, ref: DiscussionRef) -> str:
        """The hash it will end with."""
        return self.beginnings.get(ref, "")

    def save_beginning(self, ref: DiscussionRef, chunk_hash: str) -> None:
        """Remember it."""
        self.beginnings[ref] = chunk_hash

    def list_unmerged(self, ref: DiscussionRef) -> Sequence[int]:
        """The ids, empty when none are on their way."""
        return self.unmerged.get(ref, ())

    def save_unmerged(self, ref: DiscussionRef, memory_ids: Sequence[int]) -> None:
        """Replace them."""
        self.unmerged[ref] = tuple(memory_ids)


def _is_same(first: FailedChunk, second: FailedChunk) -> bool:
    return (first.first_hash, first.last_hash) == (second.first_hash, second.last_hash)
