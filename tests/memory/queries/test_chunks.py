from __future__ import annotations

from pathlib import Path

import pytest

from memory.errors import ChunkNotFoundError, DiscussionNotFoundError
from memory.queries.chunks import get_chunk, get_ledger, list_chunks
from memory.types import FileState
from tests.builders import API_KEY, build_discussion, build_entry, build_ref, hash_of, key_hash_of, write_entries
from wilmer_site.lib.errors import InvalidError
from wilmer_site.lib.paging import PageRequest

KEYS = {key_hash_of(API_KEY): API_KEY}


def test_get_ledger_counts_chunks(public: Path) -> None:
    ref = build_discussion(public, chunks=3)

    ledger = get_ledger(ref, {})

    assert (ledger.total, ledger.report.state, ledger.skipped) == (3, FileState.PRESENT, ())


def test_get_ledger_of_a_damaged_file_says_so(public: Path) -> None:
    ref = build_discussion(public)
    (public / "DiscussionIds/anna/memories.json").write_text("[{", encoding="utf-8")

    ledger = get_ledger(ref, {})

    assert (ledger.total, ledger.report.state) == (0, FileState.DAMAGED)
    assert ledger.report.problem


def test_get_ledger_of_a_locked_file_says_so_until_the_key_is_given(public: Path) -> None:
    ref = build_discussion(public, api_key=API_KEY, encrypted=True, chunks=2)

    assert get_ledger(ref, {}).report.state is FileState.LOCKED
    assert get_ledger(ref, KEYS).total == 2


def test_list_chunks_gives_the_newest_first(public: Path) -> None:
    ref = build_discussion(public, chunks=5)

    page = list_chunks(ref, PageRequest(1, 2), {})

    assert ([chunk.number for chunk in page.items], page.total) == ([5, 4], 5)


def test_list_chunks_can_start_with_the_oldest(public: Path) -> None:
    ref = build_discussion(public, chunks=5)

    page = list_chunks(ref, PageRequest(2, 2), {}, newest_first=False)

    assert [chunk.number for chunk in page.items] == [3, 4]


@pytest.mark.parametrize(
    ("only", "numbers"),
    [
        ("condensed", [1]),
        ("not-condensed", [2, 3, 4]),
        ("in-summary", [1, 2, 3]),
        ("not-in-summary", [4]),
        ("same-hash", [2, 4]),
    ],
)
def test_list_chunks_can_leave_chunks_out(public: Path, only: str, numbers: list[int]) -> None:
    ref = build_discussion(public, summary_up_to=3, condensed_up_to=1)
    entries = [build_entry(number) for number in (1, 2, 3, 2)]
    write_entries(public / "DiscussionIds/anna/memories.json", entries)

    page = list_chunks(ref, PageRequest(), {}, newest_first=False, only=only)

    assert [chunk.number for chunk in page.items] == numbers


def test_list_chunks_refuses_an_unknown_filter(public: Path) -> None:
    with pytest.raises(InvalidError):
        list_chunks(build_discussion(public), PageRequest(), {}, only="blue")


def test_get_chunk_says_where_it_stands(public: Path) -> None:
    ref = build_discussion(public, chunks=3, summary_up_to=2, condensed_up_to=1)

    chunk = get_chunk(ref, 2, {})

    assert (chunk.is_condensed, chunk.is_in_summary, chunk.same_hash_as) == (False, True, ())
    assert chunk.hash == hash_of("message 2")
    assert chunk.token_estimate > 0


@pytest.mark.parametrize("number", [0, 4, -1])
def test_get_chunk_outside_the_ledger_raises(public: Path, number: int) -> None:
    ref = build_discussion(public, chunks=3)

    with pytest.raises(ChunkNotFoundError):
        get_chunk(ref, number, {})


def test_list_chunks_of_an_unknown_discussion_raises(public: Path) -> None:
    with pytest.raises(DiscussionNotFoundError):
        list_chunks(build_ref("nobody"), PageRequest(), {})
