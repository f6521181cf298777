"""Choosing a workflow, a user and a shared folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conformance.vectors import cases
from tests.conformance.workflow_runs import check_requests
from tests.conformance.workflow_world import World
from wilmer_site.lib.errors import WilmerError
from workflows_app.engine.routing import build_routing_variables, match_category, split_model_field
from workflows_app.stores.config_files import ConfigFiles


def of(op: str | None) -> list[Any]:
    return [param for param in cases("workflows", "routing") if param.values[0]["input"].get("op") == op]


@pytest.mark.parametrize("case", of(None))
def test_routed_request(case: dict[str, Any], tmp_path: Path) -> None:
    check_requests(case, tmp_path)


@pytest.mark.parametrize("case", of("match"))
def test_match(case: dict[str, Any]) -> None:
    given = case["input"]

    assert match_category(given["output"], given["names"]) == case["expected"]["category"]


@pytest.mark.parametrize("case", of("category_variables"))
def test_category_variables(case: dict[str, Any], tmp_path: Path) -> None:
    configs = World(tmp_path, case).configs
    if "error" in case["expected"]:
        with pytest.raises(WilmerError):
            build_routing_variables(configs.read_routing(configs.user["routingConfig"]))
        return

    variables = build_routing_variables(configs.read_routing(configs.user["routingConfig"]))

    assert variables == case["expected"]["variables"]


@pytest.mark.parametrize("case", of("model_field"))
def test_model_field(case: dict[str, Any], tmp_path: Path) -> None:
    world = World(tmp_path, case)
    users = case["input"].get("users") or ["tester"]

    user, folder = split_model_field(case["input"]["model"], users, _Folders(tmp_path / "Configs", users))

    assert folder == case["expected"]["workflow"]
    if len(users) > 1:
        assert user == case["expected"]["user"]
    assert world.configs.user_name in users


class _Folders(dict[str, Any]):
    def __init__(self, root: Path, users: list[str]) -> None:
        super().__init__({user: _Existing(ConfigFiles(root, user)) for user in users})


class _Existing:
    def __init__(self, configs: ConfigFiles) -> None:
        self.configs = configs

    def __contains__(self, folder: str) -> bool:
        return self.configs.paths.has_shared_folder(folder)

    def __iter__(self) -> Any:
        return iter(self.configs.paths.list_shared_folders())

    def __len__(self) -> int:
        return len(self.configs.paths.list_shared_folders())
