from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from django.test import Client
from django.urls import reverse

from memory.types import DiscussionRef
from tests.builders import MODEL, base_folder
from tests.html import fetch, fetch_partial, find, text_of, texts

Discuss = Callable[..., DiscussionRef]


def url_of(ref: DiscussionRef, query: str = "") -> str:
    return reverse("memory:vector-memory-list", args=[ref]) + query


def test_vector_memory_list_shows_memories_and_embeddings(reader: Client, discuss: Discuss) -> None:
    page = fetch(reader, url_of(discuss(memories=2)))

    assert texts(page, ".text-title") == ["Tree 2", "Tree 1"]
    assert f"2 embedded with {MODEL}" in text_of(page, ".list-count")


def test_vector_memory_list_filters_by_text(reader: Client, discuss: Discuss) -> None:
    page = fetch(reader, url_of(discuss(memories=12), "?contains=NUMBER+12"))

    assert texts(page, ".text-number") == ["12"]
    assert find(page, "#filter-contains")["value"] == "NUMBER 12"


def test_vector_memory_list_pages_and_turns_round(reader: Client, discuss: Discuss) -> None:
    page = fetch(reader, url_of(discuss(memories=5), "?size=2&page=2&order=oldest"))

    assert texts(page, ".text-number") == ["3", "4"]


def test_vector_memory_list_without_match_says_so(reader: Client, discuss: Discuss) -> None:
    page = fetch(reader, url_of(discuss(), "?contains=zebra"))

    assert text_of(page, ".state-title") == "No memory contains this text"


def test_vector_memory_list_tells_the_kinds_of_nothing_apart(reader: Client, discuss: Discuss, public: Path) -> None:
    discuss("absent", memories=None)
    discuss("none", memories=0)
    discuss("broken")
    (base_folder(public) / "broken" / "vector_memory.db").write_bytes(b"no database at all, only text" * 40)

    titles = [
        text_of(fetch(reader, f"/discussions/{name}/vector-memories/"), ".state-title")
        for name in ("absent", "none", "broken")
    ]

    assert titles == ["Vector memories: absent", "Vector memories: nothing stored", "Vector database: unreadable"]


def test_vector_memory_list_warns_of_a_broken_index(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss()
    with closing(sqlite3.connect(base_folder(public) / "anna" / "vector_memory.db")) as database:
        database.execute("DROP TABLE memories_fts")

    page = fetch(reader, url_of(ref))

    assert text_of(page, ".state-title") == "Vector database: index broken"
    assert len(page.select(".text-row")) == 2


def test_vector_memory_list_gives_htmx_only_the_list(reader: Client, discuss: Discuss) -> None:
    assert fetch_partial(reader, url_of(discuss()))["id"] == "vector-memory-table"
