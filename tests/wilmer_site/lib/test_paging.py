from __future__ import annotations

import pytest

from wilmer_site.lib.errors import InvalidError
from wilmer_site.lib.paging import MAX_PAGE_SIZE, PageRequest, slice_page


def test_slice_page_knows_where_it_stands() -> None:
    page = slice_page(list(range(25)), PageRequest(3, 10))

    assert (page.items, page.count_pages, page.has_next, page.has_previous) == ([20, 21, 22, 23, 24], 3, False, True)
    assert page.map(str).items[0] == "20"


def test_empty_list_still_has_a_page() -> None:
    page = slice_page([], PageRequest())

    assert (page.count_pages, page.has_next, page.has_previous) == (1, False, False)


@pytest.mark.parametrize(("number", "size"), [(0, 10), (1, 0), (1, MAX_PAGE_SIZE + 1), (-1, 5)])
def test_page_request_refuses_nonsense(number: int, size: int) -> None:
    with pytest.raises(InvalidError):
        PageRequest(number, size)
