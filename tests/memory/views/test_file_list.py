from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from django.test import Client
from django.urls import reverse

from memory.types import Artefact, DiscussionRef
from tests.builders import base_folder
from tests.html import fetch, fetch_partial, text_of
from wilmer_site.lib.files import etag_of

Discuss = Callable[..., DiscussionRef]


def test_file_list_shows_every_artefact(reader: Client, discuss: Discuss) -> None:
    page = fetch(reader, reverse("memory:file-list", args=[discuss()]))

    assert len(page.select("tbody tr")) == len(Artefact)
    assert text_of(page.select("tbody tr")[0], "[data-label=Mode]") == "rw-------"


def test_file_list_shows_version_and_damage(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss()
    (base_folder(public) / "anna" / "memories.json").write_text('[\n{"text_block": "a",}\n]')

    row = fetch(reader, reverse("memory:file-list", args=[ref])).select("tbody tr")[0]

    assert "damaged line 2" in text_of(row, "[data-label=State]")
    data = (base_folder(public) / "anna" / "memories.json").read_bytes()
    assert row.select(".copy")[0]["data-copy"] == etag_of(data)


def test_file_list_gives_htmx_only_the_table(reader: Client, discuss: Discuss) -> None:
    assert fetch_partial(reader, reverse("memory:file-list", args=[discuss()]))["id"] == "file-table"
