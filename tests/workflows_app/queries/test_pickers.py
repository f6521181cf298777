"""The names a field may take, as one user reaches them."""

from __future__ import annotations

from pathlib import Path

from tests.workflows_app.builders import USER, write, write_endpoint, write_workflow
from tests.workflows_app.runs import FIRST
from workflows_app.configs.kinds import Reference
from workflows_app.queries.pickers import list_names


def test_endpoints_are_those_of_the_users_folder_and_of_the_kind(opened: Path) -> None:
    write(opened / "Configs/ApiTypes/vectors.json", {"type": "openAIEmbeddings"})
    write_endpoint(opened, "embedder", "http://127.0.0.1", apiTypeConfigFileName="vectors")
    assert list_names(Reference.ENDPOINT, "ann", {}) == ("built-in",)
    assert list_names(Reference.EMBEDDING_ENDPOINT, "ann", {}) == ("embedder",)
    write(opened / "Configs/Users/ann.json", {**USER, "endpointConfigsSubDirectory": "mine"})
    write_endpoint(opened, "mine/own", "http://127.0.0.1")
    assert list_names(Reference.ENDPOINT, "ann", {}) == ("own",)


def test_presets_are_those_of_the_endpoints_kind_and_endpoints_with_samplers(opened: Path) -> None:
    write(opened / "Configs/Presets/P/ann/own.json", {})
    write(opened / "Configs/Presets/Q/other.json", {})
    write_endpoint(opened, "sampled", "http://127.0.0.1", presetSamplers={"top_k": 1})
    assert list_names(Reference.PRESET, "ann", {"endpointName": "built-in"}) == ("own", "plain", "sampled")
    assert list_names(Reference.PRESET, "ann", {"endpointName": "gone"}) == ("sampled",)


def test_workflows_are_those_of_the_nodes_folder(opened: Path) -> None:
    write_workflow(opened, "Main", FIRST)
    write(opened / "Configs/Workflows/ann/Settings.json", {"lookbackStartTurn": 3})
    write(opened / "Configs/Workflows/_common/Shared.json", [FIRST])
    assert list_names(Reference.WORKFLOW, "ann", {}) == ("Main",)
    assert list_names(Reference.WORKFLOW, "ann", {"workflowUserFolderOverride": "_common"}) == ("Shared",)


def test_a_broken_user_config_offers_nothing(opened: Path) -> None:
    (opened / "Configs/Users/ann.json").write_text("{")
    assert list_names(Reference.ENDPOINT, "ann", {}) == ()
    assert list_names(Reference.PATH, "ann", {}) == ()
