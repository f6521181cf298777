"""Runs get what the settings allow, and the discussion they belong to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.builders import build_discussion
from tests.workflows_app.runs import finish_run
from workflows_app.results import RunState

READ = {"type": "GetCustomFile", "filepath": "notes/a.txt"}


def test_memory_nodes_read_the_discussion_of_the_run(opened: Path) -> None:
    build_discussion(opened, "amber")

    run = finish_run(opened, {"type": "GetCurrentSummaryFromFile"}, discussion="amber")

    assert run.answer == "The story so far."


def test_memory_nodes_of_a_run_without_a_discussion(opened: Path) -> None:
    assert finish_run(opened, {"type": "GetCurrentMemoryFromFile"}).answer == "There are not yet any memories"


def test_files_are_off_until_a_setting_names_their_folder(opened: Path, settings: Any) -> None:
    (opened / "notes").mkdir()
    (opened / "notes" / "a.txt").write_text("noted", encoding="utf-8")

    refused = finish_run(opened, READ)
    settings.WILMER_NODE_FILE_FOLDERS = (str(opened / "notes"),)

    assert (refused.card.state, finish_run(opened, READ).answer) == (RunState.FAILED, "noted")
