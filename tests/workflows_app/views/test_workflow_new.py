"""A new workflow."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.html import soup
from tests.workflows_app.builders import write_workflow
from workflows_app.queries.workflows import find_own_folder

URL = "/workflows/new/"


def post(reader: Client, **changes: Any) -> Any:
    return reader.post(URL, {"folder": "ann", "name": "Fresh"} | changes)


def test_form_offers_folders(opened: Path, reader: Client) -> None:
    page = soup(reader.get(URL))
    assert "ann" in [option["value"] for option in page.select("#id_folder option")]


def test_folder_of_the_current_user_is_proposed(opened: Path, reader: Client) -> None:
    write_workflow(opened, "../_aaa/Other", {"type": "StaticResponse"})
    chosen = soup(reader.get(URL)).select_one("#id_folder option[selected]")
    assert chosen["value"] == find_own_folder() == "ann"


def test_workflow_is_made_and_opened(opened: Path, reader: Client) -> None:
    response = post(reader)
    assert response["Location"] == "/workflows/edit/Workflows/ann/Fresh.json/"
    assert json.loads((opened / "Configs/Workflows/ann/Fresh.json").read_text()) == {"nodes": []}
    assert reader.get(response["Location"]).status_code == 200


@pytest.mark.parametrize("name", ["a/b", "..", ".x", "Main", "", "x" * 200])
def test_unusable_name_is_told_and_nothing_made(opened: Path, reader: Client, name: str) -> None:
    write_workflow(opened, "Main", {"type": "StaticResponse"})
    response = post(reader, name=name)
    assert response.status_code == 422
    assert [path.name for path in (opened / "Configs/Workflows/ann").iterdir()] == ["Main.json"]


def test_read_only_console_makes_nothing(opened: Path, reader: Client, settings: Any) -> None:
    settings.WILMER_READ_ONLY = True
    assert post(reader).status_code == 403
