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


def url_of(ref: DiscussionRef, memory_id: int = 1) -> str:
    return reverse("memory:vector-memory-detail", args=[ref, memory_id])


def test_vector_memory_detail_shows_everything(reader: Client, discuss: Discuss) -> None:
    page = fetch(reader, url_of(discuss()))

    assert text_of(page, ".memory-text") == "Anna planted tree number 1."
    assert texts(page, ".term") == ["Anna", "garden"]
    assert MODEL in texts(page, "dd code")
    assert '"title": "Tree 1"' in find(page, ".card-footer pre").get_text()


def test_vector_memory_detail_shows_metadata_that_is_no_json(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss()
    with closing(sqlite3.connect(base_folder(public) / "anna" / "vector_memory.db")) as database, database:
        database.execute("UPDATE memories SET metadata_json = '{broken' WHERE id = 1")

    page = fetch(reader, url_of(ref))

    assert page.select(".note.is-error")
    assert find(page, ".card-footer pre").get_text() == "{broken"


def test_vector_memory_detail_gives_htmx_only_the_memory(reader: Client, discuss: Discuss) -> None:
    assert fetch_partial(reader, url_of(discuss()))["id"] == "vector-memory"


def test_vector_memory_detail_of_an_unknown_id_is_missing(reader: Client, discuss: Discuss) -> None:
    fetch(reader, url_of(discuss(), 99), status=404)
