"""A worker that is killed in the middle of a job: the second attempt goes on where it was."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.memory.services.killing import ROOT
from tests.memory.services.killing_jobs import CHUNKS, KILL_AFTER


@pytest.mark.slow
def test_a_killed_job_is_finished_on_its_second_attempt(tmp_path: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WILMER_")}
    environment = {
        **kept,
        "DJANGO_SETTINGS_MODULE": "wilmer_site.settings",
        "WILMER_STATE_DIR": str(tmp_path / "state"),
    }
    command = [sys.executable, "-m", "tests.memory.services.killing_jobs", str(tmp_path)]

    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=120)

    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["state"], found["attempts"]) == ("review", 2)
    assert found["asked_again"] == found["drafts"] - KILL_AFTER
    assert [text[:5] for text in found["stored"]] == ["Chunk"] * CHUNKS
    assert len(found["texts"]) == found["drafts"]
    assert all(text.startswith("new ") for text in found["texts"])
