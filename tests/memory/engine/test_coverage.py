from __future__ import annotations

from memory.engine.coverage import Chat, Coverage, Remembered, Trouble, build_coverage
from memory.types import Entry


def _cover(hashes: str, *ends: str, condensed: int = 0, notes: dict[str, str] | None = None) -> Coverage:
    """One letter is the hash of one message; a dot is a message that memory never sees."""
    chat = Chat(["" if letter == "." else letter for letter in hashes], lookback=2)
    ledger = [Entry(f"about {end}", end) for end in ends]
    noted = {key: list(value) for key, value in (notes or {}).items()}
    return build_coverage(chat, Remembered(ledger, condensed, summary_chunks=1), noted, {})


def test_the_tail_counts_messages_that_memory_sees() -> None:
    assert _cover("abc.d.").tail_start == 3
    assert _cover("a").tail_start == 1


def test_a_message_that_was_put_in_between_is_a_change() -> None:
    (chunk,) = _cover("axbc", "c", notes={"c": "abc"}).chunks

    assert (chunk.changed, chunk.lost, chunk.gap) == ((2,), 0, None)


def test_a_message_that_was_removed_is_lost() -> None:
    (chunk,) = _cover("ac", "c", notes={"c": "abc"}).chunks

    assert (chunk.changed, chunk.lost, chunk.troubles) == ((), 1, (Trouble.STALE,))


def test_an_edited_first_message_is_a_change_and_no_gap() -> None:
    (chunk,) = _cover("xbc", "c", notes={"c": "abc"}).chunks

    assert (chunk.changed, chunk.gap) == ((1,), None)


def test_condensed_chunks_are_not_held_against_the_notes_of_one_of_them() -> None:
    (chunk,) = _cover("abcd", "d", condensed=1, notes={"d": "cd"}).chunks

    assert (chunk.first, chunk.troubles) == (1, ())


def test_a_chunk_that_goes_back_is_an_overlap() -> None:
    _, second = _cover("abcd", "d", "b").chunks

    assert second.troubles == (Trouble.OVERLAP,)


def test_the_chunk_of_a_message_is_found() -> None:
    coverage = _cover("abcdef", "b", "d")

    assert [coverage.chunk_of(number) for number in (1, 4, 6)] == [1, 2, None]


def test_hashes_that_are_all_foreign_leave_the_reach_unknown() -> None:
    assert not _cover("abc", "z").file.is_known


def test_a_stretch_that_a_later_chunk_covers_is_no_gap() -> None:
    notes = {"f": "ef", "d": "cd"}

    assert [chunk.gap for chunk in _cover("abcdef", "b", "f", notes=notes).chunks] == [None, (3, 4)]
    filled = _cover("abcdef", "b", "f", "d", notes=notes)

    assert [chunk.gap for chunk in filled.chunks] == [None] * 3
    assert (filled.counts[Trouble.GAP], filled.counts[Trouble.OVERLAP]) == (0, 1)
