"""The kept trail (W03, W12); everything else is in the recorded cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from memory.engine.chunking import Span
from memory.engine.hashing import hash_message, hash_text
from memory.engine.messages import SpokenMessages
from memory.engine.new_messages import Anchor, NewestHashes, build_trail, find_new_messages
from memory.types import Entry, Message


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
    assert build_trail(talk(*"abcdefghijkl"), 10) == tuple(trail_of(*"cdefghij"))
    assert build_trail(talk(*"abc"), 2) == tuple(trail_of(*"ab"))


@given(st.lists(st.sampled_from(["ok", "no", "go on", "and then"]), max_size=30), st.data())
def test_with_its_trail_the_end_of_any_processed_part_is_found_again(contents: list[str], data: st.DataObject) -> None:
    messages = talk(*(f"{content} {index // 4}" for index, content in enumerate(contents)), "the end")
    done = data.draw(st.integers(1, len(messages)))
    last = hash_message(messages[done - 1])

    found = find_new_messages(messages, [last], 0, trail=build_trail(messages, done))

    assert (found.span or Span(done, done)).start == done
    assert found.decided_by == last


class Watched(Sequence[Message]):
    """Messages that count how many of them were looked at."""

    def __init__(self, messages: list[Message]) -> None:
        self.messages = messages
        self.seen: set[int] = set()

    def __len__(self) -> int:
        return len(self.messages)

    def __getitem__(self, position: Any) -> Any:
        self.seen.add(position)
        return self.messages[position]


def test_only_messages_back_to_the_last_processed_one_are_looked_at() -> None:
    watched = Watched(talk(*(str(number) for number in range(1000))))
    trail = build_trail(watched.messages, 990)

    found = find_new_messages(SpokenMessages(watched), [trail[-1]], 3, trail=trail)

    assert (found.count, len(found.list_messages())) == (7, 7)
    assert min(watched.seen) >= 980
    assert found.span == Span(990, 997)


def test_positions_count_from_the_first_message_that_is_no_system_message() -> None:
    messages = [Message("system", "rules"), *talk("a", "b"), Message("system", "b"), *talk("c", "d")]

    found = find_new_messages(SpokenMessages(messages), trail_of("b"), 1)

    assert (found.anchor_position, found.span, found.count_total) == (1, Span(2, 3), 4)
    assert found.list_messages() == tuple(talk("c"))


def test_hashes_of_a_ledger_are_given_newest_first() -> None:
    hashes = NewestHashes([Entry("", str(number)) for number in range(5)])

    assert list(hashes) == ["4", "3", "2", "1", "0"]
    assert (len(hashes), "2" in hashes, "5" in hashes) == (5, True, False)
