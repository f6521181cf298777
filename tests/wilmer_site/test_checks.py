from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django import Settings

from wilmer_site.checks import check_public_folder


@pytest.mark.parametrize(("is_sample", "has_folder", "count"), [(False, False, 1), (False, True, 0), (True, False, 0)])
def test_check_public_folder(settings: Settings, tmp_path: Path, is_sample: bool, has_folder: bool, count: int) -> None:
    settings.WILMER_IS_SAMPLE = is_sample
    settings.WILMER_PUBLIC_DIR = tmp_path
    settings.WILMER_CONFIG_DIR = tmp_path / "Configs"
    settings.WILMER_DISCUSSIONS_DIR = tmp_path if has_folder else tmp_path / "DiscussionIds"

    assert [message.id for message in check_public_folder()] == ["wilmer.W001"] * count
