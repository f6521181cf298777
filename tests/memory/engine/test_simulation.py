from __future__ import annotations

import pytest

from memory.engine.memory_settings import Thresholds
from memory.engine.simulation import simulate
from memory.engine.triggers import Progress, WriterPath, decide
from memory.types import Message


def _chat(count: int, words: int = 20) -> list[Message]:
    roles = ("user", "assistant")
    return [Message(roles[at % 2], f"message {at} " + "word " * words) for at in range(count)]


def _thresholds(size: int = 1000, messages: int = 5, lookback: int = 3) -> Thresholds:
    return Thresholds(size, 1.0, messages, lookback)


def test_chunks_follow_each_other_without_holes() -> None:
    result = simulate(_chat(60), _thresholds(), WriterPath.VECTOR)

    assert result.chunks[0].span.start == 0
    assert all(a.span.end == b.span.start for a, b in zip(result.chunks, result.chunks[1:], strict=False))
    assert result.waiting == 60 - result.chunks[-1].span.end


def test_the_first_run_on_files_waits_for_tokens_alone() -> None:
    by_file = simulate(_chat(60), _thresholds(size=10_000), WriterPath.FILE)
    by_vector = simulate(_chat(60), _thresholds(size=10_000), WriterPath.VECTOR)

    # The file exists after the first look, so both count alike from the second turn on.
    assert by_file.chunks
    assert by_vector.chunks[0].turn <= by_file.chunks[0].turn


def test_larger_chunks_mean_fewer_calls() -> None:
    small = simulate(_chat(200), _thresholds(size=200, messages=1000), WriterPath.VECTOR)
    large = simulate(_chat(200), _thresholds(size=2000, messages=1000), WriterPath.VECTOR)

    assert len(small.chunks) > len(large.chunks) > 0


def test_system_messages_are_left_out_of_chunks() -> None:
    chat = [Message("system", "be kind"), *_chat(20)]

    assert simulate(chat, _thresholds(), WriterPath.VECTOR).message_count == 20


@pytest.mark.parametrize("size", [50, 300, 900])
def test_every_turn_agrees_with_the_decision_of_the_writer(size: int) -> None:
    chat, thresholds = _chat(40), _thresholds(size=size, messages=7, lookback=2)
    result = simulate(chat, thresholds, WriterPath.VECTOR)
    first = result.chunks[0].turn

    before = decide(WriterPath.VECTOR, chat[: first - 2], thresholds=thresholds, progress=Progress())
    at = decide(WriterPath.VECTOR, chat[:first], thresholds=thresholds, progress=Progress())

    assert (before.is_triggered, at.is_triggered) == (False, True)
    assert at.new is not None
    assert at.new.span is not None
    made = [chunk.span.end for chunk in result.chunks if chunk.turn == first]
    assert made[-1] == at.new.span.end


def test_nothing_comes_of_an_empty_conversation() -> None:
    assert simulate([], _thresholds(), WriterPath.FILE).chunks == ()
