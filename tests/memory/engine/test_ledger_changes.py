"""What becomes of hashes and links when a person changes a ledger (traps F1, F2, F7)."""

from __future__ import annotations

import pytest

from memory.engine import ledger_changes as changes
from memory.engine.chunk_facts import condensed_count, covered_count
from memory.engine.ledger_changes import Layers, find_version, keep_in_step, leave_links
from memory.engine.versions import chunk_version
from memory.errors import ChunkNotFoundError
from memory.types import Entry
from wilmer_site.lib.errors import InvalidError

LEDGER = tuple(Entry(f"text {name}", name) for name in "abcd")


def layers(covers: str = "", tracker: str = "") -> Layers:
    return Layers(LEDGER, (Entry("summary", covers),) if covers else (), tracker)


def names(change: changes.LedgerChange) -> list[str]:
    return [entry.hash for entry in change.entries]


def test_editing_a_text_leaves_the_hash() -> None:
    change = changes.edit_text(LEDGER, 2, "other")

    assert change.entries == (LEDGER[0], Entry("other", "b"), *LEDGER[2:])


def test_merged_chunks_get_the_hash_of_the_newer() -> None:
    change = changes.merge_chunks(LEDGER, 2)

    assert change.entries[1] == Entry("text b\ntext c", "c")
    assert names(change) == ["a", "c", "d"]


def test_split_gives_the_second_part_the_old_hash() -> None:
    first = "0" * 64

    change = changes.split_chunk((Entry("one two", "z"),), 1, 4, first)

    assert change.entries == (Entry("one", first), Entry("two", "z"))


@pytest.mark.parametrize(("position", "first"), [(0, "z"), (99, "z"), (3, "z"), (4, "short"), (4, "A" * 64)])
def test_split_refuses_blank_parts_and_what_is_no_hash(position: int, first: str) -> None:
    with pytest.raises(InvalidError):
        changes.split_chunk((Entry("one    ", "z"),), 1, position, first)


def test_move_takes_the_hash_along() -> None:
    assert names(changes.move_chunk(LEDGER, 4, -1)) == ["a", "b", "d", "c"]
    assert names(changes.move_chunk(LEDGER, 1, 2)) == ["b", "c", "a", "d"]


@pytest.mark.parametrize(("number", "by"), [(1, -1), (4, 1), (2, 0)])
def test_move_stays_inside(number: int, by: int) -> None:
    with pytest.raises(InvalidError):
        changes.move_chunk(LEDGER, number, by)


def test_unknown_numbers_are_not_found() -> None:
    for number in (0, 5):
        with pytest.raises(ChunkNotFoundError):
            changes.edit_text(LEDGER, number, "x")
        with pytest.raises(ChunkNotFoundError):
            changes.delete_chunks(LEDGER, [number])


@pytest.mark.parametrize(
    ("gone", "covers", "now"),
    [([2], "b", "a"), ([1, 2], "b", "b"), ([1], "b", "b"), ([3], "b", "b"), ([2, 3], "c", "a"), ([4], "d", "c")],
)
def test_the_summary_is_linked_to_the_entry_before(gone: list[int], covers: str, now: str) -> None:
    after = keep_in_step(layers(covers), changes.delete_chunks(LEDGER, gone))

    assert after.summary[-1].hash == now


@pytest.mark.parametrize(("gone", "tracker", "now"), [([2], "b", "a"), ([1], "b", "b"), ([2, 3], "c", "a")])
def test_the_tracker_moves_likewise(gone: list[int], tracker: str, now: str) -> None:
    assert keep_in_step(layers(tracker=tracker), changes.delete_chunks(LEDGER, gone)).tracker == now


def test_links_can_be_left() -> None:
    after = leave_links(layers("b", "b"), changes.delete_chunks(LEDGER, [2]))

    assert (after.summary[-1].hash, after.tracker) == ("b", "b")


def test_a_merge_across_the_border_is_fed_in_again() -> None:
    after = keep_in_step(layers("b", "b"), changes.merge_chunks(LEDGER, 2))

    assert covered_count(after.summary, after.ledger) == 1
    assert condensed_count(after.tracker, after.ledger) == 1


def test_a_chunk_that_moves_over_the_border_takes_it_back() -> None:
    after = keep_in_step(layers("b"), changes.move_chunk(LEDGER, 2, 1))

    assert covered_count(after.summary, after.ledger) == 1


def test_a_chunk_is_found_where_it_stands_now() -> None:
    seen = chunk_version(LEDGER[2])

    assert find_version(LEDGER, 3, seen) == 3
    assert find_version(LEDGER[1:], 3, seen) == 2
    assert find_version((LEDGER[2], LEDGER[0], LEDGER[2]), 2, seen) is None
    assert find_version(LEDGER[:2], 3, seen) is None
    assert find_version(LEDGER, 3, None) == 3
