"""The Public folder that tests of runs work on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.workflows_app.builders import lay_out


@pytest.fixture
def public(tmp_path: Path) -> Path:
    """An own folder with the user `ann`."""
    return lay_out(tmp_path)


@pytest.fixture
def opened(public: Path, settings: Any, db: None, tmp_path: Path) -> Path:
    """The same folder, open in a console whose state folder is empty, as user `ann`."""
    settings.WILMER_PUBLIC_DIR = public
    settings.WILMER_CONFIG_DIR = public / "Configs"
    settings.WILMER_DISCUSSIONS_DIR = public / "DiscussionIds"
    settings.WILMER_DISCUSSIONS_DIR_SETTING = None
    settings.WILMER_IS_SAMPLE = False
    settings.WILMER_USER = "ann"
    settings.WILMER_STATE_DIR = tmp_path / "state"
    return public
