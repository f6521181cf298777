from __future__ import annotations

from pathlib import Path

import pytest

from memory.engine.coverage import Trouble
from memory.engine.transcripts import Said
from memory.models import CoverageNote
from memory.queries.coverage import find_coverage, get_coverage
from memory.services.transcripts import ImportChoices, ImportFacts, import_transcript
from memory.types import DiscussionRef
from tests.builders import base_folder, build_discussion, build_entry, write_entries

pytestmark = pytest.mark.django_db

FACTS = ImportFacts("openai", "chat.json", imported_by="reader")


def _chat(*contents: str) -> list[Said]:
    return [Said(("user", "assistant")[at % 2], content) for at, content in enumerate(contents)]


def _import(ref: DiscussionRef, *contents: str) -> None:
    import_transcript(ref, _chat(*contents), FACTS, ImportChoices(replaces=True))


@pytest.fixture
def ref(public: Path) -> DiscussionRef:
    """Two chunks: one ends with `message 1`, one with `message 2`."""
    return build_discussion(public, chunks=2, summary_up_to=1)


def test_each_chunk_lies_on_its_messages(ref: DiscussionRef) -> None:
    _import(ref, "hello", "message 1", "more", "still more", "message 2", "new")

    coverage = get_coverage(ref, {})

    assert [(chunk.first, chunk.last) for chunk in coverage.chunks] == [(1, 2), (3, 5)]
    assert (coverage.file.last, coverage.summary.last, coverage.summary_behind) == (5, 2, 1)
    assert not any(coverage.counts.values())


def test_a_changed_message_makes_its_chunk_stale(ref: DiscussionRef) -> None:
    _import(ref, "hello", "message 1", "more", "still more", "message 2")
    _import(ref, "hello", "message 1", "more", "quite different", "message 2")

    second = get_coverage(ref, {}).chunks[1]

    assert (second.changed, second.lost, second.troubles) == ((4,), 1, (Trouble.STALE,))


def test_a_changed_anchor_leaves_its_chunk_unmatched(ref: DiscussionRef) -> None:
    _import(ref, "hello", "message 1", "more", "message two")

    first, second = get_coverage(ref, {}).chunks

    assert (first.troubles, second.troubles, second.first) == ((), (Trouble.UNMATCHED,), None)


def test_a_deleted_chunk_leaves_a_gap(ref: DiscussionRef, public: Path) -> None:
    _import(ref, "hello", "message 1", "more", "message 2")
    write_entries(base_folder(public) / "anna" / "memories.json", [build_entry(2)])

    (left,) = get_coverage(ref, {}).chunks

    assert (left.gap, left.first, left.last, left.troubles) == ((1, 2), 3, 4, (Trouble.GAP,))


def test_a_repeated_anchor_is_ambiguous(ref: DiscussionRef) -> None:
    _import(ref, "hello", "message 1", "more", "message 2", "then", "message 2")

    second = get_coverage(ref, {}).chunks[1]

    assert (second.candidates, Trouble.AMBIGUOUS in second.troubles) == ((4, 6), True)


def test_a_longer_chat_keeps_what_was_noted(ref: DiscussionRef) -> None:
    _import(ref, "hello", "message 1", "more", "message 2")
    _import(ref, "hello", "message 1", "more", "message 2", "and on", "and on again")

    assert not any(get_coverage(ref, {}).counts.values())
    assert CoverageNote.objects.filter(path="file").count() == 2


def test_without_a_chat_there_is_no_coverage(ref: DiscussionRef) -> None:
    assert find_coverage(ref, {}) is None
