from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from django.test import Client

from memory.types import DiscussionRef
from tests.builders import base_folder
from tests.html import fetch, fetch_partial, text_of, texts

Discuss = Callable[..., DiscussionRef]


def test_problem_list_names_discussion_and_file(reader: Client, discuss: Discuss, public: Path) -> None:
    discuss("anna")
    discuss("bert")
    (base_folder(public) / "bert" / "memories.json").write_text("[{")

    page = fetch(reader, "/problems/")

    assert set(texts(page, "[data-label=Discussion]")) == {"bert"}


def test_problem_list_without_problems_says_so(reader: Client, public: Path) -> None:
    assert text_of(fetch(reader, "/problems/"), ".state-title") == "No problems"


def test_problem_list_gives_htmx_only_the_table(reader: Client, public: Path) -> None:
    assert fetch_partial(reader, "/problems/")["id"] == "problem-table"


def test_problem_list_refuses_other_methods(reader: Client, public: Path) -> None:
    assert reader.post("/problems/").status_code == 405
