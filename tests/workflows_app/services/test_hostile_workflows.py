"""Workflows that mean harm, or loop by mistake: refused or bounded, with a sentence, and never a broken console."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.llm_server import FakeLlmServer
from tests.workflows_app.builders import build_run, write, write_endpoint, write_workflow
from tests.workflows_app.runs import FIRST, answering, finish_run
from workflows_app import wiring
from workflows_app.engine.permissions import Permissions
from workflows_app.engine.runner import Runner
from workflows_app.errors import NodeFailedError, WorkflowInvalidError
from workflows_app.nodes.registry import build_registry
from workflows_app.queries.runs import get_node
from workflows_app.results import RunState
from workflows_app.run_results import RunDetail
from workflows_app.services.runs import RunRequest, start_run
from workflows_app.services.watching import MAX_TEXT


def fail(public: Path, *nodes: dict[str, Any], **values: Any) -> RunDetail:
    """A run that must end with an error of ours, not with a broken console."""
    run = finish_run(public, *nodes, **values)
    assert run.card.state is RunState.FAILED
    assert run.card.error_code != "broken"
    return run


def test_workflow_that_calls_itself_ends(opened: Path) -> None:
    run = fail(
        opened, {"type": "WorkflowLock", "workflowLockId": "a"}, {"type": "CustomWorkflow", "workflowName": "Me"}
    )
    assert "Me" in run.card.error

    write_workflow(opened, "Me", {"type": "CustomWorkflow", "workflowName": "Me"})
    run = fail(opened, {"type": "CustomWorkflow", "workflowName": "Me"})
    assert "more than 50 deep" in run.card.error
    assert len(run.nodes) <= 51


def test_memory_that_makes_itself_ends(opened: Path) -> None:
    write(
        opened / "Configs/Workflows/ann/Memory.json", {"fileMemoryWorkflowName": "Main", "chunkEstimatedTokenSize": 1}
    )
    user = json.loads((opened / "Configs/Users/ann.json").read_text())
    write(opened / "Configs/Users/ann.json", {**user, "discussionIdMemoryFileWorkflowSettings": "Memory"})
    talk = [{"role": "user", "content": f"message {at}"} for at in range(20)]

    run = finish_run(opened, {"type": "QualityMemory"}, discussion="amber", messages=talk)

    assert run.card.error_code != "broken"
    assert len(run.nodes) <= 51


def test_file_with_a_million_nodes_is_refused(opened: Path) -> None:
    write_workflow(opened, "Huge")
    path = opened / "Configs/Workflows/ann/Huge.json"
    path.write_text("[" + ",".join(["{}"] * 1_000_000) + "]", encoding="utf-8")

    with pytest.raises(WorkflowInvalidError, match="1,000,000 nodes"):
        start_run(RunRequest("ann/Huge", messages=[{"role": "user", "content": "Hi"}]))


def test_million_nodes_by_calling_each_other_are_bounded(public: Path) -> None:
    for level in range(30):
        write_workflow(public, f"L{level}", *[{"type": "CustomWorkflow", "workflowName": f"L{level + 1}"}] * 2)
    write_workflow(public, "L30", FIRST)
    run = build_run(public, "hi", node_limit=500)

    with pytest.raises(NodeFailedError, match="at most 500 nodes"):
        list(Runner(run, build_registry()).start("L0"))
    assert run.nodes_run == 501


@pytest.mark.parametrize(
    "content",
    [
        "{messages.__class__}",
        "{messages[0].__class__.__mro__}",
        "{messages.append.__self__}",
        "{name:>9999999999}",
        "{agent1Output!z}",
        "{}",
    ],
)
def test_template_gets_no_python_and_no_giant_width(opened: Path, content: str) -> None:
    document = {"name": "Edda", "nodes": [FIRST, {"type": "StaticResponse", "content": content}]}
    write(opened / "Configs/Workflows/ann/Vars.json", document)

    run = fail(opened, {"type": "CustomWorkflow", "workflowName": "Vars"})

    assert "<class" not in repr(get_node(run.card.id, 2))


@pytest.mark.parametrize(
    "content", ["{{ cycler.__init__.__globals__.os.popen('id').read() }}", "{% for a in range(10**9) %}{% endfor %}"]
)
def test_jinja2_gets_no_python_and_no_endless_loop(opened: Path, content: str) -> None:
    run = fail(opened, {"type": "StaticResponse", "content": content, "jinja2": True})

    assert run.card.error_code == "template-invalid"


@pytest.mark.parametrize(
    "node",
    [
        {"type": "CustomWorkflow", "workflowName": "../../../../etc/passwd"},
        {"type": "CustomWorkflow", "workflowName": "x", "workflowUserFolderOverride": "../../.."},
        {"type": "Standard", "endpointName": "../../../../etc/passwd", "preset": "plain"},
        {"type": "Standard", "endpointName": "built-in", "preset": "../../../../../etc/passwd"},
        {"type": "GetCustomFile", "filepath": "/etc/passwd"},
        {"type": "GetCustomFile", "filepath": "{Discussion_Id}/../../../../etc/passwd"},
        {"type": "SaveCustomFile", "filepath": "/tmp/wilmer-was-here", "content": "x"},
        {"type": "SaveCustomFile", "filepath": "~/.profile", "content": "x", "mode": "append"},
        {"type": "PythonModule", "module_path": "/tmp/evil.py"},
        {"type": "CurlCommand", "args": ["file:///etc/passwd"]},
        {"type": "MCPToolCall", "server": "../evil", "tool": "x"},
    ],
    ids=lambda node: f"{node['type']}-{list(node.values())[1]}",
)
def test_nothing_outside_of_the_allowed_folders_is_reached(opened: Path, node: dict[str, Any]) -> None:
    run = fail(opened, node)

    assert "root:" not in repr(get_node(run.card.id, 1)) + run.card.error
    assert not Path("/tmp/wilmer-was-here").exists()


def test_link_out_of_an_allowed_folder_is_not_followed(opened: Path, settings: Any, tmp_path: Path) -> None:
    allowed = tmp_path / "allowed"
    allowed.mkdir()
    (allowed / "link").symlink_to("/etc/passwd")
    settings.WILMER_NODE_FILE_FOLDERS = (str(allowed),)

    run = finish_run(opened, {"type": "GetCustomFile", "filepath": str(allowed / "link")})

    assert "root:" not in run.answer
    assert run.card.error_code != "broken"


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "gopher://127.0.0.1/",
        "http://127.0.0.1:1/",
        "http://localhost:1/",
        "http://[::1]:1/",
        "http://0x7f.1:1/",
        "http://2130706433:1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://10.0.0.1/",
        "http://[::ffff:127.0.0.1]:1/",
        "http://user:pass@127.0.0.1:1/",
    ],
)
def test_private_hosts_are_refused_even_where_all_hosts_are_allowed(
    opened: Path, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setattr(wiring, "get_permissions", lambda: replace(Permissions(), web_hosts=("*",)))

    run = fail(opened, {"type": "WebFetch", "url": url, "timeout": 2})

    assert "may not reach this machine or network" in run.card.error or "must begin with http" in run.card.error


def test_prompt_of_10_megabytes_is_sent_and_recorded_in_part(opened: Path) -> None:
    text = "leeks and beans " * (10 * 1024 * 1024 // 16)
    with FakeLlmServer("Noted.") as server:
        write_endpoint(opened, "server", server.url)
        run = finish_run(opened, answering("server"), messages=[{"role": "user", "content": text}])

    node = get_node(run.card.id, 1)
    assert run.card.state is RunState.FINISHED
    assert len(server.seen[0].body["messages"][-1]["content"]) == len(text)
    assert all(len(prompt.text) < MAX_TEXT + 100 for prompt in node.prompts)
    assert len(json.dumps(node.calls[0].body)) < MAX_TEXT * 2


def test_text_that_doubles_with_every_node_is_bounded(opened: Path) -> None:
    first = {"type": "StaticResponse", "content": "x" * 1000}
    doubling = [{"type": "StaticResponse", "content": f"{{agent{at}Output}}{{agent{at}Output}}"} for at in range(1, 30)]

    run = fail(opened, first, *doubling)

    assert "more than 20,000,000 characters" in run.card.error
