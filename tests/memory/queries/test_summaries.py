from __future__ import annotations

from pathlib import Path

from memory.queries.summaries import get_summary
from memory.results import SummaryLink
from memory.types import FileState
from tests.builders import API_KEY, build_discussion, hash_of


def test_get_summary_says_how_far_it_reaches(public: Path) -> None:
    summary = get_summary(build_discussion(public, chunks=5, summary_up_to=2), {})

    assert (summary.link, summary.covered_chunks, summary.total_chunks, summary.behind) == (SummaryLink.LINKED, 2, 5, 3)
    assert (summary.text, summary.hash) == ("The story so far.", hash_of("message 2"))


def test_get_summary_with_a_lost_link(public: Path) -> None:
    summary = get_summary(build_discussion(public, chunks=2, summary_up_to=9), {})

    assert (summary.link, summary.covered_chunks, summary.behind) == (SummaryLink.LOST, 0, None)


def test_get_summary_when_there_is_none(public: Path) -> None:
    summary = get_summary(build_discussion(public, summary_up_to=None), {})

    assert (summary.link, summary.text, summary.report.state) == (SummaryLink.NO_SUMMARY, "", FileState.ABSENT)


def test_get_summary_of_a_locked_discussion(public: Path) -> None:
    summary = get_summary(build_discussion(public, api_key=API_KEY, encrypted=True), {})

    assert (summary.report.state, summary.text) == (FileState.LOCKED, "")
