"""Which file a name leads to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memory.stores.layouts import find_reference_path
from memory.stores.public_folder import PublicFolder
from memory.types import Artefact, DiscussionId, DiscussionRef, KeyHash
from tests.conformance.vectors import cases
from wilmer_site.lib.errors import WilmerError
from workflows_app.stores.config_files import ConfigFiles
from workflows_app.stores.served_users import choose_user, list_model_names

_ARTEFACTS = {"memories": Artefact.MEMORIES, "chat_summary": Artefact.SUMMARY, "vector_db": Artefact.VECTOR_MEMORY}


def lay_out(public: Path, tree: dict[str, Any]) -> None:
    for name, content in tree.items():
        path = public / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content).replace("<PUBLIC>", str(public)), encoding="utf-8")


def find(public: Path, given: dict[str, Any]) -> dict[str, Any]:
    """What the product finds for a question of the vectors."""
    query, root, users = given["query"], public / "Configs", given.get("users")
    kind = query["kind"]
    if kind == "current_user":
        return {"user": choose_user(root, users, given.get("request_user"))}
    if kind == "models":
        return {"ids": list_model_names(root, users)}
    configs = ConfigFiles(root, choose_user(root, users))
    if kind in ("discussion_file", "vector_db"):
        return _place(_discussion_path(public, configs, query))
    return _config(configs, kind, query.get("name", ""), query)


def _config(configs: ConfigFiles, kind: str, name: str, query: dict[str, Any]) -> dict[str, Any]:
    paths, user = configs.paths, configs.user
    ways: dict[str, Any] = {
        "workflow": lambda: _place(paths.workflow_file(name, query.get("folder", ""))),
        "user_config": lambda: _place(paths.user_file(configs.user_name)),
        "endpoint": lambda: _place(paths.endpoint_file(name)),
        "preset": lambda: _place(paths.preset_file(name, query["preset_type"])),
        "api_type": lambda: _place(paths.api_type_file(name)),
        "prompt_template": lambda: _place(paths.prompt_template_file(name)),
        "routing": lambda: _place(paths.routing_file(user["routingConfig"])),
        "memory_settings": lambda: _place(paths.memory_settings_file()),
        "context_compactor_settings": lambda: _place(paths.compactor_settings_file()),
        "lock_db": lambda: {"path": paths.lock_database(), "exists": True},
        "shared_workflows": lambda: {"folders": paths.list_shared_folders()},
        "shared_exists": lambda: {"exists": paths.has_shared_folder(name)},
        "structured_output": lambda: {"schema": configs.read_schema(name)},
        "mcp_server": lambda: {"config": configs.read_mcp_server(name)},
    }
    found: dict[str, Any] = ways[kind]()
    return found


def _place(path: Path) -> dict[str, Any]:
    return {"path": path, "exists": path.exists()}


def _discussion_path(public: Path, configs: ConfigFiles, query: dict[str, Any]) -> Path:
    root = Path(configs.user.get("discussionDirectory") or public / "DiscussionIds")
    folder = PublicFolder(public, public / "Configs", root)
    key = query.get("api_key_hash")
    ref = DiscussionRef(DiscussionId(query["discussion_id"]), KeyHash(key) if key else None)
    return find_reference_path(folder, ref, _ARTEFACTS[query.get("name", "vector_db")])


@pytest.mark.parametrize("case", cases("workflows", "lookup"))
def test_lookup(case: dict[str, Any], tmp_path: Path) -> None:
    lay_out(tmp_path, case["input"]["tree"])
    if "error" in case["expected"]:
        with pytest.raises(WilmerError):
            find(tmp_path, case["input"])
        return

    found = find(tmp_path, case["input"])

    shown = json.loads(json.dumps(found, default=str).replace(str(tmp_path), "<PUBLIC>"))
    assert shown == case["expected"]
