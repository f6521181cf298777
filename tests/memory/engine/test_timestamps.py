from __future__ import annotations

from datetime import datetime

import pytest

from memory.engine.timestamps import format_time, parse_time, track_times
from memory.types import Message


@pytest.mark.parametrize("value", [None, 5, "", "(Monday, 2026-02-30 10:00:00)", "(Monday, 2026-01-01 25:00:00)"])
def test_what_is_no_time_is_none(value: object) -> None:
    assert parse_time(value) is None


def test_a_time_survives_being_written() -> None:
    moment = datetime.fromisoformat("2024-02-29 23:59:58")

    assert parse_time(format_time(moment)) == moment


def test_tracking_changes_no_given_values() -> None:
    before: dict[str, str] = {}

    track_times(before, [Message("user", "hi")], datetime.fromisoformat("2026-03-01"))

    assert before == {}
