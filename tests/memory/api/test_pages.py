from __future__ import annotations

from django.test import RequestFactory

from memory.api.pages import page_object, whole_list
from wilmer_site.lib.paging import Page


def test_page_object_keeps_every_parameter_in_its_links() -> None:
    request = RequestFactory().get("/api/v1/discussions", {"chip": ["keyed", "plain"], "text": "a&b", "page": "2"})

    found = page_object(request, Page(["x"], 9, 2, 3))

    assert found["next"] == "/api/v1/discussions?chip=keyed&chip=plain&text=a%26b&page=3"
    assert found["previous"].endswith("page=1")


def test_page_object_encodes_the_path() -> None:
    request = RequestFactory().get("/api/v1/discussions/%2565%E4%BA%AC/chunks")

    assert page_object(request, Page([], 9, 1, 3))["next"] == "/api/v1/discussions/%2565%E4%BA%AC/chunks?page=2"


def test_whole_list_is_one_page_even_when_empty() -> None:
    assert (whole_list([]).size, whole_list([]).count_pages) == (1, 1)
    assert (whole_list([1, 2]).size, whole_list([1, 2]).total) == (2, 2)
