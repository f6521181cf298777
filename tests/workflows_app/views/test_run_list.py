from __future__ import annotations

from pathlib import Path

from django.test import Client

from tests.html import soup
from tests.workflows_app.runs import finish_run, note_run
from workflows_app.models import WorkflowRun

URL = "/workflows/runs/"


def test_run_list_shows_the_newest_first(opened: Path, reader: Client) -> None:
    finish_run(opened)
    note_run(opened, discussion="anna")

    rows = soup(reader.get(URL)).select("#run-table tbody tr")

    assert [row.select_one(".pill").get_text(strip=True) for row in rows] == ["waiting", "finished"]
    assert "anna" in rows[0].get_text()


def test_run_list_filters_by_state_and_gives_htmx_the_partial(opened: Path, reader: Client) -> None:
    finish_run(opened)
    note_run(opened)

    page = soup(reader.get(URL, {"state": "finished"}, headers={"HX-Request": "true"}))

    assert len(page.select("tbody tr")) == 1
    assert page.find("html") is None


def test_run_list_pages(opened: Path, reader: Client) -> None:
    ids = [note_run(opened) for _ in range(3)]

    rows = soup(reader.get(URL, {"page": 2, "size": 2})).select("tbody tr")

    assert [row.select_one("input")["value"] for row in rows] == [str(ids[0])]


def test_run_list_stays_whole_when_a_run_names_no_discussion(opened: Path, reader: Client) -> None:
    WorkflowRun.objects.filter(pk=note_run(opened)).update(discussion="../x")

    page = soup(reader.get(URL))

    assert "../x" in page.select_one("tbody").get_text()
    assert reader.get(f"{URL}{WorkflowRun.objects.get().pk}/").status_code == 200


def test_run_list_ends_before_the_page(opened: Path, reader: Client) -> None:
    note_run(opened)

    page = soup(reader.get(URL, {"page": 99}))

    assert page.select_one(".state-title").get_text() == "There is no such page"


def test_run_list_refuses_an_unknown_state(opened: Path, reader: Client) -> None:
    assert reader.get(URL, {"state": "lost"}).status_code == 422


def test_run_list_without_runs(opened: Path, reader: Client) -> None:
    assert "Nothing has been run yet" in soup(reader.get(URL)).get_text()
