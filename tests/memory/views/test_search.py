from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from django.test import Client

from memory.types import DiscussionRef
from tests.builders import base_folder
from tests.html import fetch, fetch_partial, find, text_of, texts

Discuss = Callable[..., DiscussionRef]
URL = "/search/"


def test_search_without_question_shows_the_form(reader: Client, public: Path) -> None:
    page = fetch(reader, URL)

    assert find(page, "#search-query")["value"] == ""
    assert not page.select(".search-asked")


def test_search_shows_match_text_hits_and_shares(reader: Client, discuss: Discuss) -> None:
    discuss("anna", memories=3)

    page = fetch(reader, f"{URL}?query=number+2%3B+garden")

    assert text_of(page, ".search-asked pre") == '"number 2" OR "garden"'
    first = page.select(".hit")[0]
    assert text_of(first, ".text-title") == "Tree 2"
    assert texts(first, "mark")[0] == "number 2"
    assert len(first.select(".shares li")) == 2


def test_search_in_one_discussion_leaves_the_others_out(reader: Client, discuss: Discuss) -> None:
    discuss("anna", memories=1)
    discuss("bert", memories=2)

    page = fetch(reader, f"{URL}?query=anna&discussion=bert")

    assert len(page.select(".hit")) == 2
    assert find(page, "input[name=discussion]")["value"] == "bert"
    assert "bert" in text_of(page, ".search-scope")


@pytest.mark.parametrize(
    "query", ["?query=", "?query=a&limit=0", "?query=a&limit=x", "?query=a&weight_title=-1", "?query=a&mode=z"]
)
def test_search_with_bad_input_keeps_the_form_as_typed(reader: Client, public: Path, query: str) -> None:
    page = fetch(reader, URL + query, status=422)

    assert texts(page, ".errorlist li")
    assert not page.select(".hit")


def test_search_shows_what_was_typed_again(reader: Client, public: Path) -> None:
    page = fetch(reader, f"{URL}?query=%22x&limit=x&recency=1&weight_title=2", status=422)

    assert find(page, "#search-query")["value"] == '"x'
    assert find(page, "#search-limit")["value"] == "x"
    assert find(page, "[name=weight_title]")["value"] == "2"
    assert find(page, "[name=recency]").has_attr("checked")


def test_search_tells_the_kinds_of_nothing_apart(reader: Client, discuss: Discuss, public: Path) -> None:
    discuss("some")
    discuss("none", memories=0)
    discuss("index")
    discuss("unreadable")
    with closing(sqlite3.connect(base_folder(public) / "index" / "vector_memory.db")) as database:
        database.execute("DROP TABLE memories_fts")
    (base_folder(public) / "unreadable" / "vector_memory.db").write_bytes(b"no database, only text" * 50)

    titles = [
        text_of(fetch(reader, f"{URL}?query=zebra&discussion={name}"), ".state-title")
        for name in ("some", "none", "index", "unreadable")
    ]

    assert titles == [
        "Nothing matched", "Nothing is stored", "The search index is broken", "The database cannot be read",
    ]  # fmt: skip


def test_search_for_no_keywords_says_so(reader: Client, discuss: Discuss) -> None:
    discuss()

    assert text_of(fetch(reader, f"{URL}?query=%3B%3B"), ".state-title") == "Nothing was asked"


def test_search_offers_exact_text_as_something_wilmerai_would_not_find(reader: Client, discuss: Discuss) -> None:
    discuss(memories=1)

    page = fetch(reader, f"{URL}?query=lante")
    offered = fetch(reader, find(page, ".exact-offer a")["href"])

    assert not page.select(".hit") and "would not find" in text_of(page, ".exact-offer")
    assert texts(offered, ".hit .memory-text mark") == ["lante"]
    assert "would not find" in text_of(offered, ".note.is-info")


def test_search_escapes_texts_and_keywords(reader: Client, discuss: Discuss, public: Path) -> None:
    discuss(memories=1)
    with closing(sqlite3.connect(base_folder(public) / "anna" / "vector_memory.db")) as database, database:
        database.execute("UPDATE memories SET memory_text = '<script>bad</script> & tree'")

    page = fetch(reader, f"{URL}?query=%3Cscript%3Ebad&mode=exact-text")

    assert not find(page, ".hit").select("script")
    assert text_of(page, ".hit .memory-text mark") == "<script>bad"


def test_search_gives_the_same_as_a_node_and_as_downloads(reader: Client, discuss: Discuss) -> None:
    discuss(memories=1)

    page = fetch(reader, f"{URL}?query=anna%3B+tree&limit=3&weight_title=2")

    node = json.loads(find(page, "button[title^=A]")["data-copy"])
    assert node["type"] == "VectorMemorySearch" and node["bm25Weights"] == [2, 1, 1, 1, 1] and node["limit"] == 3
    for link in page.select("a[download]"):
        assert reader.get(link["href"]).status_code == 200


def test_search_permalink_repeats_the_question(reader: Client, discuss: Discuss) -> None:
    discuss()
    query = "?query=a%3B+b&discussion=anna&limit=3&recency=1&expand=1&weight_title=2"

    page = fetch(reader, URL + query)
    again = fetch(reader, find(page, ".permalink")["href"])

    assert text_of(again, ".search-asked pre") == text_of(page, ".search-asked pre")
    assert find(again, "[name=expand]").has_attr("checked")


def test_search_of_an_unknown_discussion_is_missing(reader: Client, public: Path) -> None:
    fetch(reader, f"{URL}?query=a&discussion=nobody", status=404)


def test_search_in_a_discussion_with_a_line_feed_in_its_id(reader: Client, discuss: Discuss) -> None:
    discuss("a\nb", memories=1)

    for sent in ("a%0Ab", "a%0D%0Ab"):
        assert len(fetch(reader, f"{URL}?query=anna&discussion={sent}").select(".hit")) == 1


def test_search_gives_htmx_only_the_panel(reader: Client, public: Path) -> None:
    assert fetch_partial(reader, f"{URL}?query=a")["id"] == "search-panel"


def test_search_refuses_other_methods(reader: Client, public: Path) -> None:
    assert reader.post(URL).status_code == 405
