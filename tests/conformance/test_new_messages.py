"""Which messages are new; a case with a weakness must show the improved rule, stated here once more in plain steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from memory.engine.hashing import hash_message
from memory.engine.messages import drop_system
from memory.engine.new_messages import HISTORY_DEPTH, count_new_messages, find_new_messages
from memory.types import Message
from tests.conformance.readings import messages_of
from tests.conformance.vectors import cases


def required_span(messages: Sequence[Message], known: Sequence[str], lookback: int) -> list[int] | None:
    """W03, W10, W11, W12 of memory.md §25, without any kept trail."""
    hashes = [hash_message(message) for message in messages]
    end = max(0, len(hashes) - max(0, lookback))
    deciding = next((stored for stored in known if stored in hashes), None)
    if deciding is None:
        return [0, end] if end else None
    if deciding not in hashes[:end]:
        return None
    start = end - hashes[:end][::-1].index(deciding)
    return [start, end] if start < end else None


@pytest.mark.parametrize("case", cases("memory", "new_messages", "find"))
def test_find(case: dict[str, Any]) -> None:
    given = case["input"]
    messages, known = messages_of(given["messages"]), given["stored_hashes"][::-1]

    found = count_new_messages(messages, known, given["lookback"], skip_system=given["skip_system"])

    expected = case["expected"]["new_messages"]
    if "weakness" in case:
        counted = drop_system(messages) if given["skip_system"] else messages
        start, end = required_span(counted, known, given["lookback"]) or (0, 0)
        expected = end - start
    assert found == expected


@pytest.mark.parametrize("case", cases("memory", "new_messages", "file_window"))
def test_file_window(case: dict[str, Any]) -> None:
    known = [entry["hash"] for entry in case["input"]["memories"] or ()][::-1]

    check_window(case, known)


@pytest.mark.parametrize("case", cases("memory", "new_messages", "vector_window"))
def test_vector_window(case: dict[str, Any]) -> None:
    known = case["input"]["hash_log"][::-1][:HISTORY_DEPTH]

    check_window(case, known)


def check_window(case: dict[str, Any], known: Sequence[str]) -> None:
    messages = drop_system(messages_of(case["input"]["messages"]))
    lookback = case["input"]["lookback"]

    span = find_new_messages(messages, known, lookback).span

    expected = required_span(messages, known, lookback) if "weakness" in case else case["expected"]["span"]
    assert (span and [span.start, span.end]) == expected
