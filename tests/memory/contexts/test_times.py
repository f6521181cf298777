from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory.contexts.times import from_nanoseconds, parse_stored_time


@pytest.mark.parametrize(
    "text", ["2026-01-02T03:04:05+00:00", "2026-01-02 03:04:05", "2026-01-02T03:04:05Z", "2026-01-02T04:04:05+01:00"]
)
def test_stored_times_are_read_as_utc_unless_they_say_otherwise(text: str) -> None:
    assert parse_stored_time(text) == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.mark.parametrize("text", ["", "yesterday", None, "2026-13-01"])
def test_what_is_no_time_is_none(text: str | None) -> None:
    assert parse_stored_time(text) is None


def test_file_times_are_aware() -> None:
    assert from_nanoseconds(1_000_000_000) == datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)
    assert from_nanoseconds(None) is None
