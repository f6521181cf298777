from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from django.test import Client
from django.urls import reverse

from memory.types import DiscussionRef
from tests.builders import base_folder
from tests.html import fetch, fetch_partial, find, texts

Discuss = Callable[..., DiscussionRef]


def test_health_list_shows_checks_the_worst_first(reader: Client, discuss: Discuss, public: Path) -> None:
    ref = discuss()
    (base_folder(public) / "anna" / "memories.json").write_text("[{")

    page = fetch(reader, reverse("memory:health-list", args=[ref]))

    assert texts(page, "tbody [data-label=State]")[0] == "error"
    assert page.select("tbody tr")[0].select(f"a[href='{reverse('memory:file-detail', args=[ref, 'memories'])}']")


def test_health_list_folds_what_is_fine(reader: Client, discuss: Discuss) -> None:
    page = fetch(reader, reverse("memory:health-list", args=[discuss()]))

    folded = find(page, "#health-table details")
    assert not folded.has_attr("open")
    assert texts(folded, "summary")[0].endswith("checks are fine")
    assert texts(page, ".state-title") == ["Every check is fine"]
    assert set(texts(folded, "tbody [data-label=State]")) == {"fine"}


def test_health_list_gives_htmx_only_the_table(reader: Client, discuss: Discuss) -> None:
    assert fetch_partial(reader, reverse("memory:health-list", args=[discuss()]))["id"] == "health-table"
