from __future__ import annotations

from pathlib import Path

from memory.queries.trackers import get_trackers
from memory.types import FileState
from tests.builders import build_discussion, hash_of, write_json


def test_get_trackers_explains_every_hash(public: Path) -> None:
    ref = build_discussion(public, chunks=3, condensed_up_to=2)
    stamps = {hash_of("message 1"): "(Monday, 2026-01-05 10:00:00)", "PLACEHOLDER_TIMESTAMP_HASH_0000": "(Tuesday)"}
    write_json(public / "DiscussionIds/anna/timestamps.json", stamps)

    trackers = get_trackers(ref, {})

    assert trackers.condensation is not None
    assert trackers.condensation.chunk_numbers == (2,)
    row, meaning = trackers.progress[0]
    assert (row.message_hash, meaning.chunk_numbers, meaning.timestamp) == (
        hash_of("message 1"),
        (1,),
        "(Monday, 2026-01-05 10:00:00)",
    )
    assert (trackers.timestamp_count, trackers.has_pending_timestamp, trackers.progress_total) == (1, True, 1)


def test_get_trackers_when_there_are_none(public: Path) -> None:
    trackers = get_trackers(build_discussion(public, memories=None), {})

    assert (trackers.condensation, trackers.progress, trackers.progress_total) == (None, (), 0)
    assert trackers.timestamps_report.state is FileState.ABSENT


def test_get_trackers_with_a_broken_database_shows_the_rest(public: Path) -> None:
    ref = build_discussion(public, condensed_up_to=1)
    (public / "DiscussionIds/anna/vector_memory.db").write_bytes(b"not a database at all" * 100)

    trackers = get_trackers(ref, {})

    assert trackers.condensation is not None
    assert trackers.progress == ()


def test_get_trackers_gives_the_compactor_texts(public: Path) -> None:
    ref = build_discussion(public)
    boundary = {"text_block": "__boundary__", "hash": "4:abc"}
    write_json(
        public / "DiscussionIds/anna/context_compactor_old.json", [{"text_block": "Old part", "hash": "x"}, boundary]
    )

    texts = [text for _, text in get_trackers(ref, {}).compactor]

    assert texts == ["Old part", ""]
