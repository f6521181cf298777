from __future__ import annotations

from pathlib import Path

import pytest

from memory.errors import DiscussionNotFoundError
from memory.queries.search import search_all, search_discussion
from memory.results import DatabaseState, DiscussionFilter, SearchRequest
from tests.builders import build_discussion, build_ref


def test_search_discussion_finds_memories(public: Path) -> None:
    ref = build_discussion(public, memories=3)

    result = search_discussion(ref, SearchRequest("garden"))

    assert {hit.memory.id for hit in result.hits} == {1, 2, 3}
    assert {hit.discussion for hit in result.hits} == {ref}


def test_search_discussion_without_a_database(public: Path) -> None:
    result = search_discussion(build_discussion(public, memories=None), SearchRequest("garden"))

    assert (result.hits, result.state) == ((), DatabaseState.ABSENT)


def test_search_discussion_of_an_unknown_discussion_raises(public: Path) -> None:
    with pytest.raises(DiscussionNotFoundError):
        search_discussion(build_ref("nobody"), SearchRequest("garden"))


@pytest.mark.django_db
def test_search_all_searches_what_the_filter_leaves(public: Path) -> None:
    anna, ben = build_discussion(public, "anna"), build_discussion(public, "ben")

    everywhere = search_all(SearchRequest("garden"))
    in_one = search_all(SearchRequest("garden"), DiscussionFilter(text="ben"))

    assert {hit.discussion for hit in everywhere.hits} == {anna, ben}
    assert {hit.discussion for hit in in_one.hits} == {ben}


@pytest.mark.django_db
def test_search_all_says_what_could_not_be_searched(public: Path) -> None:
    broken = build_discussion(public, "anna")
    build_discussion(public, "ben")
    (public / "DiscussionIds/anna/vector_memory.db").write_bytes(b"nonsense" * 99)

    result = search_all(SearchRequest("garden"))

    assert [ref for ref, _ in result.problems] == [broken]
    assert result.hits


@pytest.mark.django_db
def test_search_all_says_of_which_discussion_a_warning_speaks(public: Path) -> None:
    build_discussion(public, "anna", memories=3)
    build_discussion(public, "ben", memories=None)

    warnings = search_all(SearchRequest("tree")).warnings

    assert [warning.message.startswith("In 'anna': “tree” is in 3 of 3 memories") for warning in warnings] == [True]
