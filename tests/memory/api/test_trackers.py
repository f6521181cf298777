from __future__ import annotations

from pathlib import Path

from django.test import Client

from tests.builders import build_discussion, hash_of, write_json
from tests.memory.api.calls import url


def test_get_trackers_says_what_each_hash_names(public: Path, reader: Client) -> None:
    ref = build_discussion(public, chunks=3, condensed_up_to=2)
    times = {hash_of("message 1"): "(Monday, 2026-01-05 10:00:00)", "PLACEHOLDER_TIMESTAMP_HASH_0000": "(…)"}
    write_json(public / "DiscussionIds/anna/timestamps.json", times)

    trackers = reader.get(url(ref, "trackers")).json()

    assert trackers["condensation"]["chunk_numbers"] == [2]
    assert trackers["progress"][0]["hash"] == hash_of("message 1")
    assert trackers["progress"][0]["timestamp"] == "(Monday, 2026-01-05 10:00:00)"
    assert trackers["progress"][0]["logged_at"] == "2026-01-01T10:00:00+00:00"
    assert trackers["has_pending_timestamp"] is True


def test_get_trackers_of_a_bare_discussion(public: Path, reader: Client) -> None:
    ref = build_discussion(public, memories=None)

    trackers = reader.get(url(ref, "trackers")).json()

    assert (trackers["condensation"], trackers["progress"], trackers["vision"]["count"]) == (None, [], 0)


def test_get_trackers_does_not_count_what_it_cannot_read(public: Path, reader: Client) -> None:
    ref = build_discussion(public)
    (public / "DiscussionIds/anna/timestamps.json").write_text("{")

    timestamps = reader.get(url(ref, "trackers")).json()["timestamps"]

    assert (timestamps["count"], timestamps["file"]["state"]) == (None, "damaged")
