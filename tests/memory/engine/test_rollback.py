from __future__ import annotations

import pytest

from memory.engine.rollback import (
    LogRow,
    RollbackPoint,
    count_kept_chunks,
    cut_log,
    cut_timestamps,
    cut_tracker,
    find_row,
)
from memory.types import Entry
from wilmer_site.lib.errors import InvalidError

CHAT = [f"h{number}" for number in range(1, 11)]
LEDGER = [Entry("one", "h3"), Entry("two", "h6"), Entry("three", "h9")]
ROWS = [LogRow(1, "h3", "2026-01-01T10:00:00+00:00"), LogRow(2, "h6", "2026-01-02T10:00:00+00:00")]


@pytest.mark.parametrize(("message", "kept"), [(1, 0), (3, 0), (4, 1), (6, 1), (7, 2), (9, 2), (10, 3)])
def test_chunks_that_end_before_the_message_stay(message: int, kept: int) -> None:
    assert count_kept_chunks(LEDGER, CHAT, message) == kept


def test_chunks_that_are_not_in_the_chat_stay_with_their_neighbours() -> None:
    ledger = [LEDGER[0], Entry("lost", "x"), LEDGER[1]]

    assert [count_kept_chunks(ledger, CHAT, message) for message in (3, 6, 7)] == [0, 2, 3]


def test_memories_go_with_their_rows() -> None:
    memories = [(1, "2026-01-01T09:59:59+00:00"), (2, "2026-01-02T09:00:00+00:00"), (3, "soon")]

    assert cut_log(ROWS, 1, memories).memory_ids == (2,)
    assert cut_log(ROWS, 0, memories).memory_ids == (1, 2, 3)
    assert cut_log(ROWS, 2, memories).removed == ()


def test_times_without_zone_are_utc() -> None:
    row = LogRow(None, "h3", "2026-01-01 10:00:00.000000")

    assert cut_log([row, ROWS[1]], 1, [(1, "2026-01-01T10:00:01+00:00")]).memory_ids == (1,)


def test_the_newest_row_of_a_hash_is_found() -> None:
    assert find_row([*ROWS, ROWS[0]], "h3") == 3
    assert find_row(ROWS, "x") is None


def test_the_tracker_names_a_chunk_that_stays() -> None:
    assert [cut_tracker("h6", LEDGER, kept) for kept in (0, 1, 2, 3)] == ["", "h3", "h6", "h6"]
    assert cut_tracker("lost", LEDGER, 0) == "lost"


def test_times_of_forgotten_messages_go() -> None:
    values = {"h1": "a", "h5": "b", "same": "c", "PLACEHOLDER_TIMESTAMP_HASH_0000": "d"}
    positions = {"h1": (1,), "h5": (5,), "same": (2, 7)}

    assert set(cut_timestamps(values, positions, 5)) == {"h1", "same", "PLACEHOLDER_TIMESTAMP_HASH_0000"}


@pytest.mark.parametrize("values", [{}, {"message": 1, "chunk": 1}, {"message": 0}, {"chunk": -1}])
def test_points_that_name_nothing_are_refused(values: dict[str, int]) -> None:
    with pytest.raises(InvalidError):
        RollbackPoint(**values)
