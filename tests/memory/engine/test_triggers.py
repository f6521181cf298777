from __future__ import annotations

import pytest

from memory.engine.hashing import hash_text
from memory.engine.memory_settings import Thresholds
from memory.engine.triggers import Decision, Outcome, Progress, Rule, WriterPath, decide, is_history_lost
from memory.types import Message

CALM = Thresholds(configured_chunk_size=1000, factor=1.0, max_messages=5, lookback=3)


NOTHING_STORED = Progress()


def run(count: int, progress: Progress = NOTHING_STORED, thresholds: Thresholds = CALM) -> Decision:
    messages = [Message("user", f"message {index}") for index in range(count)]
    return decide(WriterPath.FILE, messages, thresholds=thresholds, progress=progress)


@pytest.mark.parametrize(
    ("count", "outcome"),
    [
        (2, Outcome.FEWER_THAN_THREE_MESSAGES),
        (3, Outcome.NO_NEW_MESSAGES),
        (7, Outcome.BELOW_THRESHOLDS),
        (8, Outcome.MESSAGES),
    ],
)
def test_outcome_follows_the_number_of_messages(count: int, outcome: Outcome) -> None:
    assert run(count).outcome is outcome


@pytest.mark.parametrize(("count", "missing"), [(3, 5), (4, 4), (7, 1), (8, 0)])
def test_messages_missing_count_down_to_the_run(count: int, missing: int) -> None:
    assert run(count).messages_missing == missing


@pytest.mark.parametrize("count", [3, 5, 7])
def test_exactly_the_missing_messages_start_a_run(count: int) -> None:
    missing = run(count).messages_missing

    assert missing is not None
    assert run(count + missing).is_triggered
    assert not run(count + missing - 1).is_triggered


def test_without_a_file_only_tokens_count() -> None:
    decision = run(40, Progress(file_existed=False))

    assert decision.outcome is Outcome.BELOW_THRESHOLDS
    assert decision.messages_missing is None
    assert decision.tokens_missing == 1000 - decision.token_estimate
    assert [verdict.is_in_force for verdict in decision.verdicts if verdict.rule is Rule.MESSAGE_THRESHOLD] == [False]


def test_both_thresholds_are_named() -> None:
    small = Thresholds(configured_chunk_size=4, factor=1.5, max_messages=1, lookback=0)

    decision = run(3, thresholds=small)

    assert decision.outcome is Outcome.BOTH
    assert [verdict.needed for verdict in decision.verdicts] == [1, 3, 1, 6, 1]


def test_without_an_id_nothing_else_is_looked_at() -> None:
    decision = decide(WriterPath.VECTOR, [], thresholds=CALM, progress=Progress(), has_discussion_id=False)

    assert decision.outcome is Outcome.NO_DISCUSSION_ID
    assert [verdict.rule for verdict in decision.verdicts] == [Rule.DISCUSSION_ID]


def test_a_lost_history_is_told() -> None:
    assert is_history_lost(run(9, Progress(known=("0" * 64,))))
    assert not is_history_lost(run(9, Progress(known=(hash_text("message 0"),))))


def test_system_messages_count_only_for_the_minimum() -> None:
    messages = [Message("system", "be kind"), Message("system", "be brief"), Message("user", "hi")]
    thresholds = Thresholds(configured_chunk_size=1, factor=1.0, max_messages=1, lookback=0)

    decision = decide(WriterPath.VECTOR, messages, thresholds=thresholds, progress=Progress())

    assert [message.text for message in decision.messages] == ["hi"]
