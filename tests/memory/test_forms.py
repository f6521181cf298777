from __future__ import annotations

import pytest
from django.http import QueryDict

from memory.forms import SearchForm, UnlockForm, parse_discussion_filter, parse_line, parse_list, parse_page
from memory.results import SearchMode
from tests.builders import API_KEY, build_ref, key_hash_of
from wilmer_site.lib.errors import InvalidError


@pytest.mark.parametrize("query", ["page=0", "page=-1", "page=1.5", "page=²", "size=501", "page=" + "9" * 5000])
def test_what_is_no_page_is_refused(query: str) -> None:
    with pytest.raises(InvalidError):
        parse_page(QueryDict(query))


def test_a_repeated_chip_counts_once() -> None:
    assert parse_discussion_filter(QueryDict("chip=plain&chip=plain&chip=")).chips == ("plain",)


def test_a_list_is_newest_first_unless_the_url_says_otherwise() -> None:
    assert parse_list(QueryDict("")).newest_first
    assert not parse_list(QueryDict("order=oldest")).newest_first


def test_a_line_may_be_left_out() -> None:
    assert parse_line(QueryDict("")) is None
    assert parse_line(QueryDict("line=7")) == 7


def test_search_form_becomes_a_request() -> None:
    form = SearchForm.from_url(QueryDict("query=a&limit=3&recency=1&weight_title=2&mode=exact-text"))

    assert form.is_valid()
    request = form.search_request()
    assert request.weights == (2, 1, 1, 1, 1) and request.limit == 3 and request.use_recency
    assert request.mode is SearchMode.EXACT_TEXT and form.ref() is None


def test_search_form_without_weights_leaves_them_to_wilmerai() -> None:
    form = SearchForm.from_url(QueryDict("query=a"))

    assert form.is_valid() and form.search_request().weights is None and form.search_request().limit == 15


@pytest.mark.parametrize(
    "query", ["query=", "query=%00", "query=a&weight_title=nan", "query=a&limit=501", "query=a&mode=x"]
)
def test_search_form_refuses_what_makes_no_sense(query: str) -> None:
    assert not SearchForm.from_url(QueryDict(query)).is_valid()


def test_unlock_form_names_the_folder_of_the_key() -> None:
    form = UnlockForm({"api_key": API_KEY})

    assert form.is_valid() and form.key() == API_KEY
    assert form.key_hash(build_ref("anna")) == key_hash_of(API_KEY)


def test_unlock_form_never_shows_the_key() -> None:
    assert API_KEY not in str(UnlockForm({"api_key": API_KEY})["api_key"])
