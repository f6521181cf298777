from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory.errors import DiscussionNotFoundError, UnsafeDiscussionIdError
from memory.types import DiscussionId, DiscussionRef
from memory.wiring import get_public_folder, get_salt_names, get_user_name, open_discussion
from tests.builders import build_ref, write_json


def test_get_public_folder_uses_the_usual_place(public: Path) -> None:
    assert get_public_folder().discussions_root == public / "DiscussionIds"


def test_get_public_folder_follows_the_users_setting(public: Path, tmp_path: Path) -> None:
    write_json(public / "Configs/Users/recall.json", {"discussionDirectory": str(tmp_path / "elsewhere")})

    assert get_public_folder().discussions_root == tmp_path / "elsewhere"


def test_get_public_folder_prefers_the_consoles_own_setting(public: Path, tmp_path: Path, settings: Any) -> None:
    write_json(public / "Configs/Users/recall.json", {"discussionDirectory": str(tmp_path / "elsewhere")})
    settings.WILMER_DISCUSSIONS_DIR_SETTING = tmp_path / "named"

    assert get_public_folder().discussions_root == tmp_path / "named"


def test_get_public_folder_survives_a_damaged_user_config(public: Path) -> None:
    (public / "Configs/Users/recall.json").write_text("{", encoding="utf-8")

    assert get_public_folder().discussions_root == public / "DiscussionIds"


def test_get_user_name_prefers_the_setting(public: Path, settings: Any) -> None:
    settings.WILMER_USER = "stage"

    assert get_user_name() == "stage"


def test_get_salt_names_starts_with_the_current_user(public: Path) -> None:
    write_json(public / "Configs/Users/another.json", {})

    assert get_salt_names() == ("recall", "another")


def test_get_salt_names_without_configs_is_empty(public: Path, settings: Any) -> None:
    settings.WILMER_CONFIG_DIR = public / "nowhere"

    assert get_salt_names() == ()


def test_open_discussion_refuses_what_is_not_there_or_unsafe(public: Path) -> None:
    with pytest.raises(DiscussionNotFoundError):
        open_discussion(build_ref("nobody"))
    with pytest.raises(UnsafeDiscussionIdError):
        open_discussion(DiscussionRef(DiscussionId("..")))
