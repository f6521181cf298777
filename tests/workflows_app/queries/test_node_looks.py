"""What the editor shows beside a node."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.builders import build_discussion
from tests.chats import attach_chat
from tests.workflows_app.builders import USER, write, write_endpoint, write_workflow
from tests.workflows_app.runs import FIRST, SECOND, finish_run
from workflows_app.engine.workflow_edits import Outline, read_outline
from workflows_app.queries.node_bench import BenchRequest, open_bench
from workflows_app.queries.node_looks import list_scope, measure, read_returned

ASK = {"type": "Standard", "endpointName": "sized", "preset": "plain", "maxResponseSizeInTokens": 100}


def outline(*nodes: Any, **variables: Any) -> Outline:
    return read_outline(json.dumps({"nodes": list(nodes), **variables}))


def bench(discussion: str = "") -> Any:
    return open_bench(BenchRequest("Workflows/ann/Main.json", "ann", discussion))


def names(found: Any) -> dict[str, str]:
    return {variable.name: variable.value for group in found for variable in group.variables}


def test_variables_of_every_origin_are_listed(opened: Path) -> None:
    write(opened / "Configs/Users/ann.json", {**USER, "userWideWorkflowVariables": {"garden": "plot 24"}})
    attach_chat(opened, "anna", ["The keys are gone."])
    found = names(list_scope(bench("anna"), outline(FIRST, ASK, who="Edda"), 1))
    assert (found["who"], found["garden"], found["Discussion_Id"]) == ("Edda", "plot 24", "anna")
    assert found["chat_user_prompt_last_one"] == found["agent1Input"] == "The keys are gone."
    assert {"agent1Output", "todays_date_iso"} <= found.keys()
    assert "agent2Output" not in found


def test_outputs_are_those_of_the_newest_run(opened: Path) -> None:
    finish_run(opened, FIRST, SECOND)
    assert names(list_scope(bench(), outline(FIRST, SECOND), 1))["agent1Output"] == "one"


def test_long_values_are_cut(opened: Path) -> None:
    attach_chat(opened, "anna", ["word " * 1000])
    assert len(names(list_scope(bench("anna"), outline(ASK), 0))["chat_user_prompt_last_one"]) < 300


def test_tokens_are_measured_against_the_endpoint(opened: Path) -> None:
    write_endpoint(opened, "sized", "http://127.0.0.1", maxContextTokenSize=120)
    budget = measure(bench(), outline({**ASK, "systemPrompt": "Be brief.", "prompt": "word " * 40}), 0)
    assert budget is not None
    assert (budget.response, budget.window, budget.source) == (100, 120, "prompt")
    assert budget.system > 0 and budget.is_over


def test_without_a_prompt_the_conversation_is_measured(opened: Path) -> None:
    write_endpoint(opened, "sized", "http://127.0.0.1")
    attach_chat(opened, "anna", ["word " * 100, "word " * 100])
    budget = measure(bench("anna"), outline({**ASK, "lastMessagesToSendInsteadOfPrompt": 1}), 0)
    assert budget is not None
    assert (budget.source, budget.window) == ("conversation", 0)
    assert 100 < budget.prompt < 250


def test_a_mistake_in_a_template_is_told(opened: Path) -> None:
    budget = measure(bench(), outline({**ASK, "prompt": "{}"}), 0)
    assert budget is not None and budget.problem


def test_a_node_without_endpoint_has_no_budget(opened: Path) -> None:
    assert measure(bench(), outline(FIRST), 0) is None


def test_memory_nodes_return_what_they_would(opened: Path) -> None:
    build_discussion(opened, "anna", chunks=3)
    write_workflow(opened, "Main", FIRST)
    node = {"type": "RecentMemorySummarizerTool", "maxTurnsToPull": 0, "maxSummaryChunksFromFile": 1}
    newest = read_returned(bench("anna"), outline(node), 0)
    everything = read_returned(bench("anna"), outline({"type": "GetCurrentMemoryFromFile"}), 0)
    assert newest.text and newest.text in everything.text
    assert 0 < newest.tokens < everything.tokens


def test_a_memory_node_with_a_mistake_says_so(opened: Path) -> None:
    build_discussion(opened, "anna")
    assert read_returned(bench("anna"), outline({"type": "RecentMemorySummarizerTool"}), 0).problem
    assert read_returned(bench("anna"), outline(FIRST), 0).problem
