"""The kept trail (W03, W12); everything else is in the recorded cases."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.engine.chunking import Span
from memory.engine.hashing import hash_message, hash_text, list_hashes
from memory.engine.new_messages import TRAIL_LENGTH, Anchor, build_trail, find_new_messages
from memory.types import Message


def talk(*contents: str) -> list[Message]:
    return [Message("user", content) for content in contents]


def trail_of(*contents: str) -> list[str]:
    return [hash_text(content) for content in contents]


def test_trail_chooses_the_occurrence_it_was_kept_for() -> None:
    messages = talk("a", "ok", "b", "ok", "c", "ok", "d")

    found = find_new_messages(messages, trail_of("ok"), 0, trail=trail_of("a", "ok", "b", "ok"))

    assert found.span == Span(4, 7)
    assert found.is_ambiguous


def test_trail_of_another_hash_is_not_believed() -> None:
    found = find_new_messages(talk("a", "ok", "b", "ok", "c"), trail_of("ok"), 0, trail=trail_of("ok", "b"))

    assert found.span == Span(4, 5)


def test_replaced_last_message_continues_behind_the_last_agreeing_one() -> None:
    messages = talk("a", "b", "c again", "d", "e")

    found = find_new_messages(messages, trail_of("c"), 1, trail=trail_of("a", "b", "c"))

    assert (found.anchor, found.span) == (Anchor.TRAIL, Span(2, 4))


def test_replaced_conversation_is_reported_as_lost() -> None:
    found = find_new_messages(talk("x", "y", "z"), trail_of("c"), 1, trail=trail_of("a", "b", "c"))

    assert (found.anchor, found.span) == (Anchor.LOST, Span(0, 2))


def test_hash_of_plain_braces_is_recognised_in_a_sentinel_message() -> None:
    messages = talk("say __WILMER_L_CURLY__x__WILMER_R_CURLY__", "next")

    assert find_new_messages(messages, trail_of("say {x}"), 0).span == Span(1, 2)


def test_trail_keeps_the_newest_hashes() -> None:
    hashes = trail_of(*"abcdefghijkl")

    assert build_trail(hashes) == tuple(hashes[-TRAIL_LENGTH:])


@given(st.lists(st.sampled_from(["ok", "no", "go on", "and then"]), max_size=30), st.data())
def test_with_its_trail_the_end_of_any_processed_part_is_found_again(contents: list[str], data: st.DataObject) -> None:
    messages = talk(*(f"{content} {index // 4}" for index, content in enumerate(contents)), "the end")
    done = data.draw(st.integers(1, len(messages)))
    hashes = list_hashes(messages[:done])

    found = find_new_messages(messages, [hashes[-1]], 0, trail=build_trail(hashes))

    assert (found.span or Span(done, done)).start == done
    assert found.decided_by == hash_message(messages[done - 1])
