from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from memory.types import DiscussionRef
from tests.builders import API_KEY, build_ref
from tests.html import fetch, find, text_of

Discuss = Callable[..., DiscussionRef]

TABS = (
    "chunk-list", "summary-detail", "vector-memory-list", "tracker-list", "state-document-detail", "file-list",
    "health-list",
)  # fmt: skip


def test_discussion_detail_leads_to_the_chunks(reader: Client, discuss: Discuss) -> None:
    ref = discuss()

    response = reader.get(reverse("memory:discussion-detail", args=[ref]))

    assert response.headers["Location"] == reverse("memory:chunk-list", args=[ref])


@pytest.mark.parametrize("name", TABS)
def test_every_tab_shows_the_strip_and_marks_itself(reader: Client, discuss: Discuss, name: str) -> None:
    ref = discuss()
    url = reverse(f"memory:{name}", args=[ref])

    page = fetch(reader, url)

    assert text_of(page, "h1") == "anna"
    assert find(page, ".tab[aria-current=page]")["href"] == url
    assert find(page, "#discussion-strip")["data-live-version"]


@pytest.mark.parametrize("name", TABS)
def test_every_tab_of_an_unknown_discussion_is_missing(reader: Client, public: Path, name: str) -> None:
    fetch(reader, reverse(f"memory:{name}", args=[build_ref("nobody")]), status=404)


@pytest.mark.parametrize("name", TABS)
def test_every_tab_refuses_other_methods(reader: Client, discuss: Discuss, name: str) -> None:
    assert reader.post(reverse(f"memory:{name}", args=[discuss()])).status_code == 405


@pytest.mark.parametrize(
    "discussion_id",
    ["a\nb", "%2e%2e", "x" * 200, "výlet-京都", "*", "dot.", " both ", "a?b#c&d=e;f", "CON", "+", "a%", "<b>'\""],
)
def test_hostile_ids_go_through_urls_unchanged(reader: Client, discuss: Discuss, discussion_id: str) -> None:
    ref = discuss(discussion_id, memories=None)

    (link,) = fetch(reader, "/discussions/").select(".discussion-name")
    page = fetch(reader, reader.get(link["href"]).headers["Location"])

    assert find(page, "#discussion-strip")["data-live-url"] == reverse("memory:discussion-version", args=[ref])
    assert reader.get(find(page, "#discussion-strip")["data-live-url"]).status_code == 200


def test_invisible_characters_of_an_id_are_shown(reader: Client, discuss: Discuss) -> None:
    page = fetch(reader, reverse("memory:chunk-list", args=[discuss(" a\nb ")]))

    assert text_of(page, "h1") == "␣a↵b␣"


def test_a_discussion_under_a_key_says_so(reader: Client, discuss: Discuss) -> None:
    ref = discuss("anna", api_key=API_KEY)

    page = fetch(reader, reverse("memory:chunk-list", args=[ref]))

    assert find(page, ".facts .hash code")["title"] == ref.key_hash


def test_discussion_version_changes_with_a_file(reader: Client, discuss: Discuss, public: Path) -> None:
    url = reverse("memory:discussion-version", args=[discuss()])
    before = reader.get(url).json()

    (public / "DiscussionIds" / "anna" / "memories.json").write_text("[]")

    assert reader.get(url).json() != before


def test_discussion_version_of_an_unknown_discussion_is_missing(reader: Client, public: Path) -> None:
    assert reader.get(reverse("memory:discussion-version", args=[build_ref("nobody")])).status_code == 404


@pytest.mark.parametrize("name", TABS)
def test_every_tab_names_its_json_twin(reader: Client, discuss: Discuss, name: str) -> None:
    page = fetch(reader, reverse(f"memory:{name}", args=[discuss("a b")]))

    twin = find(page, ".json-twin a[href^='/api/v1/']")["href"]

    assert reader.get(twin).status_code == 200
