from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from memory.engine import timestamps
from tests.conformance.readings import messages_of
from tests.conformance.vectors import cases, load

NOW = datetime.fromisoformat(load("memory", "timestamps")["now"])


def written(before: dict[str, str] | None, after: dict[str, str]) -> dict[str, str] | None:
    """A file that is absent stays so if there is nothing to write into it."""
    return None if before is None and not after else after


@pytest.mark.parametrize("case", cases("memory", "timestamps", "track"))
def test_track(case: dict[str, Any]) -> None:
    before = case["input"]["file"]

    after = timestamps.track_times(before or {}, messages_of(case["input"]["messages"]), NOW)

    assert written(before, after) == case["expected"]["file"]


@pytest.mark.parametrize("case", cases("memory", "timestamps", "placeholder"))
def test_placeholder(case: dict[str, Any]) -> None:
    assert timestamps.set_pending(case["input"]["file"] or {}, NOW) == case["expected"]["file"]


@pytest.mark.parametrize("case", cases("memory", "timestamps", "commit"))
def test_commit(case: dict[str, Any]) -> None:
    before = case["input"]["file"]

    after = timestamps.commit_pending(before or {}, case["input"]["content"], NOW)

    assert written(before, after) == case["expected"]["file"]


@pytest.mark.parametrize("case", cases("memory", "timestamps", "specific"))
def test_specific(case: dict[str, Any]) -> None:
    given = case["input"]

    after = timestamps.set_time(given["file"] or {}, given["content"], given["timestamp"])

    assert written(given["file"], after) == case["expected"]["file"]


@pytest.mark.parametrize("case", cases("memory", "timestamps", "format"))
def test_format(case: dict[str, Any]) -> None:
    given = case["input"]
    messages = messages_of(given["messages"])

    contents = timestamps.format_contents(messages, given["file"] or {}, NOW, relative=given["relative"])

    assert contents == case["expected"]["contents"]


@pytest.mark.parametrize("case", cases("memory", "timestamps", "summary"))
def test_time_context(case: dict[str, Any]) -> None:
    assert timestamps.build_time_context(case["input"]["file"] or {}, NOW) == case["expected"]["text"]


@pytest.mark.parametrize("case", cases("memory", "timestamps", "relative"))
def test_relative(case: dict[str, Any]) -> None:
    text = case["input"]["timestamp"]

    moment = timestamps.parse_time(text)

    assert {
        "text": timestamps.format_relative(text, NOW),
        "parsed": moment and moment.isoformat(),
        "minus_one_second": timestamps.one_second_earlier(text),
    } == case["expected"]


@pytest.mark.parametrize("case", cases("memory", "timestamps", "current"))
def test_current(case: dict[str, Any]) -> None:
    assert timestamps.format_time(NOW) == case["expected"]["timestamp"]
