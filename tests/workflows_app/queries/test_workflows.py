from __future__ import annotations

from pathlib import Path

from tests.workflows_app.builders import USER, write, write_workflow
from tests.workflows_app.runs import FIRST
from workflows_app.queries.workflows import choose_user, find_path, list_users, list_workflows


def test_settings_among_the_workflows_are_told_apart(opened: Path) -> None:
    write(opened / "Configs/Workflows/ann/Settings.json", {"useVectorForQualityMemory": True})

    assert [(file.note, file.is_runnable) for file in list_workflows()] == [("Settings, not a workflow.", False)]


def test_names_lead_where_a_person_means(opened: Path) -> None:
    write_workflow(opened, "Main", FIRST)

    assert find_path("Main") == "ann/Main"
    assert find_path("ann/Main") == "ann/Main"
    assert find_path("Main", folder="other") == "other/Main"


def test_the_user_whose_folder_it_is_comes_first(opened: Path) -> None:
    write(opened / "Configs/Users/bob.json", {**USER, "workflowConfigsSubDirectoryOverride": "shared"})

    assert (choose_user("shared"), choose_user("ann"), choose_user("nobody's")) == ("bob", "ann", "ann")
    assert list_users() == ["ann", "bob"]


def test_a_damaged_user_config_stands_in_nobodys_way(opened: Path) -> None:
    (opened / "Configs/Users/bob.json").write_text("{")

    assert choose_user("shared") == "ann"
