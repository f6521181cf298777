from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from django.test import Client
from django.urls import reverse

from memory.types import DiscussionRef
from tests.builders import base_folder, write_json
from tests.html import fetch, fetch_partial, find, text_of, texts

Discuss = Callable[..., DiscussionRef]


def url_of(ref: DiscussionRef) -> str:
    return reverse("memory:summary-detail", args=[ref])


def test_summary_detail_says_how_far_it_reaches(reader: Client, discuss: Discuss) -> None:
    ref = discuss(chunks=3, summary_up_to=2)

    page = fetch(reader, url_of(ref))

    assert text_of(page, ".memory-text") == "The story so far."
    assert text_of(page, ".meter-text") == "2 of 3 chunks, behind by 1"
    assert find(page, ".pairs dd a")["href"] == reverse("memory:chunk-detail", args=[ref, 2])


def test_summary_detail_explains_a_lost_link(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss()
    write_json(base_folder(public) / "anna" / "chat_summary.json", [{"text_block": "Old.", "hash": "0" * 64}])

    page = fetch(reader, url_of(ref))

    assert "link lost" in texts(page, ".card-header .pill")
    assert "every memory" in text_of(page, ".card-note")


def test_summary_detail_without_summary_says_so(reader: Client, discuss: Discuss) -> None:
    page = fetch(reader, url_of(discuss(summary_up_to=None)))

    assert text_of(page, ".state-title") == "Rolling summary: no file yet"


def test_summary_detail_of_a_damaged_file_leads_to_it(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss()
    (base_folder(public) / "anna" / "chat_summary.json").write_text("nonsense")

    page = fetch(reader, url_of(ref))

    raw = find(page, ".state-actions a:not(.btn-primary)")
    assert raw["href"] == reverse("memory:file-detail", args=[ref, "chat_summary"])


def test_summary_detail_gives_htmx_only_the_summary(reader: Client, discuss: Discuss) -> None:
    assert fetch_partial(reader, url_of(discuss()))["id"] == "summary"
