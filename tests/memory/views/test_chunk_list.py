from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from memory.types import DiscussionRef
from tests.builders import base_folder, hash_of, write_json
from tests.html import fetch, fetch_partial, find, text_of, texts

Discuss = Callable[..., DiscussionRef]


def url_of(ref: DiscussionRef, query: str = "") -> str:
    return reverse("memory:chunk-list", args=[ref]) + query


def test_chunk_list_shows_the_newest_first(reader: Client, discuss: Discuss) -> None:
    page = fetch(reader, url_of(discuss(chunks=3)))

    assert texts(page, ".text-number") == ["3", "2", "1"]
    assert find(page.select(".text-row")[0], ".copy")["data-copy"] == hash_of("message 3")


def test_chunk_list_turns_round(reader: Client, discuss: Discuss) -> None:
    assert texts(fetch(reader, url_of(discuss(chunks=3), "?order=oldest")), ".text-number") == ["1", "2", "3"]


def test_chunk_list_says_what_is_condensed_and_summed_up(reader: Client, discuss: Discuss) -> None:
    page = fetch(reader, url_of(discuss(chunks=3, summary_up_to=2, condensed_up_to=1), "?order=oldest"))

    assert [texts(row, ".pill") for row in page.select(".text-row")] == [
        ["condensed", "in summary"],
        ["in summary"],
        ["not in summary yet"],
    ]


@pytest.mark.parametrize(
    ("only", "expected"),
    [("condensed", ["1"]), ("in-summary", ["2", "1"]), ("not-in-summary", ["3"]), ("same-hash", [])],
)
def test_chunk_list_filters(reader: Client, discuss: Discuss, only: str, expected: list[str]) -> None:
    ref = discuss(chunks=3, summary_up_to=2, condensed_up_to=1)

    assert texts(fetch(reader, url_of(ref, f"?only={only}")), ".text-number") == expected


def test_chunk_list_filters_have_counts(reader: Client, discuss: Discuss) -> None:
    page = fetch(reader, url_of(discuss(chunks=3, summary_up_to=2, condensed_up_to=1)))

    assert texts(page, ".chip-count") == ["3", "1", "2", "1", "0"]


def test_chunk_list_pages(reader: Client, discuss: Discuss) -> None:
    page = fetch(reader, url_of(discuss(chunks=5), "?size=2&page=2&order=oldest"))

    assert texts(page, ".text-number") == ["3", "4"]
    assert find(page, "a[rel=next]")["href"] == "?order=oldest&size=2&page=3"


def test_chunk_list_gives_htmx_only_the_list(reader: Client, discuss: Discuss) -> None:
    assert fetch_partial(reader, url_of(discuss()))["id"] == "chunk-table"


def test_chunk_list_escapes_texts(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss()
    entry = {"text_block": "<script>alert(1)</script>", "hash": "x"}
    write_json(base_folder(public) / "anna" / "memories.json", [entry])

    page = fetch(reader, url_of(ref))

    assert text_of(page, ".memory-text") == "<script>alert(1)</script>"


def test_chunk_list_without_ledger_says_so(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss()
    (base_folder(public) / "anna" / "memories.json").unlink()

    page = fetch(reader, url_of(ref))

    assert text_of(page, ".state-title") == "Ledger: no file yet"
    assert not (base_folder(public) / "anna" / "memories.json").exists()


def test_chunk_list_of_a_damaged_ledger_leads_to_the_raw_file(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss()
    (base_folder(public) / "anna" / "memories.json").write_text("[{]")

    page = fetch(reader, url_of(ref))

    assert text_of(page, ".state-title") == "Ledger is damaged"
    raw = find(page, ".state-actions a:not(.btn-primary)")
    assert raw["href"] == reverse("memory:file-detail", args=[ref, "memories"])


def test_chunk_list_of_a_too_large_ledger_says_so(reader: Client, discuss: Discuss, settings: object) -> None:
    settings.WILMER_MAX_FILE_BYTES = 10  # type: ignore[attr-defined]

    page = fetch(reader, url_of(discuss()))

    assert text_of(page, ".state-title") == "Ledger is too large"


@pytest.mark.parametrize("query", ["?only=blue", "?order=up", "?page=0"])
def test_chunk_list_refuses_what_makes_no_sense(reader: Client, discuss: Discuss, query: str) -> None:
    fetch(reader, url_of(discuss(), query), status=422)
