"""One node run as the only node of a workflow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.workflows_app.builders import build_run, write_workflow
from workflows_app.engine.events import NodeFinished
from workflows_app.engine.permissions import Permissions
from workflows_app.engine.router import answer_request
from workflows_app.engine.run import Run
from workflows_app.net.web_client import HttpWebClient, WebAccess
from workflows_app.nodes.registry import build_registry


def output_of(public: Path, node: dict[str, Any], *texts: str, **changes: Any) -> Any:
    """The node's output; `facilities` are added to those of `build_run`."""
    return output_in(prepare_run(public, node, *texts, **changes))


def prepare_run(public: Path, node: dict[str, Any], *texts: str, **changes: Any) -> Run:
    """The request, about to start."""
    write_workflow(public, "Main", node)
    facilities = changes.pop("facilities", {})
    run = build_run(public, *(texts or ("hi",)), **changes)
    run.facilities = {**run.facilities, WebAccess: WebAccess(HttpWebClient()), **facilities}
    return run


def output_in(run: Run) -> Any:
    """The output of the outermost node."""
    events = answer_request(run, build_registry())
    return [event.output for event in events if isinstance(event, NodeFinished) and len(event.path) == 1][-1]


def allowing(**values: Any) -> dict[type[Any], Any]:
    """Facilities with these permissions."""
    return {Permissions: Permissions(**values)}
