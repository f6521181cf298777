from __future__ import annotations

import json
from pathlib import Path

from django.test import Client

from tests.html import soup
from tests.workflows_app.runs import answering, finish_rerun, finish_run, note_run
from workflows_app.models import NodeRun, WorkflowRun
from workflows_app.results import RunState


def test_run_detail_shows_tree_and_answer(opened: Path, reader: Client) -> None:
    run_id = finish_run(opened).card.id

    page = soup(reader.get(f"/workflows/runs/{run_id}/"))

    assert [tag.get_text() for tag in page.select(".tree-title")] == ["First", "Second", "Third"]
    assert page.select_one("[data-stream]").get_text() == "one+two+three"
    assert len(page.select(".tree-bar rect")) == 3
    assert page.select_one("[data-run-events]") is None


def test_run_detail_of_a_run_that_goes_on_is_live_and_can_be_cancelled(opened: Path, reader: Client) -> None:
    run_id = note_run(opened)

    page = soup(reader.get(f"/workflows/runs/{run_id}/"))

    assert page.select_one("[data-run-events]")["data-run-events"] == f"/workflows/runs/{run_id}/events/?after=1"
    assert page.select_one("#run-status form")["action"] == f"/workflows/runs/{run_id}/cancel/"


def test_run_detail_says_where_it_began(opened: Path, reader: Client) -> None:
    first = finish_run(opened).card.id
    run_id = finish_rerun(first, 2, output="x").card.id

    text = soup(reader.get(f"/workflows/runs/{run_id}/")).select_one("#run-status").get_text()

    assert f"Node 2 of run {first} edited" in text


def test_run_detail_gives_htmx_only_the_pane(opened: Path, reader: Client) -> None:
    run_id = finish_run(opened).card.id

    page = soup(reader.get(f"/workflows/runs/{run_id}/", headers={"HX-Request": "true"}))

    assert page.select_one("section")["id"] == "node-pane"
    assert page.select_one("#run-tree") is None


def test_run_detail_of_an_unknown_run(opened: Path, reader: Client) -> None:
    assert reader.get("/workflows/runs/1/").status_code == 404


def test_run_events_carry_rendered_pieces(opened: Path, reader: Client) -> None:
    run_id = finish_run(opened, answering()).card.id

    text = b"".join(reader.get(f"/workflows/runs/{run_id}/events/")).decode()

    events = [dict(line.partition(": ")[::2] for line in part.splitlines()) for part in text.split("\n\n") if part]
    assert [event["event"] for event in events] == ["token-streamed", "node-finished", "run-finished"]
    assert json.loads(events[0]["data"])["node"] == 1
    assert 'id="run-tree"' in text and 'id="run-status"' in text


def test_run_events_go_on_where_the_browser_was(opened: Path, reader: Client) -> None:
    run = finish_run(opened)

    url = f"/workflows/runs/{run.card.id}/events/"
    assert b"".join(reader.get(url, headers={"Last-Event-ID": str(run.last_event)})) == b""


def test_run_cancel_cancels(opened: Path, reader: Client) -> None:
    run_id = note_run(opened)

    assert reader.get(f"/workflows/runs/{run_id}/cancel/").status_code == 405
    assert reader.post(f"/workflows/runs/{run_id}/cancel/").status_code == 302
    assert WorkflowRun.objects.get().state == RunState.CANCELLED


def test_run_delete_forgets(opened: Path, reader: Client) -> None:
    run_id = finish_run(opened).card.id

    assert reader.post(f"/workflows/runs/{run_id}/delete/")["Location"] == "/workflows/runs/"
    assert not WorkflowRun.objects.exists()


def test_text_of_models_is_escaped(opened: Path, reader: Client) -> None:
    hostile = {"type": "StaticResponse", "title": "<b>T</b>", "content": "<script>alert(1)</script>"}
    run_id = finish_run(opened, hostile).card.id

    body = reader.get(f"/workflows/runs/{run_id}/nodes/1/?tab=output").content.decode()

    assert "<script>alert" not in body and "<b>T" not in body


def test_running_node_says_how_long_it_has_taken(opened: Path, reader: Client) -> None:
    run_id = finish_run(opened).card.id
    WorkflowRun.objects.filter(pk=run_id).update(state="running", finished_at=None)
    NodeRun.objects.filter(number=3).update(state="running", milliseconds=None)

    rows = soup(reader.get(f"/workflows/runs/{run_id}/")).select(".tree-row")

    assert int(rows[2].select_one("[data-elapsed]")["data-elapsed"]) >= 0
    assert not rows[1].select("[data-elapsed]")
