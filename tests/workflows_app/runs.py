"""Runs made for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.workflows_app.builders import write_workflow
from workflows_app.queries.runs import get_run
from workflows_app.run_results import RunDetail
from workflows_app.services.execution import execute_run
from workflows_app.services.reruns import RerunRequest, start_rerun
from workflows_app.services.runs import RunRequest, start_run

HELLO = ({"role": "user", "content": "Hello there."},)
FIRST = {"type": "StaticResponse", "title": "First", "content": "one"}
SECOND = {"type": "StringConcatenator", "title": "Second", "strings": ["{agent1Output}", "two"], "delimiter": "+"}
THIRD = {"type": "StringConcatenator", "title": "Third", "strings": ["{agent2Output}", "three"], "delimiter": "+"}


def note_run(public: Path, *nodes: dict[str, Any], **changes: Any) -> int:
    """A run that waits; without nodes of three that add to each other's outputs."""
    write_workflow(public, "Main", *(nodes or (FIRST, SECOND, THIRD)))
    return start_run(RunRequest(**{"workflow": "ann/Main", "messages": HELLO, **changes}))


def finish_run(public: Path, *nodes: dict[str, Any], **changes: Any) -> RunDetail:
    """A run that is over."""
    run_id = note_run(public, *nodes, **changes)
    execute_run(run_id)
    return get_run(run_id)


def finish_rerun(run_id: int, node: int, **changes: Any) -> RunDetail:
    """A run from the middle of another that is over."""
    new_id = start_rerun(run_id, RerunRequest(node, **changes))
    execute_run(new_id)
    return get_run(new_id)


def answering(endpoint: str = "built-in", **values: Any) -> dict[str, Any]:
    """A node that asks a model."""
    node = {"type": "Standard", "title": "Answer", "endpointName": endpoint, "preset": "plain"}
    return {**node, "prompt": "{chat_user_prompt_last_one}", "systemPrompt": "You are {name}.", **values}
