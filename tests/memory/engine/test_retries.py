from __future__ import annotations

import pytest

from memory.engine.chunking import Span
from memory.engine.hashing import hash_text
from memory.engine.retries import FailedChunk, list_gaps, sort_failed
from memory.types import Message

TALK = [Message("user", text) for text in "abcabc"]


def failed(first: str, last: str, count: int, attempts: int = 1) -> FailedChunk:
    return FailedChunk(hash_text(first), hash_text(last), count, attempts, messages_seen=5)


@pytest.mark.parametrize(
    ("taken", "gaps"),
    [
        ([], [Span(2, 8)]),
        ([Span(0, 4)], [Span(4, 8)]),
        ([Span(3, 5), Span(7, 9)], [Span(2, 3), Span(5, 7)]),
        ([Span(0, 9)], []),
    ],
)
def test_gaps(taken: list[Span], gaps: list[Span]) -> None:
    assert list_gaps(Span(2, 8), taken) == gaps


def test_a_chunk_is_found_at_its_newest_place() -> None:
    retries = sort_failed(TALK, [failed("a", "b", 2)])

    assert [chunk.span for _, chunk in retries.due] == [Span(3, 5)]


def test_chunks_are_sorted_by_what_is_to_be_done() -> None:
    chunks = [
        failed("a", "a", 1),
        failed("b", "b", 1, attempts=2),
        failed("c", "c", 1, attempts=3),
        failed("x", "y", 2),
    ]

    retries = sort_failed(TALK, chunks)

    assert (
        [chunk for chunk, _ in retries.due],
        *[list(part) for part in (retries.waiting, retries.given_up, retries.lost)],
    ) == (
        [chunks[0]],
        [chunks[1]],
        [chunks[2]],
        [chunks[3]],
    )
