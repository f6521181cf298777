"""One regeneration for many discussions: sizes first, then one job for each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from memory.models import Job
from memory.services import regeneration_bulk
from tests.builders import build_discussion
from tests.chats import attach, build_chat
from tests.html import fetch, find, soup, texts
from tests.memory.regenerating import MODEL, chat_texts, open_world

URL = "/jobs/new/"
TICKED = f"{URL}?ref=anna&ref=bert&ref=clara"


@pytest.fixture
def world(tmp_path: Path, settings: Any, db: None) -> None:
    """Two discussions with a chat, and `clara` without one."""
    open_world(tmp_path, settings)
    attach(build_discussion(tmp_path / "Public", "bert", chunks=4), build_chat(chat_texts()))
    build_discussion(tmp_path / "Public", "clara", chunks=2)


def start(client: Client, address: str) -> Any:
    page = fetch(client, address)
    return client.post(address, {"start": [field["value"] for field in page.select("input[name=start]")]}, follow=True)


@pytest.mark.usefixtures("world")
def test_the_list_leads_there(reader: Client) -> None:
    page = fetch(reader, "/discussions/")

    assert find(page, f"button[formaction='{URL}']").get_text().strip() == "Regenerate ticked…"


@pytest.mark.usefixtures("world")
def test_sizes_are_shown_and_nothing_is_spent(reader: Client) -> None:
    page = fetch(reader, f"{TICKED}&kind=summary")

    assert texts(page, "h1") == ["Regenerate in 3 discussions"]
    assert [row.get_text(" ", strip=True) for row in page.select("tbody strong")] == ["anna", "bert", "clara"]
    assert find(page, "button.btn-primary").get_text(strip=True) == "Start 3 jobs"
    assert page.select("a[data-row-link]")[0]["href"] == "/discussions/anna/regenerate/?kind=summary"
    assert (MODEL.calls, Job.objects.count()) == ([], 0)


@pytest.mark.usefixtures("world")
def test_each_discussion_gets_a_job_and_those_that_cannot_say_why(reader: Client) -> None:
    page = fetch(reader, f"{TICKED}&kind=everything")
    assert "No job: WilmerAI keeps no messages" in find(page, ".draft-reason").get_text()

    response = start(reader, f"{TICKED}&kind=everything")

    assert "2 jobs queued." in response.content.decode()
    assert sorted(Job.objects.values_list("discussion", flat=True)) == ["anna", "bert"]
    again = fetch(reader, f"{TICKED}&kind=everything")
    assert "is open for the same part" in again.get_text()
    assert find(again, "button.btn-primary").has_attr("disabled")


@pytest.mark.usefixtures("world")
def test_a_plan_that_nobody_saw_is_not_started(reader: Client) -> None:
    response = reader.post(f"{TICKED}&kind=everything", {"start": ["old:anna", "old:nobody", "x"]}, follow=True)

    assert "0 jobs queued. 2 discussions left out: anna: What would be sent has changed" in response.content.decode()
    assert not Job.objects.exists()


@pytest.mark.usefixtures("world")
def test_all_that_pass_the_filter_are_chosen_up_to_a_limit(reader: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert texts(fetch(reader, f"{URL}?all=1&text=a"), "h1") == ["Regenerate in 2 discussions"]

    monkeypatch.setattr(regeneration_bulk, "MOST", 1)
    response = reader.get(f"{URL}?all=1&kind=index")
    assert (response.status_code, "at most 1 are" in soup(response).get_text()) == (422, True)
    assert reader.post(f"{URL}?kind=index", {"start": ["a:anna", "b:bert"]}).status_code == 422


@pytest.mark.usefixtures("world")
def test_faults_are_refused(reader: Client, settings: Any) -> None:
    assert reader.get(f"{TICKED}&kind=chunks").status_code == 422
    assert reader.get(URL)["Location"] == "/discussions/"
    settings.WILMER_READ_ONLY = True
    assert find(fetch(reader, f"{TICKED}&kind=index"), "button.btn-primary").has_attr("disabled")
    assert reader.post(f"{TICKED}&kind=index", {"start": ["a:anna"]}).status_code == 403
