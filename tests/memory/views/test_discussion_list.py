from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client

from memory.types import DiscussionRef
from tests.html import fetch, fetch_partial, find, text_of, texts

Discuss = Callable[..., DiscussionRef]
URL = "/discussions/"


def test_discussion_list_shows_one_row_per_discussion(reader: Client, discuss: Discuss) -> None:
    discuss("anna", chunks=3, memories=2)

    row = find(fetch(reader, URL), "#discussion-table tbody tr")

    assert text_of(row, ".discussion-name") == "anna"
    assert text_of(row, "[data-label=Chunks]") == "3"
    assert text_of(row, "[data-label=Memories]") == "2"


def test_discussion_list_links_to_the_discussion(reader: Client, discuss: Discuss) -> None:
    discuss("a b%2e")

    link = find(fetch(reader, URL), ".discussion-name")["href"]

    assert link == "/discussions/a%20b%252e/"
    assert reader.get(link).status_code == 302


@pytest.mark.parametrize(
    ("query", "expected"),
    [("?text=AN", ["anna"]), ("?chip=has-vector", ["anna"]), ("?sort=id", ["anna", "bert"]), ("?text=zz", [])],
)
def test_discussion_list_filters_and_sorts_by_its_url(
    reader: Client, discuss: Discuss, query: str, expected: list[str]
) -> None:
    discuss("anna")
    discuss("bert", memories=None)

    assert texts(fetch(reader, URL + query), ".discussion-name") == expected


def test_discussion_list_chips_count_and_switch_off_again(reader: Client, discuss: Discuss) -> None:
    discuss("anna")

    page = fetch(reader, f"{URL}?chip=has-vector")

    chip = find(page, ".chip[aria-current]")
    assert chip.get_text(" ").split() == ["Vector", "memories", "1"]
    assert chip["href"] == URL == chip["hx-get"]


def test_discussion_list_headers_turn_the_order_round(reader: Client, discuss: Discuss) -> None:
    discuss("anna")

    page = fetch(reader, f"{URL}?sort=-chunks")

    header = find(page, "th[aria-sort=descending]")
    assert find(header, "a")["href"] == f"{URL}?sort=chunks"


def test_discussion_list_keeps_the_filter_on_other_pages(reader: Client, discuss: Discuss) -> None:
    for name in ("anna", "anne", "bert"):
        discuss(name, memories=None)

    page = fetch(reader, f"{URL}?text=ann&size=1")

    assert find(page, "a[rel=next]")["href"] == "?text=ann&size=1&page=2"


def test_discussion_list_gives_htmx_only_the_table(reader: Client, discuss: Discuss) -> None:
    discuss("anna")

    part = fetch_partial(reader, f"{URL}?text=an")

    assert part["id"] == "discussion-table"
    assert find(part, "input[name=sort]")["form"] == "discussion-filter"


def test_discussion_list_shows_nothing_and_why(reader: Client, public: Path, db: None) -> None:
    assert "No discussions" in text_of(fetch(reader, URL), ".state-title")
    assert "No discussion passes" in text_of(fetch(reader, f"{URL}?text=x"), ".state-title")


@pytest.mark.parametrize(
    "query", ["?page=0", "?page=x", "?size=9999", "?chip=blue", "?sort=colour", "?page=99999999999"]
)
def test_discussion_list_refuses_what_makes_no_sense(reader: Client, public: Path, query: str) -> None:
    fetch(reader, URL + query, status=422)


def test_discussion_list_refuses_other_methods(reader: Client, public: Path) -> None:
    assert reader.post(URL).status_code == 405
