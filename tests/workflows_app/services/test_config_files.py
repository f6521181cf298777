from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.workflows_app.builders import write
from tests.workflows_app.configs_world import SECRET, add_user, furnish
from wilmer_site.lib.errors import ConflictError, InvalidError, NotFoundError, RefusedError
from workflows_app.queries import config_plans
from workflows_app.queries.config_plans import plan_delete, plan_rename
from workflows_app.queries.references import get_reference_map
from workflows_app.services.config_files import (
    copy_config,
    create_config,
    delete_everywhere,
    rename_everywhere,
    undo_change,
)
from workflows_app.services.config_saving import read_config

MAIN = "Endpoints/Main.json"


def snapshot(configs: Path) -> dict[str, bytes]:
    return {file.relative_to(configs).as_posix(): file.read_bytes() for file in configs.rglob("*.json")}


def rename(path: str, name: str) -> Any:
    return rename_everywhere(path, name, expected_etag=read_config(path).etag, author="mona")


def list_missing() -> list[str]:
    found = get_reference_map()
    return [r.name for r in found.references if any(target not in found.files for target in r.targets.values())]


def test_everything_that_names_an_endpoint_follows_its_new_name(opened: Path) -> None:
    configs = furnish(opened)

    change = rename(MAIN, "Big one")

    assert change.path == "Endpoints/Big one.json"
    assert sorted(change.changed) == [
        "Endpoints/Other.json",
        "Workflows/ann/Facts.json",
        "Workflows/ann/Main.json",
        "Workflows/ann/Settings.json",
    ]
    assert json.loads((configs / "Workflows/ann/Facts.json").read_text())[0]["endpointName"] == "Big one"
    assert list_missing() == []


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (MAIN, "New"),
        ("ApiTypes/chat.json", "Talk"),
        ("PromptTemplates/_chatonly.json", "plain text"),
        ("Presets/P/plain.json", "cool"),
        ("Workflows/ann/Facts.json", "Find_Facts"),
        ("Workflows/ann/Settings.json", "Memory"),
        ("Users/ann.json", "anna"),
    ],
)
def test_a_rename_leaves_nothing_dangling_and_is_taken_back_to_the_byte(opened: Path, path: str, name: str) -> None:
    configs = furnish(opened)
    before = snapshot(configs)

    change = rename(path, name)
    missing, renamed = list_missing(), snapshot(configs)
    undo_change(change.token, author="mona")

    assert missing == []
    assert change.path in renamed
    assert path not in renamed
    assert snapshot(configs) == before


def test_a_renamed_user_keeps_the_folders_called_like_the_old_name(opened: Path) -> None:
    configs = furnish(opened)

    rename("Users/ann.json", "anna")

    assert json.loads((configs / "Users/anna.json").read_text())["workflowConfigsSubDirectoryOverride"] == "ann"
    assert json.loads((configs / "Users/_current-user.json").read_text()) == {"currentUser": "anna"}


def test_name_that_leads_elsewhere_for_others_stands_in_the_way(opened: Path) -> None:
    configs = furnish(opened)
    add_user(configs, "bob", endpointConfigsSubDirectory="bob")
    write(configs / "Endpoints/bob/Main.json", {"endpoint": "http://127.0.0.1:3"})
    before = snapshot(configs)

    with pytest.raises(ConflictError, match="for other users the same name leads to"):
        rename(MAIN, "New")
    assert snapshot(configs) == before


@pytest.mark.parametrize("name", ["", "..", "a/b", "a\\b", "C:x", ".hidden", "x" * 200, "{agent1Output}", "a\nb"])
def test_hostile_names_are_refused(opened: Path, name: str) -> None:
    furnish(opened)

    with pytest.raises(InvalidError):
        plan_rename(MAIN, name)


@pytest.mark.parametrize("path", ["Endpoints/../../x.json", "/etc/passwd", "Endpoints/Main", "x", "Secrets/a.json"])
def test_paths_outside_the_configs_are_not_found(opened: Path, path: str) -> None:
    furnish(opened)

    with pytest.raises(NotFoundError):
        plan_rename(path, "New")


def test_a_name_that_is_taken_is_refused(opened: Path) -> None:
    furnish(opened)

    assert plan_rename(MAIN, "other").obstacles == ("There is already a file Endpoints/other.json.",)


def test_the_default_workflow_keeps_its_name(opened: Path) -> None:
    configs = furnish(opened)
    write(configs / "Workflows/ann/_DefaultWorkflow.json", [])

    assert "by its name" in plan_rename("Workflows/ann/_DefaultWorkflow.json", "New").obstacles[0]


def test_names_in_other_places_are_told(opened: Path) -> None:
    configs = furnish(opened)
    write(configs / "Workflows/ann/Odd.json", [{"type": "CustomWorkflow", "scoped_variables": ["Main"]}])

    mention = plan_rename(MAIN, "New").mentions[0]

    assert (mention.source, mention.place) == ("Workflows/ann/Odd.json", "1 › scoped_variables › 1")


def test_deleting_lists_what_would_break(opened: Path) -> None:
    furnish(opened)

    plan = plan_delete("Workflows/ann/Facts.json")

    assert [(r.source, r.place) for r in plan.breaks] == [
        ("Workflows/ann/Main.json", "1 › workflowName"),
        ("Workflows/ann/Settings.json", "vectorMemoryWorkflowName"),
    ]


def test_deleting_a_users_preset_falls_back_to_the_common_one(opened: Path) -> None:
    configs = furnish(opened)
    write(configs / "Presets/P/ann/plain.json", {"temperature": 1})

    plan = plan_delete("Presets/P/ann/plain.json")

    assert (plan.falls_back_to, plan.is_harmless) == ("Presets/P/plain.json", True)
    assert not plan_delete("Workflows/ann/Facts.json").falls_back_to


def test_what_is_in_use_is_deleted_only_on_purpose_and_comes_back(opened: Path) -> None:
    configs = furnish(opened)
    before, etag = snapshot(configs), read_config(MAIN).etag

    with pytest.raises(ConflictError, match="is in use"):
        delete_everywhere(MAIN, expected_etag=etag, author="mona")
    change = delete_everywhere(MAIN, expected_etag=etag, author="mona", is_breaking_meant=True)

    assert not (configs / MAIN).exists()
    assert undo_change(change.token, author="mona") == (MAIN,)
    assert snapshot(configs) == before


def test_a_copy_has_the_secrets_and_is_taken_back(opened: Path) -> None:
    configs = furnish(opened)

    change = copy_config(MAIN, "Second", author="mona")

    assert (configs / "Endpoints/Second.json").read_bytes() == (configs / MAIN).read_bytes()
    undo_change(change.token, author="mona")
    assert not (configs / "Endpoints/Second.json").exists()


def test_undo_refuses_when_somebody_worked_on(opened: Path) -> None:
    configs = furnish(opened)
    change = rename(MAIN, "New")
    write(configs / "Workflows/ann/Facts.json", [{"type": "StaticResponse", "content": "mine"}])
    before = snapshot(configs)

    with pytest.raises(ConflictError, match="was changed since"):
        undo_change(change.token, author="mona")
    assert snapshot(configs) == before


def test_undo_takes_no_foreign_token(opened: Path) -> None:
    furnish(opened)
    token = create_config("Presets/P/X.json", "{}", author="mona").token

    with pytest.raises(InvalidError):
        undo_change(f"{token}x", author="mona")


def test_change_says_no_secret(opened: Path) -> None:
    furnish(opened)

    assert SECRET not in repr(rename(MAIN, "New"))


def test_nothing_is_changed_in_a_read_only_console(opened: Path, settings: Any) -> None:
    configs = furnish(opened)
    before, settings.WILMER_READ_ONLY = snapshot(configs), True

    for change in (lambda: rename(MAIN, "New"), lambda: copy_config(MAIN, "New", author="mona")):
        with pytest.raises(RefusedError):
            change()
    assert snapshot(configs) == before


def test_a_user_whom_programs_name_is_renamed_when_that_is_meant(opened: Path) -> None:
    configs = furnish(opened)
    add_user(configs, "bob")
    before = snapshot(configs)

    with pytest.raises(ConflictError, match="name this user"):
        rename("Users/bob.json", "rob")
    assert snapshot(configs) == before

    etag = read_config("Users/bob.json").etag
    rename_everywhere("Users/bob.json", "rob", expected_etag=etag, author="mona", is_breaking_meant=True)
    assert (configs / "Users/rob.json").exists()
    assert not (configs / "Users/bob.json").exists()


@pytest.mark.parametrize(("count", "words"), [(1, "One discussion is encrypted"), (3, "3 discussions are encrypted")])
def test_renaming_a_user_warns_of_encrypted_discussions(
    opened: Path, monkeypatch: pytest.MonkeyPatch, count: int, words: str
) -> None:
    furnish(opened)
    assert plan_rename("Users/ann.json", "anna").warnings == ()
    monkeypatch.setattr(config_plans, "count_chips", lambda _filter: {"locked": count})

    (warning,) = plan_rename("Users/ann.json", "anna").warnings

    assert words in warning
    assert plan_rename(MAIN, "New").warnings == ()
