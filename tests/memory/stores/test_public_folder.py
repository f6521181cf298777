"""Roots that follow from flags and settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.stores.public_folder import RootChoices, build_public_folder


def test_roots_lie_in_the_public_folder_unless_set(tmp_path: Path) -> None:
    folder = build_public_folder(RootChoices(public_directory=str(tmp_path)))

    assert (folder.config_root, folder.discussions_root) == (tmp_path / "Configs", tmp_path / "DiscussionIds")
    assert folder.old_discussions_root is None
    assert folder.old_database_folders == ()


def test_the_install_folder_is_the_last_resort(tmp_path: Path) -> None:
    folder = build_public_folder(RootChoices(install_root=tmp_path, working_folder=tmp_path, public_directory=" "))

    assert folder.public_root == tmp_path / "Public"
    assert folder.old_discussions_root is None
    assert folder.old_database_folders == (tmp_path / "Public",)


def test_nothing_set_is_an_error() -> None:
    with pytest.raises(ValueError, match="Neither"):
        build_public_folder(RootChoices())


@pytest.mark.parametrize("text", ["~/talks", "~nobody-of-this-name/talks"])
def test_home_folders_are_expanded(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))

    folder = build_public_folder(RootChoices(public_directory=str(tmp_path), discussion_directory=text))

    assert folder.discussions_root == (tmp_path / "talks" if text.startswith("~/") else Path(text))
