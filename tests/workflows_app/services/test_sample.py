"""The sample workspace runs end to end without any model server."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from memory.services.transcripts_sample import attach_sample_transcripts
from workflows_app.queries.runs import get_node, get_run
from workflows_app.results import RunState
from workflows_app.services.execution import execute_run
from workflows_app.services.runs import RunRequest, start_run

SAMPLE = Path(__file__).resolve().parents[3] / "sample" / "Public"


@pytest.fixture
def sample(opened: Path, settings: Any, tmp_path: Path) -> Path:
    """A copy of the sample, open in the console."""
    public = tmp_path / "sample" / "Public"
    shutil.copytree(SAMPLE, public)
    settings.WILMER_PUBLIC_DIR = public
    settings.WILMER_CONFIG_DIR = public / "Configs"
    settings.WILMER_DISCUSSIONS_DIR = public / "DiscussionIds"
    settings.WILMER_IS_SAMPLE = True
    settings.WILMER_USER = "gardener"
    attach_sample_transcripts(SAMPLE.parent / "transcripts")
    return public


@pytest.mark.parametrize(
    ("workflow", "discussion"),
    [
        ("Garden_Companion", "allotment-diary"),
        ("Storyteller", "harbour-lights"),
        ("Table_Talk", "harbour-lights"),
        ("_DefaultWorkflow", "レシピ帳-kuchyně"),
    ],
)
def test_sample_workflow_runs(sample: Path, workflow: str, discussion: str) -> None:
    run_id = start_run(RunRequest(f"gardener/{workflow}", discussion=discussion))

    assert execute_run(run_id) is RunState.FINISHED, get_run(run_id).card.error
    assert get_run(run_id).answer


def test_new_messages_become_memories_in_the_sandbox_alone(sample: Path) -> None:
    before = {path: path.read_bytes() for path in (sample / "DiscussionIds").rglob("*") if path.is_file()}
    said = [
        {"role": role, "content": f"Bed {n} holds leeks. " * 60} for n in range(12) for role in ("user", "assistant")
    ]

    run_id = start_run(RunRequest("gardener/Garden_Companion", discussion="allotment-diary", messages=said))

    assert execute_run(run_id) is RunState.FINISHED, get_run(run_id).card.error
    number = next(node.number for node in get_run(run_id).nodes if node.type == "QualityMemory")
    assert ("vector_memory.db", "written") in {(touch.name, touch.action) for touch in get_node(run_id, number).files}
    assert {path: path.read_bytes() for path in before} == before
