from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sample.build.workspace import SAMPLE_ROOT

CONFIGS = SAMPLE_ROOT / "Public" / "Configs"
WORKFLOWS = CONFIGS / "Workflows" / "gardener"
SETTINGS = "_DiscussionId-MemoryFile-Workflow-Settings"
EMBEDDING_TYPES = {"builtinEmbeddings", "openAIEmbeddings"}
NODE_TYPES = {
    "QualityMemory",
    "RecentMemory",
    "RecentMemorySummarizerTool",
    "VectorMemorySearch",
    "chatSummarySummarizer",
    "Standard",
    "GetCurrentStateDocument",
    "GetCurrentSummaryFromFile",
    "StringConcatenator",
}


def read(*names: str) -> Any:
    return json.loads(CONFIGS.joinpath(*names[:-1], f"{names[-1]}.json").read_text(encoding="utf-8"))


def names_in(folder: str) -> list[str]:
    return sorted(path.stem for path in (CONFIGS / folder).glob("*.json"))


def list_workflows() -> dict[str, list[dict[str, Any]]]:
    found = {path.stem: read("Workflows", "gardener", path.stem) for path in WORKFLOWS.glob("*.json")}
    del found[SETTINGS]
    return {name: value["nodes"] if isinstance(value, dict) else value for name, value in found.items()}


def list_callers() -> Iterator[tuple[str, str, str]]:
    """Where an endpoint is named, the endpoint, and the preset that goes with it."""
    for name, nodes in list_workflows().items():
        for node in nodes:
            if "endpointName" in node:
                yield name, node["endpointName"], node["preset"]
    settings = read("Workflows", "gardener", SETTINGS)
    for prefix in ("", "vectorMemory", "condenseMemories"):
        endpoint, preset = (f"{prefix}EndpointName", f"{prefix}Preset") if prefix else ("endpointName", "preset")
        yield SETTINGS, settings[endpoint], settings[preset]


def type_of(endpoint: str) -> dict[str, Any]:
    return read("ApiTypes", read("Endpoints", endpoint)["apiTypeConfigFileName"])


def test_current_user_exists() -> None:
    assert read("Users", "_current-user") == {"currentUser": "gardener"}
    assert names_in("Users") == ["_current-user", "gardener", "narrator"]


@pytest.mark.parametrize("user", ["gardener", "narrator"])
def test_what_a_user_names_exists(user: str) -> None:
    values = read("Users", user)
    workflows = [value for key, value in values.items() if key.endswith("Workflow") and value]
    assert set(workflows) <= set(list_workflows())
    assert (WORKFLOWS / f"{values['discussionIdMemoryFileWorkflowSettings']}.json").is_file()
    assert (CONFIGS / "PromptTemplates" / f"{values['chatPromptTemplateName']}.json").is_file()
    assert values["chatCompleteAddUserAssistant"] is False
    assert values["chatCompletionAddMissingAssistantGenerator"] is False


def test_routes_and_default_exist() -> None:
    routing = read("Routing", read("Users", "narrator")["routingConfig"])
    assert {route["workflow"] for route in routing.values()} | {"_DefaultWorkflow"} <= set(list_workflows())
    assert all(name.isalnum() and route["description"] for name, route in routing.items())


@pytest.mark.parametrize("endpoint", names_in("Endpoints"))
def test_endpoints_are_local_and_hold_no_secret(endpoint: str) -> None:
    values = read("Endpoints", endpoint)
    assert values["endpoint"].startswith("http://127.0.0.1")
    assert values["apiKey"] == ""
    assert values["promptTemplate"] is None or values["promptTemplate"] in names_in("PromptTemplates")
    assert type_of(endpoint)["type"]


def test_endpoints_and_presets_resolve() -> None:
    for where, endpoint, preset in list_callers():
        kind = type_of(endpoint)
        assert kind["type"] not in EMBEDDING_TYPES, where
        assert (CONFIGS / "Presets" / kind["presetType"] / f"{preset}.json").is_file(), where


def test_presets_are_there_for_both_kinds_of_server() -> None:
    assert names_in("Presets/Built-In") == names_in("Presets/OpenAI-Compatible")


def test_embedding_endpoints_embed() -> None:
    nodes = [node for nodes in list_workflows().values() for node in nodes]
    named = [node["embeddingEndpointName"] for node in nodes if "embeddingEndpointName" in node]
    named.append(read("Workflows", "gardener", SETTINGS)["embeddingEndpointName"])
    assert {type_of(endpoint)["type"] for endpoint in named} <= EMBEDDING_TYPES


def test_memory_settings_name_workflows() -> None:
    settings = read("Workflows", "gardener", SETTINGS)
    named = {value for key, value in settings.items() if key.endswith("WorkflowName")}
    assert named == {"Remember_Scene", "Remember_Facts", "Keep_State"}
    assert named <= set(list_workflows())
    assert "nodes" not in settings


def test_node_types_are_known_and_one_node_answers() -> None:
    for name, nodes in list_workflows().items():
        assert {node["type"] for node in nodes} <= NODE_TYPES, name
        assert sum(bool(node.get("returnToUser")) for node in nodes) == 1, name


def test_outputs_come_from_earlier_nodes() -> None:
    for name, nodes in list_workflows().items():
        for at, node in enumerate(nodes, start=1):
            text = json.dumps(node)
            used = [number for number in range(1, 20) if f"{{agent{number}Output}}" in text]
            assert all(number < at for number in used), name


def test_files_are_plain_utf8() -> None:
    files: list[Path] = list(CONFIGS.rglob("*.json"))
    assert len(files) >= 25
    assert all(path.read_text(encoding="utf-8").startswith("{") or path.parent == WORKFLOWS for path in files)
