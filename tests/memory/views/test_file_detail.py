from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from django.test import Client
from django.urls import reverse

from memory.types import DiscussionRef
from tests.builders import API_KEY, base_folder
from tests.html import fetch, fetch_partial, find, text_of, texts

Discuss = Callable[..., DiscussionRef]


def url_of(ref: DiscussionRef, artefact: str = "memories", query: str = "") -> str:
    return reverse("memory:file-detail", args=[ref, artefact]) + query


def test_file_detail_shows_the_lines(reader: Client, discuss: Discuss) -> None:
    page = fetch(reader, url_of(discuss(chunks=1)))

    assert texts(page, ".raw-lines td")[:2] == ["[", "{"]


def test_file_detail_points_at_the_damage(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss()
    (base_folder(public) / "anna" / "memories.json").write_text('[\n{"text_block": "<b>",}\n]')

    page = fetch(reader, url_of(ref))

    assert text_of(page, "#damage td") == '{"text_block": "<b>",}'
    assert find(page, ".note.is-error a")["href"] == "#damage"


def test_file_detail_opens_a_long_file_around_its_damage(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss()
    lines = ["["] + ["1,"] * 2000 + ["oops"] + ["2,"] * 2000
    (base_folder(public) / "anna" / "memories.json").write_text("\n".join(lines))

    page = fetch(reader, url_of(ref))

    assert text_of(page, "#damage td") == "oops"
    assert len(page.select(".raw-lines tr")) == 400
    earlier = page.find("a", string="Earlier lines")["href"]
    assert "1,801" not in texts(fetch(reader, earlier), ".raw-lines th")


def test_file_detail_shows_an_encrypted_file_as_it_is(reader: Client, discuss: Discuss) -> None:
    page = fetch(reader, url_of(discuss(api_key=API_KEY, encrypted=True)))

    assert text_of(page, ".raw-lines td").startswith("gAAAAA")


def test_file_detail_of_the_database_leads_to_the_memories(reader: Client, discuss: Discuss) -> None:
    ref = discuss()

    page = fetch(reader, url_of(ref, "vector_memory"))

    assert find(page, ".note a")["href"] == reverse("memory:vector-memory-list", args=[ref])


def test_file_detail_of_an_absent_file_makes_none(reader: Client, discuss: Discuss, public: Path) -> None:
    page = fetch(reader, url_of(discuss(), "timestamps"))

    assert "does not exist" in text_of(page, "#raw-file")
    assert not (base_folder(public) / "anna" / "timestamps.json").exists()


def test_file_detail_refuses_a_line_that_is_none(reader: Client, discuss: Discuss) -> None:
    fetch(reader, url_of(discuss(), query="?line=x"), status=422)


def test_file_detail_of_an_unknown_file_is_missing(reader: Client, discuss: Discuss) -> None:
    discuss()

    fetch(reader, "/discussions/anna/files/passwd/", status=404)


def test_file_detail_gives_htmx_only_the_file(reader: Client, discuss: Discuss) -> None:
    assert fetch_partial(reader, url_of(discuss()))["id"] == "raw-file"
