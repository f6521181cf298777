"""The public folder that tests of the memory app work on."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.catalogue.refresh import forget_schedule
from tests.builders import build_public_folder, open_public_folder


@pytest.fixture
def public(tmp_path: Path, settings: object) -> Path:
    """An own, empty public folder, opened in the settings."""
    folder = build_public_folder(tmp_path)
    open_public_folder(settings, folder)
    forget_schedule()
    return folder
