"""Keys of encrypted discussions reach the runs that pages and the API start, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from memory.engine.hashing import hash_api_key
from memory.types import ApiKey
from tests.workflows_app.builders import write_workflow
from tests.workflows_app.runs import FIRST, HELLO, finish_run
from wilmer_site.api_tokens import create_token
from wilmer_site.lib.clock import utc_now
from workflows_app.models import WorkflowRun
from workflows_app.services.run_keys import take_keys

KEY = ApiKey("sk-her-own-key")
SENT = {"X-Discussion-Key": KEY}
KEYS = {hash_api_key(KEY): KEY}


@pytest.fixture
def program(db: None) -> Client:
    """A program that may start runs."""
    user = User.objects.create(username="program")
    _, secret = create_token(user, name="write", scope="write", now=utc_now(), days=1)
    return Client(headers={"Authorization": f"Bearer {secret}"})


def newest() -> int:
    return int(WorkflowRun.objects.latest("pk").pk)


def test_run_from_the_api_gets_the_key_that_was_sent(opened: Path, program: Client) -> None:
    write_workflow(opened, "Main", FIRST)
    asked = json.dumps({"workflow": "ann/Main", "messages": list(HELLO)})

    program.post("/api/v1/runs", asked, content_type="application/json", headers=SENT)

    assert dict(take_keys(newest())) == KEYS


def test_rerun_from_the_api_gets_the_key_that_was_sent(opened: Path, program: Client) -> None:
    url = f"/api/v1/runs/{finish_run(opened).card.id}/reruns"

    program.post(url, json.dumps({"node": 2}), content_type="application/json", headers=SENT)

    assert dict(take_keys(newest())) == KEYS


def test_runs_from_pages_get_the_unlocked_keys(opened: Path, reader: Client) -> None:
    run_id = finish_run(opened).card.id

    reader.post("/workflows/run/", {"workflow": "ann/Main", "messages": "Hi", "is_sandbox": "on"}, headers=SENT)
    assert dict(take_keys(newest())) == KEYS
    reader.post(f"/workflows/runs/{run_id}/nodes/2/rerun/", {"mode": "from-here"}, headers=SENT)
    assert dict(take_keys(newest())) == KEYS


def test_run_without_a_key_gets_none(opened: Path, reader: Client) -> None:
    write_workflow(opened, "Main", FIRST)

    reader.post("/workflows/run/", {"workflow": "ann/Main", "messages": "Hi", "is_sandbox": "on"})

    assert dict(take_keys(newest())) == {}
