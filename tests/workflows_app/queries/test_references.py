from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import SHARED
from tests.workflows_app.builders import write
from tests.workflows_app.configs_world import add_user, furnish
from workflows_app.engine.config_references import list_named_files
from workflows_app.queries.references import Reference, build_reference_map, get_reference_map
from workflows_app.stores.config_library import ConfigLibrary

PUBLIC = SHARED / "wilmer-public" / "Configs"
SAMPLE = Path(__file__).resolve().parents[3] / "sample" / "Public" / "Configs"


def find(source: str, place: str) -> Reference:
    found = get_reference_map().list_from(source)
    return next(reference for reference in found if reference.place == place)


@pytest.mark.parametrize(
    ("path", "document", "found"),
    [
        ("Users/_current-user.json", {"currentUser": "ann"}, [("/currentUser", "user", "ann")]),
        ("Users/a.json", {"routingConfig": "r", "customWorkflow": ""}, [("/routingConfig", "routing", "r")]),
        ("Endpoints/E.json", {"appendPresetName": "p"}, [("/appendPresetName", "preset file", "p")]),
        ("Routing/r.json", {"A": {"workflow": "W"}, "B": 1}, [("/A/workflow", "workflow", "W")]),
        ("Workflows/a/S.json", {"embeddingEndpointName": "E"}, [("/embeddingEndpointName", "endpoint", "E")]),
        ("Workflows/a/W.json", [{"server": "m"}, "odd"], [("/0/server", "MCP server", "m")]),
        ("Workflows/a/W.json", {"nodes": [{"conditionalWorkflows": {"x": "W", "y": 3}}]},
         [("/nodes/0/conditionalWorkflows/x", "workflow", "W")]),
        ("Workflows/a/W.json", {"which": "E", "nodes": [{"endpointName": "{which}"}]}, [("/which", "endpoint", "E")]),
        ("Presets/P/p.json", {"endpointName": "E"}, []),
        ("Users/a.json", ["no", "object"], []),
        ("Workflows/a/W.json", None, []),
    ],
)  # fmt: skip
def test_names_are_found_in_every_kind_of_file(path: str, document: Any, found: list[tuple[str, str, str]]) -> None:
    named = list_named_files(path, document)

    pointers = ["".join(f"/{part}" for part in one.pointer) for one in named]
    assert list(zip(pointers, [one.wanted.value for one in named], [one.name for one in named], strict=True)) == found


def test_name_leads_where_each_user_looks(opened: Path) -> None:
    configs = furnish(opened)
    add_user(configs, "bob", customWorkflow="Main", endpointConfigsSubDirectory="bob")

    reference = find("Workflows/ann/Main.json", "2 › endpointName")

    assert reference.targets == {"ann": "Endpoints/Main.json", "bob": "Endpoints/bob/Main.json"}


def test_folder_override_of_a_node_counts(opened: Path) -> None:
    configs = furnish(opened)
    node = {"type": "CustomWorkflow", "workflowName": "Deep", "workflowUserFolderOverride": "_common"}
    write(configs / "Workflows/ann/Main.json", [node])

    assert find("Workflows/ann/Main.json", "1 › workflowName").targets == {"ann": "Workflows/_common/Deep.json"}


def test_preset_may_be_an_endpoint_with_samplers(opened: Path) -> None:
    configs = furnish(opened)
    write(configs / "Endpoints/plain.json", {"presetSamplers": {"top_k": 1}})

    assert find("Workflows/ann/Facts.json", "1 › preset").targets == {"ann": "Endpoints/plain.json"}


def test_users_come_to_what_leads_on_from_their_config(opened: Path) -> None:
    configs = furnish(opened)
    write(configs / "Workflows/ann/Alone.json", [{"workflowName": "Facts"}])

    found = get_reference_map()

    assert found.list_users_of("Presets/P/plain.json") == ("ann",)
    assert found.list_users_of("Workflows/ann/Alone.json") == ()
    assert "Workflows/ann/Alone.json" in {reference.source for reference in found.list_to("Workflows/ann/Facts.json")}


def test_what_is_switched_off_leads_nobody_on(opened: Path) -> None:
    configs = furnish(opened)
    user = json.loads((configs / "Users/ann.json").read_text())
    write(configs / "Users/ann.json", {**user, "customWorkflowOverride": False})

    found = get_reference_map()

    assert found.list_users_of("Workflows/ann/Main.json") == ()
    assert find("Users/ann.json", "customWorkflow").is_switched_off


def test_damaged_and_hostile_files_name_nothing(opened: Path) -> None:
    configs = furnish(opened)
    (configs / "Workflows/ann/Bad.json").write_text("[{")
    write(configs / "Workflows/ann/Evil.json", [{"workflowName": "../../../etc/passwd", "server": "../x"}])
    (configs / "Workflows/ann/Link.json").symlink_to("/etc/hostname")

    found = get_reference_map()

    assert found.files["Workflows/ann/Bad.json"].problem.startswith("No JSON")
    assert all(reference.targets == {} for reference in found.list_from("Workflows/ann/Evil.json"))
    assert "Workflows/ann/Link.json" not in found.files


def test_map_notices_changes_made_outside(opened: Path) -> None:
    configs = furnish(opened)
    before = get_reference_map()

    assert get_reference_map() is before
    write(configs / "Workflows/ann/New.json", [{"endpointName": "Main"}])
    assert len(get_reference_map().list_to("Endpoints/Main.json")) == len(before.list_to("Endpoints/Main.json")) + 1


def test_nothing_is_missing_in_the_sample() -> None:
    found = build_reference_map(ConfigLibrary(SAMPLE))

    assert [r for r in found.references if not set(r.targets.values()) <= set(found.files)] == []


@pytest.mark.skipif(not PUBLIC.is_dir(), reason="the example folder is not there")
def test_nothing_that_a_user_comes_to_is_missing_in_the_public_example() -> None:
    found = build_reference_map(ConfigLibrary(PUBLIC))
    missing = [
        (reference.source, reference.place, target)
        for reference in found.references
        for user, target in reference.targets.items()
        if target not in found.files and reference.source in found.reached[user] and not reference.is_switched_off
    ]

    assert missing == []
