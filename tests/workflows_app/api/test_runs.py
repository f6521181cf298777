from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.test import Client

from tests.workflows_app.builders import write_workflow
from tests.workflows_app.runs import FIRST, HELLO, finish_run, note_run
from workflows_app.models import WorkflowRun

URL = "/api/v1/runs"


def post(client: Client, url: str, **values: Any) -> Any:
    return client.post(url, json.dumps(values), content_type="application/json")


def test_run_is_started(opened: Path, writer: Client) -> None:
    write_workflow(opened, "Main", FIRST)

    response = post(writer, URL, workflow="ann/Main", messages=list(HELLO))

    assert (response.status_code, response.json()["state"]) == (201, "queued")
    assert WorkflowRun.objects.get().is_sandbox


def test_reading_token_starts_nothing(opened: Path, reader: Client) -> None:
    assert post(reader, URL, workflow="ann/Main").status_code == 403


def test_run_without_messages_is_refused(opened: Path, writer: Client) -> None:
    write_workflow(opened, "Main", FIRST)

    response = post(writer, URL, workflow="ann/Main")

    assert (response.status_code, response.json()["error"]["details"]) == (422, {"field": "messages"})


def test_runs_are_listed_and_filtered(opened: Path, reader: Client) -> None:
    finish_run(opened)
    note_run(opened)

    body = reader.get(URL, {"state": "finished"}).json()

    assert (body["total"], body["items"][0]["state"]) == (1, "finished")


def test_run_gives_its_tree_and_nodes_their_details(opened: Path, reader: Client) -> None:
    run_id = finish_run(opened).card.id

    run, node = reader.get(f"{URL}/{run_id}").json(), reader.get(f"{URL}/{run_id}/nodes/2").json()

    assert run["answer"] == "one+two+three"
    assert [row["path"] for row in run["nodes"]] == [[1], [2], [3]]
    assert node["output"] == "one+two"


def test_run_is_cancelled_and_deleted(opened: Path, writer: Client) -> None:
    run_id = note_run(opened)

    assert writer.delete(f"{URL}/{run_id}").status_code == 409
    assert post(writer, f"{URL}/{run_id}/cancel").json()["state"] == "cancelled"
    assert writer.delete(f"{URL}/{run_id}").status_code == 204


def test_rerun_and_pin(opened: Path, writer: Client) -> None:
    run_id = finish_run(opened).card.id

    pinned = writer.put(f"{URL}/{run_id}/nodes/1/pin", json.dumps({"is_pinned": True}), content_type="application/json")

    assert pinned.status_code == 204
    assert post(writer, f"{URL}/{run_id}/reruns", node=2, output="x").status_code == 201
    assert WorkflowRun.objects.latest("pk").edited_output == "x"


def test_events_as_lines_of_json(opened: Path, reader: Client) -> None:
    run_id = finish_run(opened).card.id

    response = reader.get(f"{URL}/{run_id}/events", {"form": "jsonl"})

    events = [json.loads(line) for line in b"".join(response).splitlines()]
    assert (events[0]["name"], events[-1]["name"]) == ("run-queued", "run-finished")
    assert response["Content-Type"] == "application/x-ndjson"


def test_events_as_a_stream(opened: Path, reader: Client) -> None:
    run = finish_run(opened)

    response = reader.get(f"{URL}/{run.card.id}/events", headers={"Last-Event-ID": str(run.last_event - 1)})

    text = b"".join(response).decode()
    assert text.startswith(f"id: {run.last_event}\nevent: run-finished\ndata: ")
    assert response["Content-Type"].startswith("text/event-stream")


def test_unknown_run_has_the_one_error_shape(opened: Path, reader: Client) -> None:
    for rest in ("", "/events", "/nodes/1"):
        response = reader.get(f"{URL}/7{rest}")
        assert (response.status_code, response.json()["error"]["code"]) == (404, "run-not-found")
