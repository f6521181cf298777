from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from django.test import Client
from django.urls import reverse

from memory.types import DiscussionRef
from tests.builders import base_folder, hash_of, write_entries, write_json
from tests.html import fetch, fetch_partial, find, text_of, texts

Discuss = Callable[..., DiscussionRef]


def url_of(ref: DiscussionRef) -> str:
    return reverse("memory:tracker-list", args=[ref])


def test_tracker_list_names_what_each_hash_stands_for(reader: Client, discuss: Discuss) -> None:
    ref = discuss(condensed_up_to=2)

    page = fetch(reader, url_of(ref))

    assert text_of(page, "[aria-labelledby=condensation-title] .card-body a") == "end of chunk 2"
    assert text_of(page, "[aria-labelledby=vector-progress-title] .card-body a") == "end of chunk 1"
    assert find(page, "tbody .copy")["data-copy"] == hash_of("message 1")


def test_tracker_list_counts_timestamps(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss()
    stamps = {hash_of("message 1"): "(Monday, 2026-01-05 10:00:00)", "PLACEHOLDER_TIMESTAMP_HASH_0000": "x"}
    write_json(base_folder(public) / "anna" / "timestamps.json", stamps)

    page = fetch(reader, url_of(ref))

    assert "1 message has a time One more waits" in text_of(page, "[aria-labelledby=timestamps-title] .card-body")
    assert "(Monday, 2026-01-05 10:00:00)" in texts(page, "tbody td")


def test_tracker_list_shows_compactor_texts(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss()
    entries = [{"text_block": "Long ago.", "hash": "x"}]
    write_entries(base_folder(public) / "anna" / "context_compactor_old.json", entries)

    assert "Long ago." in texts(fetch(reader, url_of(ref)), ".memory-text")


def test_tracker_list_of_a_bare_discussion_says_what_that_means(reader: Client, discuss: Discuss) -> None:
    page = fetch(reader, url_of(discuss(memories=None)))

    assert "Nothing is logged" in text_of(page, "[aria-labelledby=vector-progress-title]")
    assert "Nothing has been condensed" in text_of(page, "[aria-labelledby=condensation-title]")


def test_tracker_list_gives_htmx_only_the_trackers(reader: Client, discuss: Discuss) -> None:
    assert fetch_partial(reader, url_of(discuss()))["id"] == "trackers"
