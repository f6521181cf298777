from __future__ import annotations

from pathlib import Path

from django.test import Client

from tests.workflows_app.builders import write_workflow
from tests.workflows_app.runs import FIRST


def test_workflows_are_listed(opened: Path, reader: Client) -> None:
    write_workflow(opened, "Main", FIRST)

    body = reader.get("/api/v1/workflows", {"text": "main"}).json()

    assert body["total"] == 1
    assert (body["items"][0]["path"], body["items"][0]["node_count"]) == ("ann/Main", 1)


def test_workflow_gives_its_nodes(opened: Path, reader: Client) -> None:
    write_workflow(opened, "Main", FIRST)

    body = reader.get("/api/v1/workflows/ann/Main").json()

    assert body["nodes"][0]["values"] == FIRST


def test_unknown_workflow_has_the_one_error_shape(opened: Path, reader: Client) -> None:
    response = reader.get("/api/v1/workflows/ann/None")

    assert (response.status_code, response.json()["error"]["code"]) == (404, "workflow-not-found")
