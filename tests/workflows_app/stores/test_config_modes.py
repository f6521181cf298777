"""Who may read a new config file."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from workflows_app.stores.config_writes import ConfigWriter

FETCH = b'[{"type": "WebFetch", "url": "http://a/", "headers": {"Authorization": "s3cret"}}]'


def mode_of_new(tmp_path: Path, path: str, data: bytes = b"[]", *, neighbours: int = 0o644) -> int:
    root = tmp_path / "Configs"
    for name in ("Workflows/ann/A.json", "Workflows/ann/B.json", "Endpoints/E.json"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("[]")
        (root / name).chmod(neighbours)
    ConfigWriter(root, tmp_path / "configs.lock").write(path, data)
    return stat.S_IMODE((root / path).stat().st_mode)


@pytest.mark.parametrize(("neighbours", "mode"), [(0o644, 0o644), (0o600, 0o600), (0o777, 0o664), (0o440, 0o640)])
def test_a_new_file_is_like_its_neighbours(tmp_path: Path, neighbours: int, mode: int) -> None:
    assert mode_of_new(tmp_path, "Workflows/ann/New.json", neighbours=neighbours) == mode


def test_a_new_folder_is_like_those_beside_it(tmp_path: Path) -> None:
    assert mode_of_new(tmp_path, "Workflows/bob/New.json") == 0o644


@pytest.mark.parametrize(("path", "data"), [("Endpoints/New.json", b"{}"), ("Workflows/ann/New.json", FETCH)])
def test_what_holds_secrets_is_private(tmp_path: Path, path: str, data: bytes) -> None:
    assert mode_of_new(tmp_path, path, data) == 0o600


def test_a_file_that_is_there_keeps_its_mode(tmp_path: Path) -> None:
    assert mode_of_new(tmp_path, "Workflows/ann/A.json", FETCH) == 0o644


def test_the_first_file_of_all_is_private(tmp_path: Path) -> None:
    ConfigWriter(tmp_path / "Configs", tmp_path / "configs.lock").write("Users/ann.json", b"{}")
    assert stat.S_IMODE((tmp_path / "Configs/Users/ann.json").stat().st_mode) == 0o600
