from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.workflows_app.runs import answering, finish_run
from workflows_app.models import NodeAttempt, WorkflowRun
from workflows_app.services.attempts import execute_attempt


@pytest.fixture
def url(opened: Path) -> str:
    """The attempts of a node that asked a model."""
    return f"/api/v1/runs/{finish_run(opened, answering()).card.id}/nodes/1/attempts"


def post(client: Client, url: str, **values: Any) -> Any:
    return client.post(url, json.dumps(values), content_type="application/json")


def test_attempt_is_started_and_its_answer_read(url: str, writer: Client) -> None:
    response = post(writer, url, words=[{"role": "user", "content": "Plant the leeks."}])
    execute_attempt(NodeAttempt.objects.get().pk)

    attempt = writer.get(f"{url}/1").json()
    assert (response.status_code, response.json()) == (201, {"number": 1, "state": "queued"})
    assert (attempt["state"], attempt["output"]) == ("finished", "Plant the leeks.")
    assert writer.get(url).json()["total"] == 1


def test_attempt_sends_what_was_sent_before_unless_told_otherwise(url: str, writer: Client) -> None:
    post(writer, url)

    assert NodeAttempt.objects.get().words[-1] == {"role": "user", "content": "Hello there.", "origin": 2}


def test_reading_token_sends_nothing(url: str, reader: Client) -> None:
    assert post(reader, url).status_code == 403


def test_attempt_that_makes_no_sense_is_refused(url: str, writer: Client) -> None:
    assert post(writer, url, call=9).status_code == 422
    assert post(writer, url, words=[{"role": "boss", "content": "x"}]).status_code == 422
    assert writer.get(f"{url}/7").status_code == 404


def test_attempt_is_cancelled(url: str, writer: Client) -> None:
    post(writer, url)

    assert post(writer, f"{url}/1/cancel").json()["state"] == "cancelled"


def test_run_goes_on_with_the_answer(url: str, writer: Client) -> None:
    post(writer, url, words=[{"content": "Plant the leeks."}])
    execute_attempt(NodeAttempt.objects.get().pk)
    run = WorkflowRun.objects.get()

    assert post(writer, f"/api/v1/runs/{run.pk}/reruns", node=1, attempt=1).status_code == 201
    assert WorkflowRun.objects.latest("pk").edited_output == "Plant the leeks."
