from __future__ import annotations

from pathlib import Path

from django.test import Client

from tests.html import soup
from tests.workflows_app.builders import write_workflow

URL = "/workflows/problems/"
NODE = {"type": "Standard", "title": "A", "endpointName": "<b>Gone</b>", "preset": "plain"}


def test_problems_are_listed_file_by_file(opened: Path, reader: Client) -> None:
    write_workflow(opened, "Main", NODE)

    page = soup(reader.get(URL, {"severity": "error"}))

    assert "Workflows/ann/Main.json" in page.select_one(".problem-file h2").get_text()
    assert "There is no Endpoints/<b>Gone</b>.json (for the user ann)." in page.select_one(".problem-text").get_text()
    assert page.select_one(".problem-place").get_text(strip=True) == "1 › endpointName"


def test_severities_and_kinds_are_counted(opened: Path, reader: Client) -> None:
    write_workflow(opened, "Main", NODE)

    chips = [chip.get_text(" ", strip=True) for chip in soup(reader.get(URL)).select(".chip")]

    assert "Errors 1" in chips
    assert any(chip.startswith("API type ") for chip in chips)


def test_clean_folder_says_so(opened: Path, reader: Client) -> None:
    page = soup(reader.get(URL, {"text": "nothing like it"}))

    assert "No problem passes this filter" in page.get_text()


def test_htmx_gets_only_the_partial(opened: Path, reader: Client) -> None:
    page = soup(reader.get(URL, headers={"HX-Request": "true"}))

    assert page.select_one(":root > *, section")["id"] == "config-problem-table"


def test_unknown_conditions_are_refused(opened: Path, reader: Client) -> None:
    assert reader.get(URL, {"severity": "bad"}).status_code == 422
    assert reader.get(URL, {"kind": "bad"}).status_code == 422
    assert reader.get(URL, {"user": "nobody"}).status_code == 404


def test_both_lists_of_problems_lead_to_each_other(opened: Path, reader: Client) -> None:
    here, there = "/workflows/problems/", "/problems/"
    for one, other in ((here, there), (there, here)):
        assert soup(reader.get(one)).select_one(f'#content a[href="{other}"], main a[href="{other}"]') is not None
