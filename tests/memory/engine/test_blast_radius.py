"""What is announced is what the writer's own rules give before and after."""

from __future__ import annotations

from typing import Any

import pytest

from memory.engine import ledger_changes as changes
from memory.engine.blast_radius import BlastRadius, Change, Outlook, Weight, measure
from memory.engine.hashing import hash_text
from memory.engine.ledger_changes import Layers, keep_in_step, leave_links
from memory.engine.memory_settings import MemorySettings
from memory.engine.triggers import Progress, WriterPath, decide
from memory.types import Entry, Message

SETTINGS = MemorySettings({"chunkEstimatedTokenSize": 20, "maxMessagesBetweenChunks": 4, "lookbackStartTurn": 3})
MESSAGES = tuple(Message("user", f"message {number}") for number in range(1, 31))
KNOWN = Outlook(SETTINGS, MESSAGES)
BLIND = Outlook(SETTINGS)
LEDGER = tuple(Entry(f"chunk {n}", hash_text(f"message {n * 5}")) for n in range(1, 6))
"""Five chunks of five messages; messages 26 and 27 wait, 28 to 30 are the tail."""


def layers(covers: int = 0, condensed: int = 0, **more: Any) -> Layers:
    summary = (Entry("so far", LEDGER[covers - 1].hash),) if covers else ()
    return Layers(LEDGER, summary, LEDGER[condensed - 1].hash if condensed else "", **more)


def removal(numbers: list[int], outlook: Outlook, before: Layers | None = None, *, keep: bool = True) -> BlastRadius:
    before = before or layers()
    after = (keep_in_step if keep else leave_links)(before, changes.delete_chunks(before.ledger, numbers))
    return measure(Change(before, after, tuple(numbers)), outlook)


def codes(radius: BlastRadius) -> set[str]:
    return {item.code for item in radius.consequences}


def count_new(ledger: tuple[Entry, ...]) -> int:
    progress = Progress([entry.hash for entry in reversed(ledger)])
    found = decide(WriterPath.FILE, MESSAGES, thresholds=SETTINGS.file_thresholds, progress=progress).new
    return found.count if found else 0


def test_a_text_alone_causes_nothing() -> None:
    before = layers(2)
    after = keep_in_step(before, changes.edit_text(LEDGER, 3, "other"))

    radius = measure(Change(before, after), KNOWN)

    assert (codes(radius), radius.is_quiet) == ({"text-only"}, True)
    assert radius.consequences[0].text == "Text only: nothing is processed again."


@pytest.mark.parametrize("gone", [[5], [4, 5], [3, 5], [1, 2, 3, 4, 5]])
def test_messages_again_are_what_the_engine_finds(gone: list[int]) -> None:
    radius = removal(gone, KNOWN)
    kept = tuple(entry for number, entry in enumerate(LEDGER, 1) if number not in gone)

    assert radius.number("messages_after") == count_new(kept)
    assert radius.number("messages_again") == count_new(kept) - count_new(LEDGER)
    assert radius.is_exact


def test_the_newest_chunk_is_told_in_messages_and_chunks() -> None:
    text = removal([5], KNOWN).consequences[0].text

    assert text == "The next turn will process 5 messages again (7 in all) in 2 chunks."


def test_without_a_chat_it_is_told_in_chunks() -> None:
    radius = removal([4, 5], BLIND)

    assert radius.consequences[0].text.startswith("The messages of chunks 4 to 5 count as new again")
    assert (radius.number("chunks_of_messages_again"), radius.is_exact) == (2, False)


def test_a_chat_that_ends_too_early_does_not_mislead() -> None:
    radius = removal([5], Outlook(SETTINGS, MESSAGES[:12]))

    assert not radius.is_exact
    assert "chunk 5" in radius.consequences[0].text


def test_a_middle_chunk_leaves_a_hole() -> None:
    radius = removal([3], KNOWN)

    assert codes(radius) == {"boundary-stays", "hole"}
    assert radius.number("messages_lost") == 5


def test_a_cut_link_feeds_every_chunk_again() -> None:
    radius = removal([2], KNOWN, layers(2), keep=False)

    assert "summary-link-cut" in codes(radius)
    assert radius.number("chunks_fed") == 4


def test_a_kept_link_feeds_only_what_is_newer() -> None:
    radius = removal([2], KNOWN, layers(2))

    assert {"summary-link-moved", "summary-remembers"} <= codes(radius)
    assert radius.number("chunks_fed") == 3


def test_a_lost_tracker_starts_condensation_over() -> None:
    assert "condensation-starts-over" in codes(removal([2], KNOWN, layers(condensed=2), keep=False))
    assert "condensation-starts-over" not in codes(removal([2], KNOWN, layers(condensed=2)))


def test_an_absent_ledger_is_not_an_empty_one() -> None:
    before = layers()
    empty = measure(Change(before, Layers()), BLIND)
    absent = measure(Change(before, Layers(has_ledger_file=False)), BLIND)

    assert "ledger-empty" in codes(empty)
    assert "ledger-absent" in codes(absent)


def test_moving_the_newest_chunk_tells_that_readers_differ() -> None:
    before = layers()
    after = keep_in_step(before, changes.move_chunk(LEDGER, 5, -1))

    radius = measure(Change(before, after), KNOWN)

    assert "readers-differ" in codes(radius)
    assert (radius.number("messages_wilmer"), radius.number("messages_console")) == (2, 7)


def test_a_vector_boundary_is_measured_by_its_own_path() -> None:
    before = Layers(progress=(hash_text("message 20"), hash_text("message 10")))
    after = Layers(progress=(hash_text("message 10"),))

    radius = measure(Change(before, after, touches_texts=False), KNOWN)

    assert (radius.number("messages_before"), radius.number("messages_after")) == (7, 17)


def test_a_boundary_moved_forward_skips_messages() -> None:
    before = Layers(progress=(hash_text("message 10"),))
    after = Layers(progress=(hash_text("message 20"), hash_text("message 10")))

    radius = measure(Change(before, after, touches_texts=False), KNOWN)

    assert radius.number("messages_skipped") == 10
    assert radius.consequences[0].weight is Weight.WARNING


def test_deleting_the_summary_is_said_in_chunks() -> None:
    before = layers(3)

    radius = measure(Change(before, Layers(LEDGER)), BLIND)

    assert radius.number("chunks_fed") == 5
