from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from django.test import Client
from django.urls import reverse

from memory.types import DiscussionRef
from tests.builders import base_folder, hash_of, write_json
from tests.html import fetch, fetch_partial, find, text_of

Discuss = Callable[..., DiscussionRef]


def test_chunk_detail_shows_text_hash_and_neighbours(reader: Client, discuss: Discuss) -> None:
    ref = discuss(chunks=3)

    page = fetch(reader, reverse("memory:chunk-detail", args=[ref, 2]))

    assert text_of(page, ".memory-text").startswith("Chunk 2:")
    assert text_of(page, ".full-hash code") == hash_of("message 2")
    assert find(page, "a[rel=prev]")["href"] == reverse("memory:chunk-detail", args=[ref, 1])
    assert find(page, "a[rel=next]")["href"] == reverse("memory:chunk-detail", args=[ref, 3])


def test_chunk_detail_has_no_neighbours_beyond_the_ends(reader: Client, discuss: Discuss) -> None:
    page = fetch(reader, reverse("memory:chunk-detail", args=[discuss(chunks=1), 1]))

    assert not page.select(".neighbours a")


def test_chunk_detail_shows_all_of_a_long_text(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss()
    write_json(base_folder(public) / "anna" / "memories.json", [{"text_block": "word " * 999 + "end", "hash": "x"}])

    assert text_of(fetch(reader, reverse("memory:chunk-detail", args=[ref, 1])), ".memory-text").endswith("word end")
    assert text_of(fetch(reader, reverse("memory:chunk-list", args=[ref])), ".memory-text").endswith("word …")


def test_chunk_detail_gives_htmx_only_the_chunk(reader: Client, discuss: Discuss) -> None:
    assert fetch_partial(reader, reverse("memory:chunk-detail", args=[discuss(), 1]))["id"] == "chunk"


def test_chunk_detail_of_a_number_beyond_the_end_is_missing(reader: Client, discuss: Discuss) -> None:
    ref = discuss(chunks=3)

    for number in (0, 4, 10**17):
        fetch(reader, reverse("memory:chunk-detail", args=[ref, number]), status=404)
    fetch(reader, f"/discussions/anna/chunks/{10**30}/", status=404)
