from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from django.test import Client

from memory.types import DiscussionRef
from tests.builders import base_folder
from tests.html import fetch, fetch_partial, text_of, texts

Discuss = Callable[..., DiscussionRef]


def test_home_shows_counts_and_last_writes(reader: Client, discuss: Discuss) -> None:
    discuss("anna", chunks=3, memories=2)
    discuss("bert", chunks=1, memories=None)

    page = fetch(reader, "/")

    assert texts(page, ".stat-value")[:3] == ["2", "4", "2"]
    assert set(texts(page, "[aria-labelledby=last-writes-title] .discussion-name")) == {"anna", "bert"}


def test_home_names_what_needs_a_look(reader: Client, discuss: Discuss, public: Path) -> None:
    discuss("anna")
    (base_folder(public) / "anna" / "memories.json").write_text("[{")

    page = fetch(reader, "/")

    assert texts(page, "[aria-labelledby=worst-title] .discussion-name") == ["anna"]


def test_home_of_an_empty_folder_says_what_to_do(reader: Client, public: Path) -> None:
    page = fetch(reader, "/")

    assert "WILMER_PUBLIC_DIR" in text_of(page, "#overview > .state-box .state-text")


def test_home_gives_htmx_only_the_overview(reader: Client, public: Path) -> None:
    assert fetch_partial(reader, "/")["id"] == "overview"


def test_home_refuses_other_methods(reader: Client, public: Path) -> None:
    assert reader.post("/").status_code == 405


def test_home_needs_a_sign_in(client: Client, public: Path) -> None:
    assert client.get("/").status_code == 302
