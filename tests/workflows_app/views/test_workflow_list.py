from __future__ import annotations

from pathlib import Path

from django.test import Client

from tests.html import soup
from tests.workflows_app.builders import write, write_workflow
from tests.workflows_app.runs import FIRST

URL = "/workflows/"


def test_workflow_list_shows_files_by_folder(opened: Path, reader: Client) -> None:
    write_workflow(opened, "Main", FIRST)
    write(opened / "Configs/Workflows/shared/deep/Other.json", {"nodes": [FIRST], "displayOnlyComment": "Says one."})

    page = soup(reader.get(URL))

    assert [tag.get_text(" ", strip=True) for tag in page.select(".folder-name")] == ["ann 1", "shared/deep 1"]
    assert "Says one." in page.select_one("#workflow-table").get_text()


def test_workflow_list_says_what_is_wrong_with_a_file(opened: Path, reader: Client) -> None:
    write_workflow(opened, "Main")
    (opened / "Configs/Workflows/ann/Broken.json").write_text('[{"type": }]')

    rows = soup(reader.get(URL)).select("#workflow-table tbody tr")

    assert "line 1, column 11" in rows[0].get_text()
    assert "There are no nodes." in rows[1].get_text()
    assert not [row for row in rows if row.select('a.btn[href*="/run/"]')]


def test_workflow_list_filters_and_gives_htmx_only_the_partial(opened: Path, reader: Client) -> None:
    write_workflow(opened, "Main", FIRST)

    page = soup(reader.get(URL, {"text": "nothing like it"}, headers={"HX-Request": "true"}))

    assert page.select_one(":root > *, section")["id"] == "workflow-table"
    assert "No workflow has this in its name" in page.get_text()


def test_workflow_list_of_an_empty_folder(opened: Path, reader: Client) -> None:
    assert "No workflows in this folder" in soup(reader.get(URL)).get_text()


def test_workflow_list_refuses_post(opened: Path, reader: Client) -> None:
    assert reader.post(URL).status_code == 405
