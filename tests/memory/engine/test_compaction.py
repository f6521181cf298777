from __future__ import annotations

import pytest

from memory.engine.compaction import BOUNDARY, CompactionReason, CompactionState, CompactorSettings, plan_compaction
from memory.engine.hashing import hash_text
from memory.types import Entry, Message


@pytest.mark.parametrize(
    ("stored", "boundary"),
    [
        ("3:abc", (3, "abc")),
        ("abc", (None, "abc")),
        ("x:abc", (None, "x:abc")),
        ("-3:abc", (None, "-3:abc")),
        ("9" * 5000 + ":abc", (None, "9" * 5000 + ":abc")),
    ],
)
def test_the_boundary_of_a_stored_state(stored: str, boundary: tuple[int | None, str]) -> None:
    state = CompactionState(old=(Entry("summary", "h"), Entry(BOUNDARY, stored)))

    assert (state.boundary, state.boundary_hash) == (boundary, "abc")


@pytest.mark.parametrize("index", ["1:", "x:", ""])
def test_only_the_hash_behind_the_colon_says_whether_the_windows_moved(index: str) -> None:
    messages = [Message("user", text) for text in ("one", "two", "three")]
    settings = CompactorSettings({"lookbackStartTurn": 0, "recentContextTokens": 1, "oldContextTokens": 1})
    state = CompactionState(old=(Entry("summary", hash_text("two")), Entry(BOUNDARY, index + hash_text("two"))))

    assert plan_compaction(messages, state, settings).reason is CompactionReason.UNCHANGED
