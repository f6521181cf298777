from __future__ import annotations

import pytest

from wilmer_site.lib.paging import Page
from wilmer_site.templatetags.paging import first_item, last_item, number_url, page_numbers, page_url, query


@pytest.mark.parametrize(
    ("number", "total", "expected"),
    [
        (1, 0, [1]),
        (1, 30, [1, 2, 3]),
        (10, 200, [1, None, 8, 9, 10, 11, 12, None, 20]),
        (20, 200, [1, None, 18, 19, 20]),
    ],
)
def test_page_numbers(number: int, total: int, expected: list[int | None]) -> None:
    assert page_numbers(Page([], total, number, 10)) == expected


@pytest.mark.parametrize(("number", "total", "span"), [(1, 0, (0, 0)), (3, 214, (21, 30)), (22, 214, (211, 214))])
def test_first_and_last_item(number: int, total: int, span: tuple[int, int]) -> None:
    page: Page[int] = Page([], total, number, 10)

    assert (first_item(page), last_item(page)) == span


def test_queries_keep_what_was_there() -> None:
    page: Page[int] = Page([], 100, 2, 10)

    assert query(page_url(page, 1), "sort=id") == "?sort=id&page=3"
    assert query(number_url(4), "") == "?page=4"
