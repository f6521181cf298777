"""The ledger and its chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from memory.engine.chunk_facts import chunk_numbers, condensed_count, covered_count
from memory.engine.tokens import estimate_tokens
from memory.engine.versions import chunk_version
from memory.errors import ChunkNotFoundError
from memory.results import ApiKeys, Chunk, Ledger
from memory.stores.contents import check_usable
from memory.stores.readings import recall_list, recall_object
from memory.types import Artefact, DiscussionRef, Entry, ListFile
from memory.wiring import open_discussion
from wilmer_site.lib.errors import InvalidError
from wilmer_site.lib.paging import Page, PageRequest, slice_page


def get_ledger(ref: DiscussionRef, keys: ApiKeys) -> Ledger:
    """State and counts of the memories file; the report says if it is locked, damaged or absent.

    Raises DiscussionNotFoundError.
    """
    book = _open_book(ref, keys)
    numbers = range(1, len(book.entries) + 1)
    counts = {name: sum(passes(book, number) for number in numbers) for name, passes in ONLY.items()}
    return Ledger(report=book.file.report, total=len(book.entries), skipped=book.file.skipped, counts=counts)


def list_chunks(
    ref: DiscussionRef, page: PageRequest, keys: ApiKeys, *, newest_first: bool = True, only: str = ""
) -> Page[Chunk]:
    """One page of chunks; empty when the ledger cannot be read.

    `only` is empty or one of `ONLY`; anything else raises InvalidError. Raises DiscussionNotFoundError.
    """
    if only and only not in ONLY:
        raise InvalidError(f"only must be one of {', '.join(ONLY)}; it is {only!r}.", field="only")
    book = _open_book(ref, keys)
    order = range(len(book.entries), 0, -1) if newest_first else range(1, len(book.entries) + 1)
    numbers = [number for number in order if not only or ONLY[only](book, number)]
    return slice_page(numbers, page).map(book.chunk)


def get_chunk(ref: DiscussionRef, number: int, keys: ApiKeys) -> Chunk:
    """The chunk at that 1-based position.

    Raises DiscussionNotFoundError, ChunkNotFoundError, or what keeps the ledger from being read.
    """
    book = _open_book(ref, keys)
    if not 1 <= number <= len(book.entries):
        check_usable(book.file.report)
        raise ChunkNotFoundError(
            f"{ref.discussion_id!r} has no chunk {number}; the ledger holds {len(book.entries)}.", number=number
        )
    return book.chunk(number)


def list_versions(ref: DiscussionRef, keys: ApiKeys) -> dict[int, str | None]:
    """What each chunk is now, by its number, for changes that must not hit another (see `versions`).

    Raises DiscussionNotFoundError.
    """
    return {number: chunk_version(entry) for number, entry in enumerate(_open_book(ref, keys).entries, 1)}


def list_texts(ref: DiscussionRef, numbers: Iterable[int], keys: ApiKeys) -> dict[int, str]:
    """Texts by number; numbers that no chunk has are left out. Raises DiscussionNotFoundError."""
    entries = _open_book(ref, keys).entries
    return {number: entries[number - 1].text for number in numbers if 1 <= number <= len(entries)}


@dataclass(frozen=True, slots=True)
class _Book:
    """The ledger with everything needed to say where each chunk stands."""

    file: ListFile
    condensed: int
    covered: int
    numbers: dict[str, tuple[int, ...]]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The chunks as they are stored, the oldest first."""
        return self.file.entries

    def chunk(self, number: int) -> Chunk:
        """The chunk at that position, which must exist."""
        entry = self.entries[number - 1]
        return Chunk(
            number=number,
            text=entry.text,
            hash=entry.hash,
            token_estimate=estimate_tokens(entry.text),
            is_condensed=number <= self.condensed,
            is_in_summary=number <= self.covered,
            same_hash_as=tuple(other for other in self.numbers[entry.hash] if other != number),
        )


ONLY: dict[str, Callable[[_Book, int], bool]] = {
    "condensed": lambda book, number: number <= book.condensed,
    "not-condensed": lambda book, number: number > book.condensed,
    "in-summary": lambda book, number: number <= book.covered,
    "not-in-summary": lambda book, number: number > book.covered,
    "same-hash": lambda book, number: len(book.numbers[book.entries[number - 1].hash]) > 1,
}
"""The ways in which `list_chunks` can leave chunks out."""


def _open_book(ref: DiscussionRef, keys: ApiKeys) -> _Book:
    discussion = open_discussion(ref, keys)
    memories = recall_list(discussion, Artefact.MEMORIES)
    entries = memories.entries
    tracker = recall_object(discussion, Artefact.CONDENSATION_TRACKER).values.get("lastCondensationHash")
    return _Book(
        file=memories,
        condensed=condensed_count(str(tracker or ""), entries),
        covered=covered_count(recall_list(discussion, Artefact.SUMMARY).entries, entries),
        numbers=chunk_numbers(entries),
    )
