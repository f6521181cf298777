from __future__ import annotations

from pathlib import Path

from django.test import Client

from tests.html import soup
from tests.workflows_app.builders import write, write_workflow
from tests.workflows_app.runs import FIRST, answering


def test_workflow_detail_shows_nodes_as_cards(opened: Path, reader: Client) -> None:
    write_workflow(opened, "Main", FIRST, answering(), {"type": "CustomWorkflow", "workflowName": "Child"})

    cards = soup(reader.get("/workflows/files/ann/Main/")).select(".node-card")

    assert [card.select_one(".node-card-title").get_text() for card in cards] == ["First", "Answer", "CustomWorkflow"]
    assert "endpoint built-in" in cards[1].get_text(" ", strip=True)
    assert cards[2].select_one("a")["href"] == "/workflows/files/ann/Child/"


def test_workflow_detail_shows_variables_and_marks_unknown_types(opened: Path, reader: Client) -> None:
    write(opened / "Configs/Workflows/ann/Main.json", {"nodes": [{"type": "standard"}], "tone": "calm"})

    page = soup(reader.get("/workflows/files/ann/Main/"))

    assert '"calm"' in page.get_text()
    assert page.select_one(".node-card .pill.is-stale").get_text(strip=True) == "standard"


def test_workflow_detail_of_a_damaged_file_shows_it_raw(opened: Path, reader: Client) -> None:
    write_workflow(opened, "Main")
    (opened / "Configs/Workflows/ann/Main.json").write_text('{"nodes": [')

    page = soup(reader.get("/workflows/files/ann/Main/"))

    assert "This file cannot be run" in page.get_text()
    assert page.select_one(".raw-file pre").get_text() == '{"nodes": ['


def test_workflow_detail_of_an_unknown_file(opened: Path, reader: Client) -> None:
    assert reader.get("/workflows/files/ann/None/").status_code == 404
    assert reader.get("/workflows/files/../../etc/passwd/").status_code == 404
