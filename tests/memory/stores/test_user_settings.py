"""Users as the configs name them."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.errors import DamagedFileError
from memory.stores.user_settings import (
    find_current_user,
    list_salt_names,
    list_user_names,
    parse_user_settings,
    read_user_settings,
)
from tests.memory.stores.folders import write_user
from wilmer_site.lib.errors import NotFoundError
from wilmer_site.lib.ids import UnsafeNameError


def test_settings_are_read_from_the_file_in_lower_case(tmp_path: Path) -> None:
    write_user(
        tmp_path,
        "Recall",
        discussionDirectory=" ~/talks ",
        encryptUsingApiKey="yes",
        chatCompleteAddUserAssistant=True,
        discussionIdMemoryFileWorkflowSettings="Memory",
        workflowConfigsSubDirectoryOverride="shared",
    )

    user = read_user_settings(tmp_path / "Configs", "Recall")

    assert (user.name, user.discussion_directory, user.encrypt_using_api_key) == ("Recall", "~/talks", True)
    assert (user.adds_role_labels, user.memory_settings_name, user.workflow_folder) == (True, "Memory", "shared")


def test_what_is_not_set_or_no_text_has_its_default() -> None:
    user = parse_user_settings("Recall", {"discussionDirectory": None, "contextCompactorSettingsFile": 5})

    assert (user.discussion_directory, user.compactor_settings_name, user.workflow_folder) == ("", "", "Recall")
    assert not user.encrypt_using_api_key


@pytest.mark.parametrize(
    ("name", "error"), [("nobody", NotFoundError), ("../x", UnsafeNameError), ("broken", DamagedFileError)]
)
def test_what_cannot_be_read_is_an_error(name: str, error: type[Exception], tmp_path: Path) -> None:
    write_user(tmp_path, "recall")
    (tmp_path / "Configs/Users/broken.json").write_text('{"a": }')

    with pytest.raises(error):
        read_user_settings(tmp_path / "Configs", name)


@pytest.mark.parametrize("text", ["", "{}", "[]", "{", '{"currentUser": ""}', '{"currentUser": 5}'])
def test_no_current_user(text: str, tmp_path: Path) -> None:
    write_user(tmp_path, "recall")
    (tmp_path / "Configs/Users/_current-user.json").write_text(text)

    assert find_current_user(tmp_path / "Configs") is None


def test_names_are_those_of_the_files_and_salts_also_the_current_spelling(tmp_path: Path) -> None:
    write_user(tmp_path, "stage", is_current=False)
    write_user(tmp_path, "Recall")
    (tmp_path / "Configs/Users/notes.txt").touch()

    assert list_user_names(tmp_path / "Configs") == ["recall", "stage"]
    assert list_salt_names(tmp_path / "Configs") == ["Recall", "recall", "stage"]
    assert list_salt_names(tmp_path / "nowhere") == []
