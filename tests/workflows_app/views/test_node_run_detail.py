from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from tests.fakes.llm_server import FakeLlmServer
from tests.html import soup
from tests.workflows_app.builders import write_endpoint
from tests.workflows_app.runs import answering, finish_run
from workflows_app.models import NodeRun, WorkflowRun


def url(run_id: int, number: int = 1, rest: str = "") -> str:
    return f"/workflows/runs/{run_id}/nodes/{number}/{rest}"


def test_node_run_detail_shows_prompts_and_variables(opened: Path, reader: Client) -> None:
    run_id = finish_run(opened, answering()).card.id

    pane = soup(reader.get(url(run_id))).select_one("#node-pane")

    assert pane.select_one(".variable code").get_text() == "chat_user_prompt_last_one"
    assert "Hello there." in pane.select_one(".variable pre").get_text()
    assert "estimated" in pane.select_one(".node-card-facts").get_text()


def test_node_run_detail_offers_the_request_as_curl_without_the_key(opened: Path, reader: Client) -> None:
    with FakeLlmServer("Hello.") as server:
        write_endpoint(opened, "server", server.url, apiKey="sk-secret")
        run_id = finish_run(opened, answering("server")).card.id

    body = reader.get(url(run_id))
    curl = soup(body).select_one(".call [data-copy]")["data-copy"]
    assert curl.startswith(f"curl {server.url}/")
    assert '-H "Authorization: Bearer $API_KEY"' in curl
    assert "sk-secret" not in body.content.decode()


@pytest.mark.parametrize("tab", ["prompt", "output", "files", "raw"])
def test_node_run_detail_has_four_tabs(opened: Path, reader: Client, tab: str) -> None:
    run_id = finish_run(opened).card.id

    page = soup(reader.get(url(run_id), {"tab": tab}, headers={"HX-Request": "true"}))

    assert page.select_one("section")["id"] == "node-pane"
    assert page.select_one(".tab[aria-current]").get_text().lower().startswith(tab)


def test_node_run_detail_of_an_unknown_node_or_tab(opened: Path, reader: Client) -> None:
    run_id = finish_run(opened).card.id

    assert reader.get(url(run_id, 9)).status_code == 404
    assert reader.get(url(run_id), {"tab": "all"}).status_code == 422


def test_node_run_rerun_starts_a_run_with_an_edited_output(opened: Path, reader: Client) -> None:
    run_id = finish_run(opened).card.id

    response = reader.post(url(run_id, 2, "rerun/"), {"mode": "edited", "output": "a\r\nb"})

    run = WorkflowRun.objects.latest("pk")
    assert response["Location"] == f"/workflows/runs/{run.pk}/"
    assert (run.parent_id, run.first_node, run.edited_output, run.is_single_node) == (run_id, 2, "a\nb", False)


def test_node_run_rerun_of_one_node(opened: Path, reader: Client) -> None:
    run_id = finish_run(opened).card.id

    reader.post(url(run_id, 2, "rerun/"), {"mode": "single"})

    assert WorkflowRun.objects.latest("pk").is_single_node


def test_node_run_rerun_needs_a_mode(opened: Path, reader: Client) -> None:
    run_id = finish_run(opened).card.id

    assert reader.post(url(run_id, 2, "rerun/")).status_code == 422


def test_node_run_pin_keeps_and_lets_go(opened: Path, reader: Client) -> None:
    run_id = finish_run(opened).card.id

    reader.post(url(run_id, 2, "pin/"), {"is_pinned": "1"})
    assert NodeRun.objects.get(number=2).is_pinned
    reader.post(url(run_id, 2, "pin/"), {"is_pinned": "0"})
    assert not NodeRun.objects.get(number=2).is_pinned
