from __future__ import annotations

from pathlib import Path

from django.test import Client

from tests.html import soup
from tests.workflows_app.runs import finish_rerun, finish_run

URL = "/workflows/runs/compare/"


def test_run_compare_puts_nodes_side_by_side(opened: Path, reader: Client) -> None:
    left = finish_run(opened).card.id
    right = finish_rerun(left, 2, output="edited").card.id

    rows = soup(reader.get(URL, {"run": [right, left]})).select(".compare-row")

    assert [row.select_one(".pill").get_text(strip=True) for row in rows] == [
        "same output",
        "different output",
        "different output",
    ]
    assert [cell.get_text() for cell in rows[1].select(".diff-line > div")] == ["one+two", "edited"]


def test_run_compare_tells_nodes_that_only_one_run_came_to(opened: Path, reader: Client) -> None:
    left = finish_run(opened).card.id
    right = finish_rerun(left, 1, is_single_node=True).card.id

    rows = soup(reader.get(URL, {"run": [left, right]})).select(".compare-row")

    assert [row.select_one(".pill").get_text(strip=True) for row in rows] == ["same output"] + ["only on the left"] * 2


def test_run_compare_needs_two_runs(opened: Path, reader: Client) -> None:
    assert reader.get(URL).status_code == 302
    assert reader.get(URL, {"run": "1"}).status_code == 422
    assert reader.get(URL, {"run": ["x", "1"]}).status_code == 422
    assert reader.get(URL, {"run": ["1", "2"]}).status_code == 404
