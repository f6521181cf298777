from __future__ import annotations

from pathlib import Path

import pytest

from wilmer_site.lib.ids import UnsafeNameError, child_path, is_plain_name


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a\\b", "C:x", "a\x00b", "/etc"])
def test_child_path_refuses_what_leaves_the_folder(tmp_path: Path, name: str) -> None:
    assert not is_plain_name(name)
    with pytest.raises(UnsafeNameError):
        child_path(tmp_path, "fine", name)


@pytest.mark.parametrize("name", ["CON", "dot.", "a b", "%2e%2e", "京都", "x" * 200, "*", "~"])
def test_child_path_takes_odd_names_that_stay_inside(tmp_path: Path, name: str) -> None:
    assert child_path(tmp_path, name) == tmp_path / name


def test_child_path_refuses_a_link_that_leads_out(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "out").symlink_to(tmp_path)

    with pytest.raises(UnsafeNameError, match="leads out"):
        child_path(tmp_path / "root", "out", "file")


def test_child_path_follows_a_link_that_stays_inside(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "alias").symlink_to(tmp_path / "real")

    assert child_path(tmp_path, "alias", "file") == tmp_path / "alias" / "file"


def test_child_path_refuses_a_link_to_itself(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")

    with pytest.raises(UnsafeNameError, match="cannot be followed"):
        child_path(tmp_path, "loop")
